import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { RejectedAccessLog, strangerItems } from '../../../server/app/rejected-access.ts';
import type { DiskStore } from '../../../server/store/engine/open-store.ts';
import type { Partition } from '../../../server/store/store.ts';
import { openOwnStore, type OwnStore } from '../../support/harness/parts.ts';
import { english } from '../../../server/words/said.ts';

let own: OwnStore;
let store: DiskStore;
let system: Partition;
let strangers: RejectedAccessLog;
let now: number;
let due: (() => void)[];
let warned: object[];
let seen: number;

const clock = {
  now: () => now,
  monotonic: () => now,
  after: (ms: number, fn: () => void) => {
    const at = now + ms;
    const run = (): void => {
      if (now >= at) fn();
    };
    due.push(run);
    return () => void (due = due.filter((each) => each !== run));
  },
};

beforeEach(async () => {
  now = Date.UTC(2026, 0, 1);
  due = [];
  warned = [];
  seen = 0;
  own = await openOwnStore();
  ({ store } = own);
  system = await store.partition('system');
  strangers = new RejectedAccessLog({
    system,
    clock,
    log: { warn: (details: object) => void warned.push(details), error: () => undefined } as never,
    onSeen: () => seen++,
  });
});
afterEach(async () => {
  await own.close();
});

/** Lets what is due happen. */
async function pass(ms: number): Promise<void> {
  now += ms;
  for (const run of [...due]) run();
  await strangers.flush();
}

describe('strangers', () => {
  it('are seen: in the log at once, in the inbox with what they tried and how often', async () => {
    strangers.record('old-invite', '192.168.1.9');
    strangers.record('old-invite', '192.168.1.9');
    expect(warned).toEqual([{ what: 'old-invite', address: '192.168.1.9' }]);
    await pass(0);
    expect(seen).toBe(1);
    const [item] = strangerItems(await strangers.list());
    expect(item).toMatchObject({ kind: 'stranger', at: '2026-01-01T00:00:00.000Z' });
    expect(english(item?.message ?? '')).toMatch(/192\.168\.1\.9 tried an invite that was used.* 2 times/);
  });

  it('are not in the inbox for a mistyped invite, but for guessing', async () => {
    for (let times = 0; times < 3; times++) strangers.record('wrong-invite', '192.168.1.9');
    await pass(60_000);
    expect(strangerItems(await strangers.list())).toEqual([]);
    strangers.record('wrong-invite', '192.168.1.9');
    await pass(60_000);
    const [item] = strangerItems(await strangers.list());
    expect(english(item?.message ?? '')).toMatch(/192\.168\.1\.9 .* 4 times/);
  });

  it('are counted together over days, and a new day is a new notice', async () => {
    strangers.record('wrong-token', '203.0.113.5');
    await pass(60_000);
    const [first] = strangerItems(await strangers.list());
    now += 86_400_000;
    strangers.record('wrong-token', '203.0.113.5');
    await pass(60_000);
    const list = await strangers.list();
    expect(list).toMatchObject([{ times: 2, firstAt: '2026-01-01T00:00:00.000Z' }]);
    expect(strangerItems(list)[0]?.itemID).not.toBe(first?.itemID);
  });

  it('do not fill disk, log or inbox, however many they are and however often they try', async () => {
    const before = await system.lastSeq();
    for (let at = 0; at < 20_000; at++) strangers.record('wrong-token', `10.${at % 250}.${at % 7}.5`);
    for (const run of [...due]) run();
    await strangers.flush();
    expect(await system.lastSeq()).toBeLessThan(before + 150);
    expect((await strangers.list()).length).toBeLessThanOrEqual(101);
    expect(warned.length).toBeLessThanOrEqual(101);
    expect((await strangers.list()).reduce((sum, { times }) => sum + times, 0)).toBe(20_000);
    expect(
      strangerItems(await strangers.list()).some(({ message }) =>
        english(message).includes('many addresses'),
      ),
    ).toBe(true);
  });

  it('of one network are counted together, over its addresses and over the times that they are written down', async () => {
    for (let round = 0; round < 4; round++) {
      for (let at = 1; at <= 110; at++) {
        strangers.record('wrong-token', `203.0.113.${at}`);
        strangers.record('wrong-token', `2001:db8:7:${at.toString(16)}::1`);
      }
      await pass(11_000);
    }
    expect(warned).toHaveLength(8);
    const list = await strangers.list();
    expect(list.map(({ address, times }) => [address, times]).sort()).toEqual([
      ['2001:db8:7::/48', 440],
      ['203.0.113.0/24', 440],
    ]);
    const told = strangerItems(list).map(({ message }) => english(message));
    expect(told.join('\n')).toContain('203.0.113.0/24');
  });

  it('write every ten seconds at most', async () => {
    strangers.record('plain', '10.0.0.1');
    for (const run of [...due]) run();
    await strangers.flush();
    const wrote = await system.lastSeq();
    strangers.record('plain', '10.0.0.1');
    now += 9_000;
    for (const run of [...due]) run();
    expect(await system.lastSeq()).toBe(wrote);
    await pass(2_000);
    expect(await system.lastSeq()).toBeGreaterThan(wrote);
  });
});
