import { expect, it } from 'vitest';
import { killRun } from '../support/worlds/kill-run.ts';

/** The long runs are `npm run soak`. */
const PLAN = { rows: 16_000, kills: 4, killsInOnePull: 4 };

it(`R1: SIGKILL of either node, ${PLAN.kills} times in a pull of ${PLAN.rows} rows: nothing acknowledged is lost, both sides equal`, async () => {
  const lines: string[] = [];
  const result = await killRun({ ...PLAN, say: (line) => lines.push(line) });
  console.log([...lines, JSON.stringify(result)].join('\n'));
  expect(result.acknowledged).toBeGreaterThan(0);
});
