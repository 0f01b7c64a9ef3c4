import type { Node } from '../model.ts';
import type { ExposedList, ReadExposed } from './exposed-list.ts';
import type { Disclosure } from './ledger.ts';

/**
 * Answers about a list that the partner may read, once the disclosure is logged.
 * @throws Refusal
 */
export type ServeWithLedger = <A>(
  node: Node,
  moduleID: string,
  body: (list: ExposedList) => Promise<{ answer: A; disclosure: Disclosure }>,
) => Promise<A>;

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

/** Describes an answer with these rows for the sharing log; default: of all shared columns. */
export async function disclosureOf(
  { nodeID }: Node,
  { exposure, rows, outgoing }: ExposedList,
  what: Pick<Disclosure, 'recordIDs' | 'address'> &
    Partial<Pick<Disclosure, 'fields' | 'digests' | 'takenBack'>>,
): Promise<Disclosure> {
  const { moduleID, name: listName, fields, condition } = exposure;
  const state = `${await rows.lastSeq()} ${await outgoing.version()}`;
  const by = condition ? { condition } : {};
  return { nodeID, moduleID, listName, fields: fields.map(({ name }) => name), ...by, state, ...what };
}
