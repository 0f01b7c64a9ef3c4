import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runsOf, sampleOf, seedOf } from '../support/data/luck.ts';
import { worlds } from '../support/worlds/three-acts.ts';
import { openBeginnings, type Beginnings } from '../support/worlds/three-beginnings.ts';
import { firstRows, threeLives, type Act, type Way } from '../support/worlds/three-lives.ts';
import type { Shape } from '../support/worlds/three-offices.ts';

/** Runs of the property; more by FOOTBRIDGE_RUNS, one again by FOOTBRIDGE_SEED as a failure names it. */
const RUNS = runsOf(60, 1);
const SEED = seedOf(1_907);
/** One run alone of those of a seed, as the message of a failure names it. */
const PATH = process.env.FOOTBRIDGE_PATH;

/** Lost in the middle, older where it was made: the same row comes once more from the middle, as another one and older. */
const LOST_AND_OLDER: readonly Act[] = [
  { does: 'add', at: 'Turku', count: 1 },
  { does: 'copy', at: 'Turku' },
  { does: 'pass', seconds: 20 },
  // The newest, which is the last of its thirteen.
  { does: 'edit', at: 'Turku', which: 12 },
  { does: 'pass', seconds: 60 },
  { does: 'line', at: 'Turku', isCut: true },
  { does: 'harm', at: 'Bergen', what: 'folder', which: 0, isKilled: false },
  { does: 'harm', at: 'Turku', what: 'folder', which: 0, isKilled: false },
];

/** At Oslo what it shares and what it receives is cut off; each comes as another list once it is shared again. */
const cutOff = (which: number): readonly Act[] => [
  { does: 'harm', at: 'Oslo', what: 'backups', which, isKilled: false },
  { does: 'harm', at: 'Oslo', what: 'tail', which, isKilled: false },
  { does: 'edit', at: 'Turku', which: 384 },
  { does: 'edit', at: 'Oslo', which: 384 },
];

/** By its clock the connection of Oslo has ended when it starts again; nothing of it is lost. */
const STARTED_A_YEAR_AHEAD: readonly Act[] = [
  { does: 'clock', at: 'Oslo', ahead: 365 * 86_400_000 },
  { does: 'line', at: 'Bergen', isCut: true },
  { does: 'pass', seconds: 60 },
  { does: 'harm', at: 'Oslo', what: 'backups', which: 0, isKilled: false },
  { does: 'add', at: 'Oslo', count: 2 },
];

/** Without backups, Bergen loses its shares with both others at once. */
const SHARES_LOST_WITH_BOTH: readonly Act[] = [
  { does: 'harm', at: 'Bergen', what: 'backups', which: 0, isKilled: false },
  { does: 'harm', at: 'Bergen', what: 'tail', which: 37, isKilled: true },
];

/** Two lose what they share, with each other as well, so that nothing of their rows is on its way and neither lacks anything. */
const SHARES_LOST_AT_BOTH_ENDS: readonly Act[] = [
  { does: 'harm', at: 'Bergen', what: 'tail', which: 37, isKilled: false },
  { does: 'pass', seconds: 5 },
  { does: 'add', at: 'Turku', count: 3 },
  { does: 'harm', at: 'Turku', what: 'tail', which: 997, isKilled: true },
];

/** A restore, and then a list's part that is older than what was restored: nothing was written to it in between. */
const OLDER_AFTER_A_RESTORE: readonly Act[] = [
  { does: 'edit', at: 'Bergen', which: 0 },
  { does: 'backup', at: 'Bergen' },
  { does: 'restore', at: 'Bergen' },
  { does: 'harm', at: 'Bergen', what: 'part', which: 0, isKilled: false },
];

/** After a restore the numbers of changes are long; then rows wait there that are gone where they were made. */
const WAITING_AFTER_A_RESTORE: readonly Act[] = [
  { does: 'add', at: 'Oslo', count: 6 },
  { does: 'pass', seconds: 60 },
  { does: 'backup', at: 'Bergen' },
  { does: 'restore', at: 'Bergen' },
  { does: 'harm', at: 'Oslo', what: 'folder', which: 0, isKilled: false },
];

/** Rows of Oslo that Bergen has by Turku alone, and then they are gone at Oslo and at Turku. */
const GONE_AT_HOME_AND_ON_THE_WAY: readonly Act[] = [
  { does: 'add', at: 'Oslo', count: 6 },
  { does: 'pass', seconds: 60 },
  { does: 'line', at: 'Oslo', isCut: true },
  { does: 'harm', at: 'Bergen', what: 'folder', which: 0, isKilled: false },
  { does: 'pass', seconds: 60 },
  { does: 'harm', at: 'Oslo', what: 'folder', which: 0, isKilled: false },
  { does: 'harm', at: 'Turku', what: 'folder', which: 0, isKilled: false },
];

/** Bergen went back and pairs anew with Oslo: Turku has by Oslo what Oslo's user kept of Bergen, and Bergen lacks it. */
const KEPT_OF_ONE_THAT_WENT_BACK: readonly Act[] = [
  { does: 'add', at: 'Bergen', count: 3 },
  { does: 'pass', seconds: 60 },
  { does: 'line', at: 'Bergen', isCut: true },
  { does: 'harm', at: 'Turku', what: 'folder', which: 0, isKilled: false },
  { does: 'pass', seconds: 60 },
  { does: 'harm', at: 'Bergen', what: 'folder', which: 0, isKilled: false },
  { does: 'pair anew', which: 1, ahead: 0 },
];

