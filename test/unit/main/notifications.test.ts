import { expect, it } from 'vitest';
import type { Activity, InboxItem, Overview } from '../../../server/contract/app/overview.ts';
import {
  createNotices as settle,
  startDigest,
  addActivity,
  type Digest,
} from '../../../main/tray/notifications.ts';
import { textsIn } from '../../../main/text/i18n.ts';

const ON = { arrived: true, needsYou: true, problems: true };
const AT = '2026-03-10T14:30:00Z';

const settleDigest = (digest: Digest, now: Overview, switches: typeof ON): ReturnType<typeof settle> =>
  settle(digest, now, switches, textsIn('en'));
type PartnerState = Overview['state'];
function overview(states: Record<string, PartnerState>, inbox: InboxItem[] = []): Overview {
  const partners = Object.entries(states).map(([nodeID, state]) => ({
    nodeID,
    name: `Office ${nodeID}`,
    state,
    reason: 'No answer for an hour',
    also: [],
    awaited: false,
    status: 'paired' as const,
    sharedLists: 0,
    receivedLists: 0,
    offeredLists: 0,
    receivedRows: 0,
    colour: 'plum' as const,
    line: 'open' as const,
    shares: [],
    receives: [],
    today: { arrived: { created: 0, updated: 0, deleted: 0 }, sent: [] },
    couldNotApply: 0,
    phone: '',
    wordsToCompare: false,
  }));
  const all = new Set(Object.values(states));
  const state = all.size === 1 ? [...all][0]! : 'syncing';
  const rest = { office: 'Us', firstRunDone: true, recent: [], addresses: [], reachable: true, version: '1' };
  return { ...rest, state, reason: '', also: [], awaited: false, partners, inbox };
}
const pull = (nodeID: string, listName: string, created: number, over: Partial<Activity> = {}): Activity => ({
  activityID: `${nodeID}${listName}`,
  at: AT,
  nodeID,
  partner: `Office ${nodeID}`,
  kind: 'pull',
  outcome: 'ok',
  listName,
  counts: { created, updated: 0, deleted: 0, unchanged: 0, failed: 0 },
  message: '',
  ...over,
});
const item = (itemID: string, over: Partial<InboxItem> = {}): InboxItem => ({
  itemID,
  kind: 'list-offered',
  at: AT,
  nodeID: '1',
  partner: 'Office 1',
  message: `Offers ${itemID}`,
  ...over,
});
const start = (states: Record<string, PartnerState>): Digest => startDigest(overview(states));
const take = (digest: Digest, ...pulls: Activity[]): Digest => pulls.reduce(addActivity, digest);

it('tells 500 rows of one sync in one notice', () => {
  const digest = take(
    start({ '1': 'syncing' }),
    ...Array.from({ length: 5 }, () => pull('1', 'Customers', 100)),
  );
  expect(settleDigest(digest, overview({ '1': 'syncing' }), ON).notices).toEqual([]);
  expect(settleDigest(digest, overview({ '1': 'up-to-date' }), ON).notices).toEqual([
    { title: 'Office 1', body: '500 rows changed in Customers', route: '#/partners/1/activity' },
  ]);
});

it('sums up several lists and several partners in one notice as well', () => {
  const digest = take(start({}), pull('1', 'Customers', 1200), pull('2', 'Orders', 1));
  expect(settleDigest(digest, overview({ '1': 'up-to-date', '2': 'up-to-date' }), ON).notices).toEqual([
    { title: '2 partners', body: '1,201 rows changed in 2 lists', route: '#/' },
  ]);
});

it('does not wait with one partner for another that is still at it, and tells each only once', () => {
  const digest = take(start({}), pull('1', 'Customers', 3), pull('2', 'Orders', 1));
  const half = settleDigest(digest, overview({ '1': 'up-to-date', '2': 'syncing' }), ON);
  expect(half.notices).toMatchObject([{ title: 'Office 1', body: '3 rows changed in Customers' }]);
  const rest = settleDigest(half.digest, overview({ '1': 'up-to-date', '2': 'up-to-date' }), ON);
  expect(rest.notices).toMatchObject([{ title: 'Office 2', body: '1 row changed in Orders' }]);
  expect(settleDigest(rest.digest, overview({ '1': 'up-to-date', '2': 'up-to-date' }), ON).notices).toEqual(
    [],
  );
});

