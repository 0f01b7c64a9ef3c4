import { z } from 'zod';
import {
  installationProof,
  routesAnswer,
  MOST_MARKS,
  type Goodbye,
  type routesRequest,
  type standingRequest,
} from '../../contract/wire/footbridge.ts';
import { PartnerFaulty } from '../guard/errors.ts';
import type { Exchange } from '../transport/exchange.ts';
import { createCompareCalls, type CompareCalls } from './footbridge-compare.ts';
import { readGroup, readPage } from './records.ts';
import type { ChangesPage, ChangesRange, Poke } from '../remote.ts';

/** What only Footbridges say to each other, below `footbridge/`. */
export interface FootbridgeCalls extends CompareCalls {
  /** A page of the change feed. @throws PartnerError */
  changes(moduleID: string, range: ChangesRange, signal?: AbortSignal): Promise<ChangesPage>;
  /**
   * Answers when something newer than `since` is there, or after `timeout` seconds. With `hold` (seconds) a Footbridge that
   * knows it gives a sign of life (`onBeat`) each `timeout` instead, and answers after `hold`. @throws PartnerError
   */
  wait(question: WaitQuestion, signal?: AbortSignal, onBeat?: () => void): Promise<Poke>;
  /** Tells the partner how far we have come with what it shares. @throws PartnerError */
  standing(report: StandingReport, signal?: AbortSignal): Promise<void>;
  /** Asks what became of a handshake, where the partner cannot call us. @throws PartnerError */
  collect(nodeID: string, proof: string, signal?: AbortSignal): Promise<Collected>;
  /** A new token in place of the one we hold, which stays valid until the new one is used. @throws PartnerError */
  renewToken(signal?: AbortSignal): Promise<string>;
  /** Announces on which routes we can be reached. @throws PartnerError */
  announce(announcement: z.infer<typeof routesRequest>): Promise<z.infer<typeof routesAnswer>>;
  /** Tells the partner that the pair ends, and why or with what request. @throws PartnerError */
  goodbye(farewell: Goodbye): Promise<void>;
}

export interface WaitQuestion {
  /** The cursor of the answer before. */
  readonly since: string | undefined;
  /** Seconds until an answer or a sign of life. */
  readonly timeout: number;
  /** Seconds until an answer, whatever happens; `timeout` where undefined. */
  readonly hold: number | undefined;
  /** The random name of our present run. */
  readonly run: string;
}

/** What of the partner's lists is taken in here. */
export type StandingReport = z.infer<typeof standingRequest>;

const changesAnswer = z.object({
  epoch: z.string().min(1).max(200),
  state: z.string().max(200).optional(),
  next: z.number().int().nonnegative(),
  more: z.boolean(),
  marks: z.array(z.number().int().nonnegative()).max(MOST_MARKS).optional(),
  unsettled: z.literal(true).optional(),
  total: z.number().int().nonnegative().optional(),
  grouped: z.literal(true).optional(),
  /** Comes apart. */
  set: z.array(z.unknown()).max(0),
});

/** Milliseconds for the answer of a long poll beyond the time for which it may be held back. */
const WAIT_ANSWERED_IN = 10_000;

const waitAnswer = z.object({
  cursor: z.string().max(1024),
  structure: z.boolean(),
  modules: z.array(z.string().max(20)).max(10_000),
  twice: z.literal(true).optional(),
});

/** What became of a handshake. */
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

export function createFootbridgeCalls(exchange: Exchange): FootbridgeCalls {
  const { limits } = exchange;
  const comparing = createCompareCalls(exchange);
  return {
    digest: (moduleID, wanted, signal) => comparing.digest(moduleID, wanted, signal),
    digestBlock: (moduleID, wanted, most, signal) => comparing.digestBlock(moduleID, wanted, most, signal),
    rows: (moduleID, recordIDs, signal) => comparing.rows(moduleID, recordIDs, signal),

    changes(moduleID, { isAhead, ...range }, signal) {
      const { after } = range;
      const options = { query: { ...range, groups: 1 }, deadline: limits.pageTime, isAhead, signal };
      return exchange.getRows(
        `footbridge/modules/${moduleID}/changes`,
        options,
        async ({ data, rows, wire }): Promise<ChangesPage> => {
          const answer = read(changesAnswer, data, 'change feed');
          const { next, more, epoch, state, marks = [], unsettled, total, grouped } = answer;
          // Which of two places is the later one is not for us to know; one that comes again is noticed by who reads on.
          if (more && next === after) throw new PartnerFaulty('its change feed does not move on.');
          return {
            rows: await (grouped ? readGroup(rows, limits) : readPage(rows, undefined, limits)),
            epoch,
            next,
            more,
            marks,
            bytes: wire.body.byteLength,
            ...(state === undefined ? {} : { state }),
            ...(unsettled ? { unsettled } : {}),
            ...(total === undefined ? {} : { total }),
          };
        },
      );
    },

    async wait({ since, timeout, hold, run }, signal, onBeat = () => undefined) {
      // There is next to nothing in the answer: one that comes later than this does not come at all.
      const spare = Math.min(limits.requestTime, WAIT_ANSWERED_IN);
      const { data } = await exchange.get('footbridge/wait', {
        query: { since, timeout, hold, run },
        deadline: (hold ?? timeout) * 1000 + spare,
        wait: { quiet: timeout * 1000 + spare, onBeat },
        signal,
      });
      return read(waitAnswer, data, 'notice of changes');
    },

    async standing(report, signal) {
      await exchange.post('footbridge/standing', { body: report, signal });
    },

    async collect(nodeID, proof, signal) {
      const { data } = await exchange.post('footbridge/pairing', {
        body: { nodeID, proof },
        token: null,
        signal,
      });
      return read(pairingAnswer, data, 'answer to a pairing');
    },

    async renewToken(signal) {
      const { data } = await exchange.post('footbridge/token', { body: {}, signal });
      return read(tokenAnswer, data, 'new token').token;
    },

    async announce(announcement) {
      const { data } = await exchange.post('footbridge/routes', { body: announcement });
      return read(routesAnswer, data, 'answer to an address update');
    },

    async goodbye(farewell) {
      await exchange.post('footbridge/goodbye', { body: farewell });
    },
  };
}

function read<T extends z.ZodType>(schema: T, data: unknown, what: string): z.infer<T> {
  const parsed = schema.safeParse(data);
  if (!parsed.success) throw new PartnerFaulty(`its ${what} is not what it should be.`);
  return parsed.data;
}
