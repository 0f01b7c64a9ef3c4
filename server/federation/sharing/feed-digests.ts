import { createHash } from 'node:crypto';
import { Refusal } from '../../base/refusal.ts';
import { createYielder } from '../../base/yield.ts';
import type { Node } from '../model.ts';
import { blockOf, createBlockSums, rowDigest, type BlockDigest, type RowDigest } from './digest.ts';
import type { ExposedList } from './exposed-list.ts';
import { groupByColumn } from './outgoing.ts';
import { disclosureOf, type ServeWithLedger } from './serve-with-ledger.ts';
import { isSharedWith } from './visibility.ts';

/** Answers digest requests. Throws `not-found`, `gone`, `forbidden`, `malformed`. */
export interface FeedDigests {
  /** Returns each block's count and digest of visible rows, once logged. */
  blocks(node: Node, moduleID: string, request: DigestRequest): Promise<BlockDigest[]>;
  /** Returns one block's rows, by id. */
  rows(
    node: Node,
    moduleID: string,
    request: DigestRequest & { readonly block: number },
  ): Promise<{ recordID: string; digest: RowDigest }[]>;
}

export interface DigestRequest {
  readonly fields: readonly string[];
  readonly blocks: number;
  readonly address: string;
}

/** Few digests' sums reveal short values, so such blocks' rows are logged. */
const FEW_ROWS = 16;

/**
 * Creates the answers to requests for digests of a list's blocks, or of a block's rows, each once it is logged with the
 * ids of the requested block's rows, or of small blocks' rows.
 */
export function createFeedDigests(noted: ServeWithLedger): FeedDigests {
  return {
    blocks: (node, moduleID, { fields, blocks, address }) =>
      noted(node, moduleID, async (list) => {
        const sums = createBlockSums(blocks);
        const members = Array.from({ length: blocks }, (): string[] => []);
        await eachDigest(node, list, fields, (recordID, digest) => {
          sums.add(recordID, digest());
          members[blockOf(recordID, blocks)]?.push(recordID);
        });
        const recordIDs = members.filter((block) => block.length < FEW_ROWS).flat();
        const answer = sums.result();
        const what = { recordIDs, fields, address, digests: true } as const;
        return { answer, disclosure: disclosureOf(node, list.exposure, JSON.stringify(answer), what) };
      }),

    rows: (node, moduleID, { fields, blocks, block, address }) =>
      noted(node, moduleID, async (list) => {
        const set: { recordID: string; digest: RowDigest }[] = [];
        const content = createHash('sha256');
        await eachDigest(node, list, fields, (recordID, digest) => {
          if (blockOf(recordID, blocks) !== block) return;
          const row = { recordID, digest: digest() };
          set.push(row);
          content.update(`${recordID} ${row.digest},`);
        });
        const recordIDs = set.map(({ recordID }) => recordID);
        const what = { recordIDs, fields, address, digests: true } as const;
        return { answer: set, disclosure: disclosureOf(node, list.exposure, content.digest(), what) };
      }),
  };
}

/**
 * Calls `body` for each undeleted row the partner sees, with a function that digests its `fields`. Throws
 * `digest.column`, `digest.twice` (malformed).
 */
async function eachDigest(
  node: Node,
  { exposure, rows, outgoing }: ExposedList,
  fields: readonly string[],
  body: (recordID: string, digest: () => RowDigest) => void,
): Promise<void> {
  const unknown = fields.find((wanted) => !exposure.fields.some(({ name }) => name === wanted));
  if (unknown !== undefined)
    throw new Refusal('malformed', 'digest.column', `The column “${unknown}” is not shared.`);
  if (new Set(fields).size < fields.length)
    throw new Refusal('malformed', 'digest.twice', 'Name each column once.');
  const pause = createYielder();
  for await (const batch of rows.scan()) {
    const travelling = batch.filter((row) => isSharedWith(row, exposure, node));
    for (const { recordID, values } of await outgoing.rows(travelling)) {
      body(recordID, () => rowDigest(recordID, groupByColumn(values), fields));
      await pause();
    }
  }
}