it('says nothing of a sync that changed nothing, and nothing of what is not a pull', () => {
  const served = pull('1', 'Customers', 5, { kind: 'served' });
  const digest = take(start({}), pull('1', 'Customers', 0), served);
  expect(settleDigest(digest, overview({ '1': 'up-to-date' }), ON).notices).toEqual([]);
});

it('announces each new thing that needs the user once, leading to its page', () => {
  const now = overview({ '1': 'needs-you' }, [
    item('a'),
    item('b', { kind: 'pair-request', message: 'Wants to pair' }),
    item('c', { kind: 'store-notice' }),
  ]);
  const first = settleDigest(start({ '1': 'up-to-date' }), now, ON);
  expect(first.notices).toEqual([
    { title: 'Office 1', body: 'Offers a', route: '#/partners/1/receive' },
    { title: 'Office 1', body: 'Wants to pair', route: '#/partners/1/connection' },
    { title: 'Office 1', body: 'Offers c', route: '#/' },
  ]);
  expect(settleDigest(first.digest, now, ON).notices).toEqual([]);
});

it('makes one notice of many new things at once', () => {
  const now = overview(
    { '1': 'needs-you' },
    ['a', 'b', 'c', 'd'].map((id) => item(id)),
  );
  expect(settleDigest(start({}), now, ON).notices).toMatchObject([
    { body: '4 things need your decision.', route: '#/' },
  ]);
});

it('does not announce at the start what the user left open the day before', () => {
  const now = overview({ '1': 'error' }, [item('a')]);
  expect(settleDigest(startDigest(now), now, ON).notices).toEqual([]);
});

it('tells of a partner in trouble when it begins, and again only after it was well', () => {
  const bad = overview({ '1': 'error' });
  const first = settleDigest(start({ '1': 'up-to-date' }), bad, ON);
  expect(first.notices).toEqual([
    { title: 'Office 1', body: 'No answer for an hour', route: '#/partners/1/connection' },
  ]);
  const still = settleDigest(first.digest, bad, ON);
  expect(still.notices).toEqual([]);
  const well = settleDigest(still.digest, overview({ '1': 'up-to-date' }), ON);
  expect(settleDigest(well.digest, bad, ON).notices).toHaveLength(1);
});

it('keeps to the switches, each for its own kind', () => {
  const digest = take(start({ '2': 'up-to-date' }), pull('1', 'Customers', 5));
  const now = overview({ '1': 'up-to-date', '2': 'error' }, [item('a')]);
  const told = (over: Partial<typeof ON>): string[] =>
    settleDigest(digest, now, { arrived: false, needsYou: false, problems: false, ...over }).notices.map(
      ({ body }) => body,
    );
  expect(told({})).toEqual([]);
  expect(told({ arrived: true })).toEqual(['5 rows changed in Customers']);
  expect(told({ needsYou: true })).toEqual(['Offers a']);
  expect(told({ problems: true })).toEqual(['No answer for an hour']);
});

it('is quiet during a pause: arrivals are dropped, decisions are told after it', () => {
  const digest = take(start({ '1': 'up-to-date' }), pull('1', 'Customers', 5));
  const paused = settleDigest(digest, overview({ '1': 'paused' }, [item('a')]), ON);
  expect(paused.notices).toEqual([]);
  const resumed = settleDigest(paused.digest, overview({ '1': 'up-to-date' }, [item('a')]), ON);
  expect(resumed.notices.map(({ body }) => body)).toEqual(['Offers a']);
});

it('cuts what a partner wrote to a size fit for the screen', () => {
  const now = overview({ '1': 'needs-you' }, [
    item('a', { message: 'x'.repeat(5000), partner: 'y'.repeat(500) }),
  ]);
  const [notice] = settleDigest(start({}), now, ON).notices;
  expect(notice!.body.length).toBeLessThanOrEqual(200);
  expect(notice!.title.length).toBeLessThanOrEqual(60);
});
