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
    marks = createPullerMarks(system, createFeedEpochs(system), await openLiveDefinitions(system));
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

/** One answer, whole unless said otherwise; gives where it began. */
async function serve(
  mark: number,
  lastSeq: number,
  { sent = true, of = exposure, connection }: { sent?: boolean; of?: Exposure; connection?: object } = {},
): Promise<number | undefined> {
  const answer = await marks.begin(of, node, { mark, lastSeq, connection });
  await answer.keep();
  await answer.ended(sent);
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

  it('behind the answer before the last where another list can have moved the mark', async () => {
    await serve(0, 100);
    await alsoServe(0);
    expect(await serve(10, 110)).toBeUndefined();
    await alsoServe(10);
    expect(await serve(20, 120)).toBe(100);
    expect(await serve(30, 130)).toBe(110);
    expect(await serve(40, 130)).toBe(120);
    expect(await serve(50, 130)).toBe(130);
  });

  it('the same where the other list was withdrawn after it moved the mark', async () => {
    await settledAt(100);
    await serve(50, 110);
    await alsoServe(50);
    await withdrawOther();
    expect(await serve(60, 110), 'the other list may have moved the mark').toBe(100);
    expect(await serve(70, 120)).toBe(110);
    expect(await serve(80, 120), 'the other list is long gone').toBe(120);
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
    expect(await serve(40, 150, { connection })).toBe(140);
    await alsoServe(50, {});
    expect(await serve(60, 150, { connection: {} })).toBe(140);
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
    for (let times = 0; times < 3; times++) marks.definitionsAsked([exposure]);
    expect(await marks.hasStopped(exposure)).toBe(true);
    await serve(50, 110);
    expect(await marks.hasStopped(exposure)).toBe(false);
    marks.definitionsAsked([exposure]);
    expect(await marks.hasStopped(exposure)).toBe(false);
    for (let times = 0; times < 5; times++) marks.definitionsAsked([{ ...exposure, moduleID: '902' }]);
    expect(await marks.hasStopped({ ...exposure, moduleID: '902' }), 'it was never mapped').toBe(false);
  });

  it('and not while it can still be storing an answer with rows, which takes minutes for thousands of them', async () => {
    await settledAt(100);
    await serve(50, 10_100);
    for (let times = 0; times < 5; times++) marks.definitionsAsked([exposure]);
    expect(await marks.hasStopped(exposure)).toBe(false);
    for (let times = 0; times < 10; times++) marks.definitionsAsked([exposure]);
    expect(await marks.hasStopped(exposure)).toBe(true);
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
    const last = await marks.begin(exposure, node, { mark: 50, lastSeq: 110 });
    await last.keep();
    const next = marks.begin(exposure, node, { mark: 60, lastSeq: 120 });
    await last.ended(true);
    const answer = await next;
    expect(answer.after).toBe(110);
    await answer.keep();
    await answer.ended(true);
    expect(await serve(70, 130)).toBe(120);
  });

  it('at the beginning again where two were asked for at once, and none passes for the other', async () => {
    await settledAt(100);
    const [one, two] = await Promise.all(
      [110, 112].map((lastSeq) => marks.begin(exposure, node, { mark: 50, lastSeq })),
    );
    await one?.keep();
    await two?.keep();
    await one?.ended(true);
    const third = await marks.begin(exposure, node, { mark: 60, lastSeq: 120 });
    expect(third.after).toBeUndefined();
    await third.keep();
    // That the second has left at last says nothing of the third, which does not leave.
    await two?.ended(true);
    await third.ended(false);
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
