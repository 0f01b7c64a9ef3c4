import { killRun, type KillPlan } from '../support/kill-run.ts';

/**
 * The long crash runs (`npm run soak`): 50 kills in pulls of 10,000 rows, then twenty in one of 100,000, each of
 * either side in turn. Exit code 1 where anything acknowledged was lost or the sides differ.
 */
const PLANS: readonly Omit<KillPlan, 'say'>[] = [
  { rows: 10_000, kills: 50, killsInOnePull: 5 },
  { rows: 100_000, kills: 20, killsInOnePull: 20 },
];

for (const plan of PLANS) {
  process.stdout.write(`${plan.rows} rows, ${plan.kills} kills:\n`);
  const result = await killRun({ ...plan, say: (line) => process.stdout.write(`  ${line}\n`) });
  process.stdout.write(
    `  equal, value by value: ${result.rows} rows, ${result.kills} kills (${result.inThePull} in the middle of a ` +
      `pull), ${result.pulls} pulls, ${result.acknowledged} edits meanwhile, ${result.seconds} s\n`,
  );
}
