import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { createFeedEpochs } from '../../../server/federation/sharing/feed-epochs.ts';
import type { Exposure } from '../../../server/federation/model.ts';
import { EXPOSURES } from '../../../server/federation/tables.ts';
import { openLiveDefinitions } from '../../../server/federation/sharing/live-definitions.ts';
import { createPullerMarks, type PullerMarks } from '../../../server/federation/sharing/puller-marks.ts';
import { openStore } from '../../../server/store/engine/open-store.ts';
import { temporaryFolder } from '../../support/harness/temporary-folder.ts';
import { manualClock } from '../../support/harness/manual-clock.ts';
import { pairedNode } from '../../support/data/paired-node.ts';

const node = pairedNode({
  sharedNodeID: '41',
  name: 'Server B',
  baseURL: 'http://b.example/federation',
  footbridge: false,
  tokenSince: '2026-01-12T08:30:00Z',
});
const exposure: Exposure = {
  moduleID: '900',
  nodeID: '41',
  composeModuleID: '700',
  composeNamespaceID: '600',
  handle: 'customers',
  name: 'Customers',
  fields: [{ kind: 'String', name: 'Name', label: 'Name', isMulti: false }],
  fieldIDs: ['1'],
  shape: 1,
  createdAt: '2026-01-01T00:00:00Z',
  createdBy: '0',
};

const busy = { name: 'Refusal', kind: 'busy', retryAfter: 60 };

let marks: PullerMarks;
let reopen: () => Promise<void>;
/** The partner asks for another list of ours as well. */
let alsoServe: (mark: number, connection?: object) => Promise<unknown>;
let withdrawOther: () => Promise<void>;
beforeEach(async () => {
  const { path, remove } = await temporaryFolder();
  const clock = manualClock();
  let store = await openStore({ dataDir: path, clock });
  onTestFinished(async () => {
    await store.close();
    await remove();
  });
  const begin = async (): Promise<void> => {
    const system = await store.partition('system');
    await system.transaction((tx) => tx.put(EXPOSURES, exposure.moduleID, exposure));
    marks = createPullerMarks(
      system,
      createFeedEpochs(system),
      await openLiveDefinitions(system, () => Promise.resolve(system)),
    );
  };
  const other = { ...exposure, moduleID: '901', composeModuleID: '701', handle: 'suppliers' };
  withdrawOther = async () => {
    const system = await store.partition('system');
    const deletedAt = '2026-11-28T08:00:00Z';
    await system.transaction((tx) => tx.put(EXPOSURES, other.moduleID, { ...other, deletedAt }));
  };
  alsoServe = async (mark, connection = {}) => {
    const system = await store.partition('system');
    await system.transaction((tx) => tx.put(EXPOSURES, other.moduleID, other));
    return serve(mark, 40, { of: other, connection });
  };
  reopen = async () => {
    await store.close();
    store = await openStore({ dataDir: path, clock });
    await begin();
  };
  await begin();
});

/** Of all changes the puller is told. */
const asked = (mark: number, lastSeq: number): Parameters<PullerMarks['beginAnswer']>[2] => ({
  mark,
  lastSeq,
  countSince: (seq) => Promise.resolve(lastSeq - seq),
});

/** One answer, whole unless said otherwise; gives where it began. */
async function serve(
  mark: number,
  lastSeq: number,
  { sent = true, of = exposure, connection }: { sent?: boolean; of?: Exposure; connection?: object } = {},
): Promise<number | undefined> {
  const answer = await marks.beginAnswer(of, node, { ...asked(mark, lastSeq), connection });
  await answer.storeRange();
  await answer.finishAnswer(sent);
  return answer.after;
}

/** The puller has all changes up to this number, and its mark is 40. */
async function settledAt(seq: number): Promise<void> {
  for (const mark of [0, 10, 20, 30]) await serve(mark, seq);
  expect(await serve(40, seq)).toBe(seq);
}

