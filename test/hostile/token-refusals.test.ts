import { describe, expect, it } from 'vitest';
import * as lies from '../support/partners/lying-partner.ts';
import { madeUpOrigin, type MadeUpOrigin } from '../support/partners/made-up-origin.ts';
import { manualClock, type ManualClock } from '../support/harness/manual-clock.ts';
import { fill, idOf, matched, shownBy, type Matched } from '../support/partners/matched.ts';
import { told } from '../support/reading/told.ts';

const REFUSES = lies.says(401, '{"error":{"message":"unauthorized","meta":{"type":"unauthorized"}}}');
const PROXY = lies.says(401, '<html><h1>401 Authorization Required</h1></html>', {
  'content-type': 'text/html',
});
const ENDED = lies.says(401, '{"error":{"code":"auth.ended","message":"The other office ended it."}}');

interface Setting extends Matched {
  readonly origin: MadeUpOrigin;
  readonly clock: ManualClock;
  /** What the partner answers with from now on; honestly again without one. */
  readonly answerWith: (lie: typeof REFUSES | undefined) => void;
  /** So far is its clock ahead of ours. */
  readonly clockAhead: (milliseconds: number) => void;
  readonly status: () => Promise<string>;
  /** Tries until then, each pull after `minutes` more. */
  readonly tryAfter: (...minutes: readonly number[]) => Promise<void>;
}

/** 1,100 rows, of which the partner says what a test wants from a chosen answer on. */
async function setting(): Promise<Setting> {
  const clock = manualClock();
  const origin = madeUpOrigin();
  origin.now = () => clock.now();
  fill(origin, 0, 1100);
  let lie: typeof REFUSES | undefined;
  let ahead = 0;
  const set = await matched(
    origin,
    { dialect: 'live' },
    {
      clock,
      lies: (app) =>
        app.use((request, response, next) => {
          response.setHeader('date', new Date(clock.now() + ahead).toUTCString());
          if (lie) void lie(request, response, next);
          else next();
        }),
    },
  );
  const { office, nodeID } = set;
  return {
    ...set,
    origin,
    clock,
    answerWith: (next) => void (lie = next),
    clockAhead: (milliseconds) => void (ahead = milliseconds),
    status: async () => (await office.federation.nodes.get(nodeID)).status,
    async tryAfter(...minutes) {
      for (const pause of minutes) {
        clock.advance(pause * 60_000);
        await office.sync.whenIdle(nodeID);
        await office.sync.syncNow(nodeID).catch(() => undefined);
      }
    },
  };
}

describe('a partner that does not accept our token', () => {
  it('once, in the middle of a pull: nothing ends, and nothing is missing', async () => {
    const { office, nodeID, moduleID, origin, answerWith, status } = await setting();
    let rows = 0;
    answerWith((request, response, next) => {
      if (request.path.includes('/records/') && ++rows === 2) void REFUSES(request, response, next);
      else next();
    });
    await expect(office.sync.syncNow(nodeID)).rejects.toThrow('doesn’t accept us at the moment');
    expect(await status()).toBe('paired');
    expect(told(await office.sync.status(nodeID)).reason).toContain('Footbridge will try again');
    await office.sync.syncNow(nodeID);
    expect(await office.received(moduleID)).toEqual(shownBy(origin));
    expect(await office.sync.status(nodeID)).toMatchObject({ state: 'up-to-date' });
  });

  it('ends the connection after several times over minutes, neither by many at once nor by few over long', async () => {
    const { answerWith, tryAfter, status } = await setting();
    answerWith(REFUSES);
    await tryAfter(0, 0, 0, 0, 0, 0, 0, 0);
    expect(await status()).toBe('paired');
    await tryAfter(4.9);
    expect(await status()).toBe('paired');
    await tryAfter(0.2);
    expect(await status()).toBe('unpaired');
  });

  it('now and then, and accepts it in between: never ends', async () => {
    const { answerWith, tryAfter, status } = await setting();
    for (let round = 0; round < 6; round++) {
      answerWith(REFUSES);
      await tryAfter(0, 2);
      answerWith(undefined);
      await tryAfter(1);
    }
    expect(await status()).toBe('paired');
  });

  it('is tried again with the token it refused, which was kept: everything arrives', async () => {
    const { office, nodeID, moduleID, origin, answerWith, tryAfter, status } = await setting();
    answerWith(REFUSES);
    await tryAfter(0, 2, 2, 2);
    expect(await status()).toBe('unpaired');
    expect(told(await office.sync.status(nodeID))).toMatchObject({ state: 'needs-you' });
    await expect(office.sync.syncNow(nodeID)).rejects.toThrow();
    expect(await status()).toBe('unpaired');
    answerWith(undefined);
    origin.put(idOf(7), { Name: ['changed meanwhile'], City: ['Tromsø'] });
    await office.sync.syncNow(nodeID);
    expect(await status()).toBe('paired');
    expect(await office.received(moduleID)).toEqual(shownBy(origin));
  });

  it.each([
    [365 * 86_400_000, '365 days'],
    [-3 * 3_600_000, '3 hours'],
    [45 * 60_000, '45 minutes'],
  ])(
    'as its clock is %i ms ahead: that is named, ends nothing, and goes when it is right',
    async (ahead, apart) => {
      const { office, nodeID, moduleID, origin, answerWith, clockAhead, tryAfter, status } = await setting();
      answerWith(REFUSES);
      clockAhead(ahead);
      await tryAfter(0, 2, 2, 2, 60);
      expect(await status()).toBe('paired');
      expect(told(await office.sync.status(nodeID))).toMatchObject({
        state: 'error',
        reason: expect.stringContaining(`clock and this computer’s are ${apart} apart`) as string,
      });
      answerWith(undefined);
      clockAhead(0);
      await tryAfter(1);
      expect(await office.received(moduleID)).toEqual(shownBy(origin));
      expect(await office.sync.status(nodeID)).toMatchObject({ state: 'up-to-date' });
    },
  );

  it('and is a proxy that says so: the partner cannot be reached, however long that lasts', async () => {
    const { office, nodeID, answerWith, tryAfter, status } = await setting();
    answerWith(PROXY);
    await tryAfter(0, 2, 2, 2, 60);
    expect(await status()).toBe('paired');
    expect(told(await office.sync.status(nodeID))).toMatchObject({
      state: 'offline',
      reason: expect.stringContaining('Something else answers in the partner’s place') as string,
    });
  });

  it('by its own word that the connection is over: ends at once', async () => {
    const { office, nodeID, answerWith, status } = await setting();
    answerWith(ENDED);
    await expect(office.sync.syncNow(nodeID)).rejects.toThrow();
    expect(await status()).toBe('unpaired');
    answerWith(undefined);
    await expect(office.sync.syncNow(nodeID)).rejects.toThrow('not connected');
  });
});
