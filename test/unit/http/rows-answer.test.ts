import { IS_NIGHTLY } from '../../support/data/luck.ts';
import { once } from 'node:events';
import { Router, type Response } from 'express';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { Refusal } from '../../../server/base/refusal.ts';
import { federationApp } from '../../../server/http/interface/federation-app.ts';
import { NO_PROXIES } from '../../../server/http/listeners/trusted-proxies.ts';
import { sendRows } from '../../../server/http/interface/federation/rows-answer.ts';
import { serveOnce } from '../../support/harness/http.ts';
import { noise } from '../../support/data/office-lists.ts';
import { note } from '../../support/data/office-words.ts';
import { ENCODINGS, readAnswer, slowly } from '../../support/reading/reader.ts';
import { seeded } from '../../support/data/seeded.ts';

const KB = 1024;
const MB = 1024 * KB;

const made = new Map<number, Buffer>();

/** Rows of an answer, joined by commas, of about so many bytes; half of the values do not compress. */
function rowsOf(bytes: number): Buffer {
  const rows = made.get(bytes) ?? makeRows(bytes);
  made.set(bytes, rows);
  return rows;
}

function makeRows(bytes: number): Buffer {
  const random = seeded(bytes);
  const rows: string[] = [];
  const texts = Array.from({ length: 50 }, () => note(random, 300));
  for (let size = 0, at = 0; size < bytes; at++) {
    const value = at % 2 === 0 ? noise(random, 60 + random.below(800)) : random.pick(texts);
    const row = JSON.stringify({ recordID: String(5_000_000 + at), values: [{ name: 'Text', value }] });
    rows.push(row);
    size += row.length + 1;
  }
  return Buffer.from(rows.join(','));
}

const errors: unknown[] = [];
afterEach(() => expect(errors.splice(0)).toEqual([]));

/** The partners' app as it ships, which answers these rows. */
async function serving(
  rows: Buffer,
  rest?: () => AsyncGenerator<Buffer>,
): Promise<{ port: number; answers: { res: Response; done: Promise<boolean> }[] }> {
  const answers: { res: Response; done: Promise<boolean> }[] = [];
  const routes = Router().get('/rows', async (_req, res) => {
    const more = rest ? { rest: rest() } : {};
    const done = sendRows(res, { next: 17 }, { rows, ...more });
    answers.push({ res, done });
    await done;
  });
  const app = federationApp({
    isProxy: NO_PROXIES,
    bearer: (_req, _res, next) => next(),
    places: { markKnown: () => undefined },
    plain: (_req, _res, next) => next(),
    routes,
    health: () => 'ok',
    turnedAway: (error, _req, _res, next) => next(error),
    clock: Date,
    log: { error: (...details: unknown[]) => void errors.push(details) },
  });
  const { port, close } = await serveOnce(app);
  onTestFinished(close);
  return { port, answers };
}

const whole = (rows: Buffer): Buffer =>
  Buffer.concat([Buffer.from('{"response":{"next":17,"set":['), rows, Buffer.from(']}}')]);

