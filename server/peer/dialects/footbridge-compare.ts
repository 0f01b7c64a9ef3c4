import { z } from 'zod';
import { ProtocolViolationError } from '../guard/errors.ts';
import { readAnswer } from '../transport/answer.ts';
import type { Exchange } from '../transport/exchange.ts';
import { readPage, remoteID } from './records.ts';
import type { PageRows, RecordsPiece } from '../remote.ts';

export interface RemoteBlock {
  readonly count: number;
  readonly digest: string;
}

/** Columns to compare, in so many blocks. */
export interface Comparing {
  readonly fields: readonly string[];
  readonly blocks: number;
}

/** Compares rows of two Footbridges (contract/footbridge.ts). Calls throw PartnerError. */
export interface CompareCalls {
  /** Returns blocks' counts and digests, in order. Throws ProtocolViolationError for another number. */
  digest(moduleID: string, wanted: Comparing, signal?: AbortSignal): Promise<RemoteBlock[]>;
  /**
   * Returns a block's digests by recordID. Throws ProtocolViolationError for over `maxRows` or repeated rows.
   */
  digestBlock(
    moduleID: string,
    wanted: Comparing & { readonly block: number },
    maxRows?: number,
    signal?: AbortSignal,
  ): Promise<ReadonlyMap<string, string>>;
  /** Yields pages of these rows' present state. Throws ProtocolViolationError for unrequested rows. */
  rows(moduleID: string, recordIDs: readonly string[], signal?: AbortSignal): AsyncGenerator<RecordsPiece>;
}

const digestText = z.string().regex(/^[0-9a-f]{32}$/);
const blocksAnswer = z.object({
  // Bounded: each bad one would be reported.
  blocks: z.array(z.object({ count: z.number().int().nonnegative(), digest: digestText })).max(4096),
});
/** Older versions: all. */
const rowsAnswer = z.object({ taken: z.number().int().positive().optional() });
const COMPARISON = 'answer to a comparison';
const rowDigests = z.array(z.object({ recordID: remoteID, digest: digestText }));

/**
 * Creates the calls that compare lists with another Footbridge. They throw PartnerError, also for blocks or rows that
 * weren't asked for.
 */
export function createCompareCalls(exchange: Exchange): CompareCalls {
  const { limits } = exchange;
  const digestOf = (moduleID: string): string => `footbridge/modules/${moduleID}/digest`;

  return {
    /** Returns the digests of all blocks. Throws ProtocolViolationError for another number of blocks. */
    async digest(moduleID, wanted, signal) {
      const options = { body: wanted, signal, deadline: limits.pageTime };
      const { data } = await exchange.post(digestOf(moduleID), options);
      const { blocks } = readAnswer(blocksAnswer, data, COMPARISON);
      if (blocks.length !== wanted.blocks)
        throw new ProtocolViolationError('it compares other blocks than asked for.');
      return blocks;
    },

    /** Returns a block's digests by row id. Throws ProtocolViolationError above `maxRows` or for an id named twice. */
    digestBlock(moduleID, wanted, maxRows = Infinity, signal) {
      const options = { body: wanted, signal, deadline: limits.pageTime };
      return exchange.postRows(digestOf(moduleID), options, ({ rows }) => {
        if (rows.count > maxRows) throw new ProtocolViolationError('it names far more rows than it counted.');
        const digests = new Map<string, string>();
        for (const piece of rows.read())
          for (const { recordID, digest } of readAnswer(rowDigests, piece, COMPARISON))
            digests.set(recordID, digest);
        rows.release();
        if (digests.size !== rows.count)
          throw new ProtocolViolationError('it names a row twice in a comparison.');
        return digests;
      });
    },

    /**
     * Yields pieces of the rows with these ids, in as many answers as the partner needs. Throws ProtocolViolationError
     * for others.
     */
    async *rows(moduleID, recordIDs, signal) {
      for (let left = recordIDs; left.length > 0;) {
        const options = { body: { recordIDs: left, parts: true }, signal, deadline: limits.pageTime };
        const asked = left;
        const { taken, rows } = await exchange.postRows(
          `footbridge/modules/${moduleID}/rows`,
          options,
          async ({ data, rows }) => {
            const { taken = asked.length } = readAnswer(rowsAnswer, data, COMPARISON);
            if (taken > asked.length)
              throw new ProtocolViolationError('it answers for more rows than asked for.');
            const dealt = new Set(asked.slice(0, taken));
            return { taken, rows: refuseUnaskedRows(await readPage(rows, undefined, limits), dealt) };
          },
        );
        yield* rows;
        left = left.slice(taken);
      }
    },
  };
}

/** Returns the page; reading it throws ProtocolViolationError at a row that isn't in `asked`. */
function refuseUnaskedRows(rows: PageRows, asked: ReadonlySet<string>): PageRows {
  return {
    release: () => rows.release(),
    /** Yields the page's pieces. Throws ProtocolViolationError at one with a row that isn't in `asked`. */
    async *[Symbol.asyncIterator]() {
      for await (const piece of rows) {
        if ([...piece.records, ...piece.bad].some(({ recordID }) => !asked.has(recordID)))
          throw new ProtocolViolationError('it sends other rows than asked for.');
        yield piece;
      }
    },
  };
}
