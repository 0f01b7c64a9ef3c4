import { z } from 'zod';
import {
  installationProof,
  routesAnswer,
  MAX_MARKS,
  type Goodbye,
  type routesRequest,
  type standingRequest,
} from '../../contract/wire/footbridge.ts';
import { ProtocolViolationError } from '../guard/errors.ts';
import { readAnswer } from '../transport/answer.ts';
import type { Exchange } from '../transport/exchange.ts';
import { createCompareCalls, type CompareCalls } from './footbridge-compare.ts';
import { readGroup, readPage } from './records.ts';
import type { ChangesPage, ChangesRange, Poke } from '../remote.ts';

/** Footbridges only, below `footbridge/`. Calls throw PartnerError. */
export interface FootbridgeCalls extends CompareCalls {
  /** Returns a page of a change feed. Throws ProtocolViolationError for one that doesn't advance. */
  changes(moduleID: string, range: ChangesRange, signal?: AbortSignal): Promise<ChangesPage>;
  /**
   * Long-polls: returns news since `since`, or none after `timeout` seconds. With `hold` it waits that many
   * seconds, and throws without a sign of life (`onBeat`) every `timeout`.
   */
  waitForChanges(question: WaitQuestion, signal?: AbortSignal, onBeat?: () => void): Promise<Poke>;
  /** Reports our progress with the partner's shares. */
  reportProgress(report: SyncReport, signal?: AbortSignal): Promise<void>;
  /** Asks for a pairing's result, by `proof` instead of a token, as the partner can't call us. */
  collectPairing(nodeID: string, proof: string, signal?: AbortSignal): Promise<Collected>;
  /** Requests a new token; the present one stays valid until the new one is used. */
  renewToken(signal?: AbortSignal): Promise<string>;
  announceRoutes(announcement: z.infer<typeof routesRequest>): Promise<z.infer<typeof routesAnswer>>;
  /** Tells the partner that the pair ends, with the reason or request. */
  sendGoodbye(farewell: Goodbye): Promise<void>;
}

export interface WaitQuestion {
  readonly since: string | undefined;
  readonly timeout: number;
  /** Most seconds until an answer; default: `timeout`. */
  readonly hold: number | undefined;
  readonly run: string;
}

export type SyncReport = z.infer<typeof standingRequest>;

const changesAnswer = z.object({
  epoch: z.string().min(1).max(200),
  state: z.string().max(200).optional(),
  next: z.number().int().nonnegative(),
  more: z.boolean(),
  marks: z.array(z.number().int().nonnegative()).max(MAX_MARKS).optional(),
  unsettled: z.literal(true).optional(),
  total: z.number().int().nonnegative().optional(),
  grouped: z.literal(true).optional(),
  set: z.array(z.unknown()).max(0),
});

/** For a long poll's answer beyond its hold. */
const WAIT_MARGIN_MS = 10_000;

const waitAnswer = z.object({
  cursor: z.string().max(1024),
  structure: z.boolean(),
  modules: z.array(z.string().max(20)).max(10_000),
  twice: z.literal(true).optional(),
});

export type Collected = z.infer<typeof pairingAnswer>;

const pairingAnswer = z.discriminatedUnion('state', [
  z.object({ state: z.literal('waiting') }),
  z.object({
    state: z.literal('ready'),
    token: z.string().min(16).max(16_384),
    proof: installationProof.optional(),
  }),
  z.object({ state: z.literal('ended') }),
]);

const tokenAnswer = z.object({ token: z.string().min(16).max(16_384) });

/**
 * Creates the calls that only another Footbridge answers. They throw PartnerError, also for an answer that breaks the
 * protocol or its limits.
 */
export function createFootbridgeCalls(exchange: Exchange): FootbridgeCalls {
  const { limits } = exchange;
  const comparing = createCompareCalls(exchange);
  return {
    digest: (moduleID, wanted, signal) => comparing.digest(moduleID, wanted, signal),
    digestBlock: (moduleID, wanted, most, signal) => comparing.digestBlock(moduleID, wanted, most, signal),
    rows: (moduleID, recordIDs, signal) => comparing.rows(moduleID, recordIDs, signal),

    /**
     * Requests a page of the change feed, grouped if the partner can. Throws ProtocolViolationError if it doesn't move
     * on.
     */
    changes(moduleID, { isAhead, ...range }, signal) {
      const { after } = range;
      const options = { query: { ...range, groups: 1 }, deadline: limits.pageTime, isAhead, signal };
      return exchange.getRows(
        `footbridge/modules/${moduleID}/changes`,
        options,
        async ({ data, rows, wire }): Promise<ChangesPage> => {
          const answer = readAnswer(changesAnswer, data, 'change feed');
          const { next, more, epoch, state, marks = [], unsettled, total, grouped } = answer;
          // Cursors are opaque: LoopGuard catches cycles.
          if (more && next === after) throw new ProtocolViolationError('its change feed does not move on.');
          return {
            rows: await (grouped ? readGroup(rows, limits) : readPage(rows, undefined, limits)),
            epoch,
            next,
            more,
            marks,
            bytes: wire.body.byteLength,
            ...(grouped ? { grouped } : {}),
            ...(state === undefined ? {} : { state }),
            ...(unsettled ? { unsettled } : {}),
            ...(total === undefined ? {} : { total }),
          };
        },
      );
    },

    /**
     * Long-polls: returns news since `since` once there is some, else none after `timeout` seconds. With `hold` waits
     * that long, with a heartbeat (`onBeat`) at each `timeout`; throws if one is missing.
     */
    async waitForChanges({ since, timeout, hold, run }, signal, onBeat = () => undefined) {
      // Tiny, the answer comes within this time or never.
      const spare = Math.min(limits.requestTime, WAIT_MARGIN_MS);
      const { data } = await exchange.get('footbridge/wait', {
        query: { since, timeout, hold, run },
        deadline: (hold ?? timeout) * 1000 + spare,
        wait: { quiet: timeout * 1000 + spare, onBeat },
        signal,
      });
      return readAnswer(waitAnswer, data, 'notice of changes');
    },

    /** Tells the partner how far we are with its lists. */
    async reportProgress(report, signal) {
      await exchange.post('footbridge/standing', { body: report, signal });
    },

    /** Asks for the answer to our pairing request, by `proof` instead of a token, as the partner can't call us. */
    async collectPairing(nodeID, proof, signal) {
      const { data } = await exchange.post('footbridge/pairing', {
        body: { nodeID, proof },
        token: null,
        signal,
      });
      return readAnswer(pairingAnswer, data, 'answer to a pairing');
    },

    /** Returns a new token for our calls. */
    async renewToken(signal) {
      const { data } = await exchange.post('footbridge/token', { body: {}, signal });
      return readAnswer(tokenAnswer, data, 'new token').token;
    },

    /** Tells the partner our signed routes; returns its answer. */
    async announceRoutes(announcement) {
      const { data } = await exchange.post('footbridge/routes', { body: announcement });
      return readAnswer(routesAnswer, data, 'answer to an address update');
    },

    /** Tells the partner that we end the connection. */
    async sendGoodbye(farewell) {
      await exchange.post('footbridge/goodbye', { body: farewell });
    },
  };
}