describe('an answer with rows', () => {
  const sizes = { 1: KB, 20: 20 * KB, 60: 60 * KB, 700: 700 * KB, 5000: 5 * MB };
  for (const [name, bytes] of Object.entries(IS_NIGHTLY ? { ...sizes, 50_000: 50 * MB } : sizes)) {
    it.each(ENCODINGS)(
      `of ${name} kB arrives whole, encoded in %s`,
      { timeout: 120_000 },
      async (encoding) => {
        const rows = rowsOf(bytes);
        const { port } = await serving(rows);
        const answer = await readAnswer(port, '/rows', { encoding });
        expect(answer.status).toBe(200);
        expect(answer.encoding).toBe(bytes > 2 * KB ? encoding : 'identity');
        expect(answer.body.equals(whole(rows))).toBe(true);
      },
    );
  }

  it.each(ENCODINGS)(
    'arrives at a reader that is slow, encoded in %s',
    { timeout: 60_000 },
    async (encoding) => {
      const rows = rowsOf(2 * MB);
      const { port } = await serving(rows);
      const { body } = await readAnswer(port, '/rows', { encoding, every: slowly(32 * KB, 20) });
      expect(body.equals(whole(rows))).toBe(true);
    },
  );

  it.each(ENCODINGS)(
    'goes on where a reader stopped for a while, encoded in %s',
    { timeout: 60_000 },
    async (encoding) => {
      const rows = rowsOf(12 * MB);
      const { port, answers } = await serving(rows);
      let stops = 0;
      const every = {
        bytes: 4 * MB,
        then: async () => {
          stops++;
          // Until nothing goes into the line any more.
          for (let before = -1, now = 0; before !== now;) {
            before = now;
            await new Promise((resolve) => setTimeout(resolve, 300));
            now = answers[0]?.res.socket?.bytesWritten ?? 0;
          }
        },
      };
      const { body } = await readAnswer(port, '/rows', { encoding, every });
      expect(stops).toBeGreaterThan(0);
      expect(body.equals(whole(rows))).toBe(true);
    },
  );

  it.each(ENCODINGS)(
    'ends without a word when its reader goes away in the middle, encoded in %s',
    { timeout: 60_000 },
    async (encoding) => {
      const rows = rowsOf(12 * MB);
      const { port, answers } = await serving(rows);
      const every = { bytes: 100 * KB, then: (answer: { destroy: () => unknown }) => void answer.destroy() };
      await expect(readAnswer(port, '/rows', { encoding, every })).rejects.toThrow();
      const [{ res, done }] = answers as [(typeof answers)[0]];
      if (!res.closed) await once(res, 'close');
      await done;
      expect(res.writableFinished).toBe(false);
    },
  );

  describe('that is read as it goes', () => {
    const part = (): Buffer => rowsOf(5 * MB);

    it.each(ENCODINGS)(
      'arrives whole, encoded in %s, also where there is nothing in some parts of it',
      { timeout: 60_000 },
      async (encoding) => {
        const parts = [Buffer.alloc(0), part(), Buffer.alloc(0), rowsOf(20 * KB), part(), Buffer.alloc(0)];
        const { port } = await serving(Buffer.alloc(0), async function* () {
          for (const each of parts) yield await Promise.resolve(each);
        });
        const { body } = await readAnswer(port, '/rows', { encoding });
        const rows = parts.filter(({ length }) => length > 0).flatMap((each) => [Buffer.from(','), each]);
        expect(body.equals(whole(Buffer.concat(rows.slice(1))))).toBe(true);
        const { port: empty } = await serving(Buffer.alloc(0), async function* () {
          yield await Promise.resolve(Buffer.alloc(0));
        });
        const none = await readAnswer(empty, '/rows', { encoding });
        expect(JSON.parse(none.body.toString())).toEqual({ response: { next: 17, set: [] } });
      },
    );

    it('is read no faster than its reader takes it, and no further once that is gone', async () => {
      let read = 0;
      let ended = false;
      const { port, answers } = await serving(part(), async function* () {
        try {
          for (; read < 40; read++) yield await Promise.resolve(part());
        } finally {
          ended = true;
        }
      });
      const every = {
        bytes: 1 * MB,
        then: async (answer: { destroy: () => unknown }) => {
          for (let before = -1; before !== read;) {
            before = read;
            await new Promise((resolve) => setTimeout(resolve, 300));
          }
          answer.destroy();
        },
      };
      await expect(readAnswer(port, '/rows', { encoding: 'identity', every })).rejects.toThrow();
      await answers[0]?.done;
      expect(read).toBeLessThan(20);
      expect(ended).toBe(true);
    });

    it('is cut off where it cannot be read any more, so that nobody takes it for whole', async () => {
      const { port } = await serving(part(), async function* () {
        yield await Promise.resolve(part());
        throw new Refusal('conflict', 'feed.definition', 'The columns changed.');
      });
      await expect(readAnswer(port, '/rows', { encoding: 'gzip' })).rejects.toThrow();
    });
  });

  it('has nothing in its list where there are no rows', async () => {
    const { port } = await serving(Buffer.alloc(0));
    const { body } = await readAnswer(port, '/rows', { encoding: 'gzip' });
    expect(JSON.parse(body.toString())).toEqual({ response: { next: 17, set: [] } });
  });
});
