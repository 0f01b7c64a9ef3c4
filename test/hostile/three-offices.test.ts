import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { worlds } from '../support/three-acts.ts';
import { openBeginnings } from '../support/three-beginnings.ts';
import { firstRows, threeLives } from '../support/three-lives.ts';

/** Runs of the property; more, and each time others, by FOOTBRIDGE_RUNS; the same again by FOOTBRIDGE_SEED. */
const RUNS = Number(process.env.FOOTBRIDGE_RUNS ?? 2);
// What decides on a change must not decide by luck: there, always the same.
const LUCK = process.env.FOOTBRIDGE_RUNS === undefined ? 1_907 : Math.floor(Math.random() * 2 ** 31);
const SEED = Number(process.env.FOOTBRIDGE_SEED ?? LUCK);

describe('three offices whose power, files, clocks and lines fail in any order', () => {
  it(
    `end equal, or say what differs until their users decide (${RUNS} runs, seed ${SEED})`,
    { timeout: 60_000 + RUNS * 60_000 },
    async () => {
      const spent = new Map<string, number>();
      const outcomes = { equal: 0, told: 0 };
      const beginnings = await openBeginnings(firstRows);
      await fc
        .assert(
          fc.asyncProperty(worlds, async ({ shape, acts, way }) => {
            const lives = await threeLives(await beginnings.of(shape), spent);
            try {
              for (const each of acts) await lives.happens(each);
              await lives.comesToRest();
              outcomes[await lives.isEqualOrTold()]++;
              await lives.isMended(way);
            } catch (error) {
              throw new Error(`${(error as Error).message}\n${lives.story.join('\n')}`, { cause: error });
            } finally {
              await lives.close();
            }
          }),
          { numRuns: RUNS, seed: SEED, endOnFailure: process.env.FOOTBRIDGE_SHRINK === undefined },
        )
        .finally(() => beginnings.close());
      if (RUNS > 2)
        console.log(outcomes, Object.fromEntries([...spent].map(([what, ms]) => [what, Math.round(ms)])));
      expect(outcomes.equal + outcomes.told).toBeGreaterThanOrEqual(RUNS);
    },
  );
});