describe('where an answer begins for a puller that goes by its own clock', () => {
  it('at the beginning, then behind each answer that its mark shows as stored', async () => {
    expect(await serve(0, 100)).toBeUndefined();
    expect(await serve(10, 110)).toBe(100);
    expect(await serve(20, 120)).toBe(110);
    expect(await serve(30, 120)).toBe(120);
    expect(await serve(40, 120)).toBe(120);
  });

  it('behind each answer of two lists that change all the time: they are answered in turn', async () => {
    expect(await serve(0, 100)).toBeUndefined();
    await expect(alsoServe(0)).rejects.toMatchObject(busy);
    await expect(serve(10, 110), 'it is the turn of the other list').rejects.toMatchObject(busy);
    expect(await alsoServe(10)).toBeUndefined();
    expect(await alsoServe(10), 'the mark did not move on').toBeUndefined();
    await expect(serve(10, 110)).rejects.toMatchObject(busy);
    expect(await serve(20, 110)).toBe(100);
    await expect(alsoServe(20)).rejects.toMatchObject(busy);
    expect(await alsoServe(30)).toBe(40);
    expect(await serve(30, 110)).toBe(110);
  });

  it('where the last began while answers are lost and another list moves the mark', async () => {
    await settledAt(100);
    await alsoServe(50);
    expect(await alsoServe(60)).toBe(40);
    // Both answers are lost. The other list's was under the first mark as well, and moved it.
    expect(await serve(60, 110)).toBe(100);
    await expect(alsoServe(70)).rejects.toMatchObject(busy);
    expect(await serve(70, 120)).toBe(100);
    await expect(alsoServe(70)).rejects.toMatchObject(busy);
    expect(await serve(70, 120)).toBe(100);
    // This one arrived: only it can have moved the mark.
    expect(await alsoServe(80)).toBe(40);
    expect(await serve(80, 120), 'the answer before may have arrived late').toBe(110);
    for (const mark of [90, 100]) await serve(mark, 120);
    expect(await serve(110, 120)).toBe(120);
    expect(await alsoServe(110)).toBe(40);
  });

  it('and another list waits for five requests at most, then this one is repeated in its next turn', async () => {
    await settledAt(100);
    await alsoServe(50);
    await alsoServe(60);
    expect(await serve(70, 110)).toBe(100);
    for (let times = 0; times < 5; times++) await expect(alsoServe(70)).rejects.toMatchObject(busy);
    expect(await alsoServe(70)).toBe(40);
    // None of these marks proves anything, as the other list was answered under each.
    expect(await serve(80, 110)).toBe(100);
    expect(await serve(90, 110), 'the other list was answered under the mark before').toBe(110);
  });

  it('and another list does not wait for one that the server stopped', async () => {
    await settledAt(100);
    expect(await serve(50, 110)).toBe(100);
    await expect(alsoServe(50)).rejects.toMatchObject(busy);
    for (let times = 0; times < 15; times++) marks.recordDefinitionsRequest([exposure]);
    expect(await alsoServe(50)).toBeUndefined();
  });

  it('at the beginning of each list after the mark went back, also where that list was refused under it', async () => {
    await settledAt(100);
    await alsoServe(50);
    expect(await alsoServe(60)).toBe(40);
    expect(await serve(70, 110)).toBe(100);
    expect(await serve(80, 110)).toBe(110);
    // The server is put back from a backup.
    expect(await alsoServe(30)).toBeUndefined();
    await expect(serve(30, 110)).rejects.toMatchObject(busy);
    expect(await marks.confirmedSeq(exposure, node, 110)).toBe(0);
    expect(await serve(90, 110)).toBeUndefined();
  });

  it('the same where the mark went back to the one under which the list was answered', async () => {
    expect(await serve(0, 100)).toBeUndefined();
    await expect(alsoServe(0)).rejects.toMatchObject(busy);
    expect(await alsoServe(10)).toBeUndefined();
    await expect(serve(10, 110), 'it is the turn of the other list').rejects.toMatchObject(busy);
    // The server is set up again.
    expect(await alsoServe(0)).toBeUndefined();
    await expect(serve(0, 110)).rejects.toMatchObject(busy);
    expect(await alsoServe(20)).toBeUndefined();
    expect(await serve(30, 110)).toBeUndefined();
  });

  it('and lists with nothing to send do not wait for each other, in whatever order they ask', async () => {
    const names = Array.from({ length: 20 }, (_, at) => String(910 + at));
    const ask = (moduleID: string, mark: number, lastSeq: number): Promise<number | undefined> =>
      serve(mark, lastSeq, { of: { ...exposure, moduleID, composeModuleID: `7${moduleID}` } });
    const [changed = '', ...others] = names;
    expect(await ask(changed, 10, 100)).toBeUndefined();
    for (const other of others) await expect(ask(other, 10, 0)).rejects.toMatchObject(busy);
    for (const other of [...others].reverse()) await ask(other, 20, 0);
    await expect(ask(changed, 20, 110)).resolves.toBe(100);
  });

  it('and lists with nothing to send are not refused again and again, also where one was shared later', async () => {
    const ask = (moduleID: string, mark: number, lastSeq: number): Promise<number | undefined> =>
      serve(mark, lastSeq, { of: { ...exposure, moduleID, composeModuleID: `7${moduleID}` } });
    expect(await ask('910', 10, 100)).toBeUndefined();
    await expect(ask('911', 10, 0)).rejects.toMatchObject(busy);
    for (const mark of [20, 30])
      for (const [moduleID, lastSeq] of [['910', 100] as const, ['911', 0] as const, ['912', 0] as const])
        await ask(moduleID, mark, lastSeq).catch(() => undefined);
    for (const mark of [40, 50]) {
      expect(await ask('910', mark, 100)).toBe(100);
      await expect(ask('911', mark, 0)).resolves.toBeUndefined();
      await expect(ask('912', mark, 0)).resolves.toBeUndefined();
    }
  });

  it('at the beginning once it was paired again, and nothing is known of it until it asks', async () => {
    await settledAt(100);
    expect(await marks.confirmedSeq(exposure, node, 100)).toBe(100);
    const pairedAgain = { ...node, tokenSince: '2026-11-28T09:30:00Z' };
    expect(await marks.confirmedSeq(exposure, pairedAgain, 100)).toBeUndefined();
    for (let times = 0; times < 15; times++) marks.recordDefinitionsRequest([exposure]);
    expect(await marks.hasStoppedFetching(exposure, pairedAgain)).toBe(false);
    const answer = await marks.beginAnswer(exposure, pairedAgain, asked(50, 100));
    expect(answer.after).toBeUndefined();
    await answer.storeRange();
    await answer.finishAnswer(true);
    expect(await marks.confirmedSeq(exposure, pairedAgain, 100)).toBe(0);
    for (let times = 0; times < 15; times++) marks.recordDefinitionsRequest([exposure]);
    expect(await marks.hasStoppedFetching(exposure, pairedAgain)).toBe(true);
  });

  it('the same where the other list was withdrawn after it moved the mark', async () => {
    await settledAt(100);
    await alsoServe(50);
    await withdrawOther();
    expect(await serve(50, 110)).toBe(100);
    expect(await serve(60, 110), 'the other list may have moved the mark').toBe(100);
    expect(await serve(70, 110), 'the other list is long gone').toBe(110);
  });

  it('behind each answer after which its connection was used again, however many lists there are', async () => {
    const connection = {};
    let seq = 100;
    for (const mark of [0, 10, 20, 30]) {
      expect(await serve(mark, seq + 10, { connection })).toBe(mark === 0 ? undefined : seq);
      await alsoServe(mark, connection);
      seq += 10;
    }
    // It was restarted while it stored the last answer: its next request comes over another connection.
    await alsoServe(40, connection);
    expect(await serve(40, 150, { connection })).toBe(140);
    await expect(alsoServe(50, {})).rejects.toMatchObject(busy);
    expect(await serve(60, 150, { connection: {} })).toBe(140);
    expect(await alsoServe(70, {})).toBe(40);
    expect(await serve(70, 150, { connection: {} })).toBe(150);
  });

  it.each([
    ['left only in part', { sent: false }, 11],
    ['brought the mark no further', {}, 0],
  ])('where the last began while that %s, however often', async (what, options, step) => {
    await settledAt(100);
    for (let times = 0; times < 5; times++)
      expect(await serve(50 + times * step, 110 + times, options)).toBe(100);
    // Of several whole answers under one mark, the first is the one that its next step shows.
    expect(await serve(200, 120)).toBe(step === 0 ? 110 : 100);
    expect(await serve(210, 130), what).toBe(step === 0 ? 114 : 120);
    expect(await serve(220, 130)).toBe(step === 0 ? 120 : 130);
    expect(await serve(230, 130)).toBe(130);
  });

  it('behind the first of two whole answers under one mark, and the list does not start over', async () => {
    expect(await serve(0, 10_000)).toBeUndefined();
    expect(await serve(0, 10_744)).toBeUndefined();
    expect(await serve(10, 10_744)).toBe(10_000);
    // The second can be what moves the mark now, while the third was lost.
    expect(await serve(20, 10_750)).toBe(10_744);
  });

  it('and is known to have stopped once it asks for the definitions again and again, and for no rows', async () => {
    await settledAt(100);
    for (let times = 0; times < 3; times++) marks.recordDefinitionsRequest([exposure]);
    expect(await marks.hasStoppedFetching(exposure, node)).toBe(true);
    await serve(50, 110);
    expect(await marks.hasStoppedFetching(exposure, node)).toBe(false);
    marks.recordDefinitionsRequest([exposure]);
    expect(await marks.hasStoppedFetching(exposure, node)).toBe(false);
    for (let times = 0; times < 5; times++)
      marks.recordDefinitionsRequest([{ ...exposure, moduleID: '902' }]);
    expect(
      await marks.hasStoppedFetching({ ...exposure, moduleID: '902' }, node),
      'it was never mapped',
    ).toBe(false);
  });

  it('and not while it can still be storing an answer with rows, which takes minutes for thousands of them', async () => {
    await settledAt(100);
    await serve(50, 10_100);
    for (let times = 0; times < 5; times++) marks.recordDefinitionsRequest([exposure]);
    expect(await marks.hasStoppedFetching(exposure, node)).toBe(false);
    for (let times = 0; times < 10; times++) marks.recordDefinitionsRequest([exposure]);
    expect(await marks.hasStoppedFetching(exposure, node)).toBe(true);
    // At 25 rows a second, 90,000 rows take an hour.
    await serve(60, 100_100);
    for (let times = 0; times < 29; times++) marks.recordDefinitionsRequest([exposure]);
    expect(await marks.hasStoppedFetching(exposure, node)).toBe(false);
    marks.recordDefinitionsRequest([exposure]);
    expect(await marks.hasStoppedFetching(exposure, node)).toBe(true);
  });

  it('behind an empty answer where a change left under the same mark', async () => {
    await settledAt(100);
    expect(await serve(50, 100)).toBe(100);
    expect(await serve(50, 110)).toBe(100);
    expect(await serve(60, 110), 'the empty one may have moved it').toBe(100);
    expect(await serve(70, 110)).toBe(110);
  });

  it('the same after the node was killed before or behind an answer', async () => {
    await settledAt(100);
    await serve(50, 110, { sent: false });
    await reopen();
    expect(await serve(60, 120)).toBe(100);
    await reopen();
    expect(await serve(70, 130)).toBe(120);
    await reopen();
    expect(await serve(80, 140)).toBe(130);
  });

  it('as one for which it was waited until it was known whether the last one left', async () => {
    await settledAt(100);
    const last = await marks.beginAnswer(exposure, node, asked(50, 110));
    await last.storeRange();
    const next = marks.beginAnswer(exposure, node, asked(60, 120));
    await last.finishAnswer(true);
    const answer = await next;
    expect(answer.after).toBe(110);
    await answer.storeRange();
    await answer.finishAnswer(true);
    expect(await serve(70, 130)).toBe(120);
  });

  it('at the beginning again where two were asked for at once, and none passes for the other', async () => {
    await settledAt(100);
    const [one, two] = await Promise.all(
      [110, 112].map((lastSeq) => marks.beginAnswer(exposure, node, asked(50, lastSeq))),
    );
    await one?.storeRange();
    await two?.storeRange();
    await one?.finishAnswer(true);
    const third = await marks.beginAnswer(exposure, node, asked(60, 120));
    expect(third.after).toBeUndefined();
    await third.storeRange();
    // That the second has left at last says nothing of the third, which does not leave.
    await two?.finishAnswer(true);
    await third.finishAnswer(false);
    expect(await serve(70, 130)).toBeUndefined();
  });

  it.each([
    ['has no mark any more', () => serve(0, 110)],
    ['went back to an older mark', () => serve(5, 110)],
    ['asks for other columns', () => serve(50, 110, { of: { ...exposure, fieldIDs: ['2'] } })],
    ['asks for another list', () => serve(50, 110, { of: { ...exposure, moduleID: '901' } })],
    ['asks after our numbers went back and jumped', () => serve(50, 40 + 2 ** 20)],
  ])('at the beginning where the puller %s', async (_, ask) => {
    await settledAt(100);
    expect(await ask()).toBeUndefined();
  });
});