/** The list of Bergen ends, when it is read again, where the rows of the removed Turku were about to become its own. */
const CUT_WHILE_KEPT: readonly Act[] = [
  { does: 'remove', at: 'Turku', which: 850 },
  { does: 'pair anew', which: 618, ahead: 0 },
  { does: 'harm', at: 'Bergen', what: 'tail', which: 184, isKilled: false },
];

describe('three offices whose power, files, clocks and lines fail in any order', () => {
  const spent = new Map<string, number>();
  let beginnings: Beginnings;
  beforeAll(async () => {
    beginnings = await openBeginnings(firstRows);
  });
  afterAll(() => beginnings.close());

  async function live(shape: Shape, acts: readonly Act[], way: Way): Promise<'equal' | 'told'> {
    const lives = await threeLives(await beginnings.of(shape), spent);
    try {
      for (const each of acts) await lives.happens(each);
      await lives.comesToRest();
      const outcome = await lives.isEqualOrTold();
      await lives.isMended(way);
      return outcome;
    } catch (error) {
      throw new Error(`${(error as Error).message}\n${lives.story.join('\n')}`, { cause: error });
    } finally {
      await lives.close();
    }
  }

  it.each(sampleOf(['take', 'keep'] as const, 2))(
    'have a row once that the one in the middle lost and got again in an older version (%s)',
    { timeout: 120_000 },
    async (way) => {
      // On a slow computer the edit may not have come to all before it was lost.
      expect(await live('chain', LOST_AND_OLDER, way)).toMatch(/^(told|equal)$/);
    },
  );

  const cuts = [
    ['what it shares', 15],
    ['what it shares and receives', 3],
  ] as const;
  it.each(sampleOf(cuts, 2, seedOf(1)))(
    'say so where %s was cut off at one, and are equal once that was shared again',
    async (_what, which) => {
      // The backup that is made soon after the first rows may bring back what was cut off.
      expect(await live('star', cutOff(which), 'keep')).toMatch(/^(told|equal)$/);
    },
  );

  it(
    'go on with one that started again while its clock was a year ahead',
    { tags: 'nightly-orders' },
    async () => {
      expect(await live('chain', STARTED_A_YEAR_AHEAD, 'take')).toBe('equal');
    },
  );

  it(
    'keep the rows of one that lost its shares with both others, until their users decide',
    { tags: 'nightly-orders' },
    async () => {
      expect(await live('ring', SHARES_LOST_WITH_BOTH, 'keep')).toMatch(/^(told|equal)$/);
    },
  );

  it(
    'do not say that all is well where two have lost what they share with each other',
    { tags: 'nightly-orders' },
    async () => {
      // On a slow computer the rows may have come to all before the shares were lost.
      expect(await live('ring', SHARES_LOST_AT_BOTH_ENDS, 'take')).toMatch(/^(told|equal)$/);
    },
  );

  it.each(sampleOf(['take', 'keep', 'bring back'] as const, 3, seedOf(2)))(
    'tell the office where rows were made that it lacks them, when who has them had them by the third one (%s)',
    { timeout: 120_000, tags: 'nightly-orders' },
    async (way) => {
      expect(await live('ring', GONE_AT_HOME_AND_ON_THE_WAY, way)).toBe('told');
    },
  );

  it(
    'say of rows that one lacks and another kept when they paired anew how many these are, also where a third has them',
    { tags: 'nightly-orders' },
    async () => {
      expect(await live('ring', KEPT_OF_ONE_THAT_WENT_BACK, 'bring back')).toBe('told');
    },
  );

  it(
    'say so where a list is older than the backup that was restored before',
    { tags: 'nightly-orders' },
    async () => {
      expect(await live('ring', OLDER_AFTER_A_RESTORE, 'bring back')).toMatch(/^(told|equal)$/);
    },
  );

  it(
    'take the yes to what waits also where a backup was restored before',
    { tags: 'nightly-orders' },
    async () => {
      expect(await live('chain', WAITING_AFTER_A_RESTORE, 'take')).toBe('told');
    },
  );

  it(
    'say which rows one kept when both paired anew, also where its list was cut off just then',
    { tags: 'nightly-orders' },
    async () => {
      // On a slow computer the removal may have come to all before they paired anew.
      expect(await live('star', CUT_WHILE_KEPT, 'take')).toMatch(/^(told|equal)$/);
    },
  );

  it(
    `end equal, or say what differs until their users decide (${RUNS} runs, seed ${SEED})`,
    { timeout: 60_000 + RUNS * 60_000 },
    async () => {
      const outcomes = { equal: 0, told: 0 };
      await fc.assert(
        fc.asyncProperty(worlds, async ({ shape, acts, way }) => {
          outcomes[await live(shape, acts, way)]++;
        }),
        {
          numRuns: RUNS,
          seed: SEED,
          ...(PATH !== undefined && { path: PATH }),
          endOnFailure: process.env.FOOTBRIDGE_SHRINK === undefined,
        },
      );
      if (RUNS > 2)
        console.log(outcomes, Object.fromEntries([...spent].map(([what, ms]) => [what, Math.round(ms)])));
      expect(outcomes.equal + outcomes.told).toBeGreaterThanOrEqual(RUNS);
    },
  );
});
