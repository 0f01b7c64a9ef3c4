import { z } from 'zod';
import { PartnerFaulty } from './errors.ts';
import type { Exchange } from './exchange.ts';
import { readRecords, remoteID } from './records.ts';
import type { BadRecord, RemoteRecord } from './remote.ts';

/** Count and digest of a block of rows, as the partner gives them. */
export interface RemoteBlock {
  readonly count: number;
  readonly digest: string;
}

/** Which rows are compared: these columns, in so many blocks. */
export interface Comparing {
  readonly fields: readonly string[];
  readonly blocks: number;
}

/** How two Footbridges find out whether they hold the same rows (contract/footbridge.ts, digest and rows). */
export interface CompareCalls {
  /** One entry a block, in order. @throws PartnerError */
  digest(moduleID: string, wanted: Comparing, signal?: AbortSignal): Promise<RemoteBlock[]>;
  /** Digests of the rows of one block, by recordID. @throws PartnerError */
  digestBlock(
    moduleID: string,
    wanted: Comparing & { readonly block: number },
    signal?: AbortSignal,
  ): Promise<ReadonlyMap<string, string>>;
  /** Up to 500 rows by id as they are now; those that the partner does not show are left out. @throws PartnerError */
  rows(
    moduleID: string,
    recordIDs: readonly string[],
    signal?: AbortSignal,
  ): Promise<{ readonly records: readonly RemoteRecord[]; readonly bad: readonly BadRecord[] }>;
}

const digestText = z.string().regex(/^[0-9a-f]{32}$/);
const blocksAnswer = z.object({
  blocks: z.array(z.object({ count: z.number().int().nonnegative(), digest: digestText })),
});
const blockAnswer = z.object({ set: z.array(z.object({ recordID: remoteID, digest: digestText })) });
const rowsAnswer = z.object({ set: z.array(z.unknown()) });

export function createCompareCalls(exchange: Exchange): CompareCalls {
  const { limits } = exchange;

  async function ask<T extends z.ZodType>(
    schema: T,
    path: string,
    body: object,
    signal: AbortSignal | undefined,
  ): Promise<z.infer<T>> {
    const { data } = await exchange.post(path, { body, signal, deadline: limits.pageTime });
    const parsed = schema.safeParse(data);
    if (!parsed.success) throw new PartnerFaulty('its answer to a comparison is not what it should be.');
    return parsed.data;
  }

  return {
    async digest(moduleID, wanted, signal) {
      const { blocks } = await ask(blocksAnswer, `footbridge/modules/${moduleID}/digest`, wanted, signal);
      if (blocks.length !== wanted.blocks)
        throw new PartnerFaulty('it compares other blocks than asked for.');
      return blocks;
    },

    async digestBlock(moduleID, wanted, signal) {
      const { set } = await ask(blockAnswer, `footbridge/modules/${moduleID}/digest`, wanted, signal);
      const digests = new Map(set.map(({ recordID, digest }) => [recordID, digest]));
      if (digests.size !== set.length) throw new PartnerFaulty('it names a row twice in a comparison.');
      return digests;
    },

    async rows(moduleID, recordIDs, signal) {
      const { set } = await ask(rowsAnswer, `footbridge/modules/${moduleID}/rows`, { recordIDs }, signal);
      const { records, bad } = readRecords(set, undefined, limits);
      const asked = new Set(recordIDs);
      if ([...records, ...bad].some(({ recordID }) => !asked.has(recordID)))
        throw new PartnerFaulty('it sends other rows than asked for.');
      return { records, bad };
    },
  };
}
