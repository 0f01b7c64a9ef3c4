import { expect, it } from 'vitest';
import { atNight } from '../support/data/luck.ts';
import { killRun } from '../support/worlds/kill-run.ts';

/** The long runs are `npm run soak`. */
const KILLS = atNight(4, 2);
const PLAN = { rows: 4_000 * KILLS, kills: KILLS, killsInOnePull: KILLS };

it(`R1: SIGKILL of either node, ${PLAN.kills} times in a pull of ${PLAN.rows} rows: nothing acknowledged is lost, both sides equal`, async () => {
  const lines: string[] = [];
  const result = await killRun({ ...PLAN, say: (line) => lines.push(line) });
  console.log([...lines, JSON.stringify(result)].join('\n'));
  expect(result.acknowledged).toBeGreaterThan(0);
});
