import { createHash } from 'node:crypto';
import type { Exposure, Node } from '../model.ts';
import type { ExposedList, ReadExposed } from './exposed-list.ts';
import type { Disclosure } from './ledger.ts';

/**
 * Answers about a readable list, once the disclosure is logged.
 * @throws Refusal
 */
export type ServeWithLedger = <A>(
  node: Node,
  moduleID: string,
  body: (list: ExposedList) => Promise<{ answer: A; disclosure: Disclosure }>,
) => Promise<A>;

/** Creates the function that answers a partner only once the disclosure is logged. */
export function createServeWithLedger(deps: {
  readonly readExposed: ReadExposed;
  readonly onServed: (disclosure: Disclosure) => Promise<void>;
}): ServeWithLedger {
  return async (node, moduleID, body) => {
    const { answer, disclosure } = await deps.readExposed(node, moduleID, 'partner', body);
    await deps.onServed(disclosure);
    return answer;
  };
}

/** Describes an answer with this content for the sharing log; default: of all shared columns. */
export function disclosureOf(
  { nodeID }: Node,
  { moduleID, name: listName, fields, condition }: Exposure,
  content: string | Buffer,
  what: Pick<Disclosure, 'recordIDs' | 'address'> &
    Partial<Pick<Disclosure, 'fields' | 'digests' | 'takenBack'>>,
): Disclosure {
  const state = createHash('sha256').update(content).digest('base64url');
  const by = condition ? { condition } : {};
  return { nodeID, moduleID, listName, fields: fields.map(({ name }) => name), ...by, state, ...what };
}
