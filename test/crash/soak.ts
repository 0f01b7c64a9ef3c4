import { killRun, type KillPlan } from '../support/worlds/kill-run.ts';
import { yearRun } from './year-run.ts';

/**
 * The long crash runs (`npm run soak`): 50 kills in pulls of 20,000 rows, then twenty in one of 100,000, of either
 * side in turn and each in the middle of a pull. Exit code 1 where anything acknowledged was lost or the sides differ. `-- --year` runs a year of
 * many partners instead.
 */
const PLANS: readonly Omit<KillPlan, 'say'>[] = [
  { rows: 20_000, kills: 50, killsInOnePull: 5 },
  { rows: 100_000, kills: 20, killsInOnePull: 20 },
];

const write = (line: string): void => void process.stdout.write(`${line}\n`);

async function kills(plan: Omit<KillPlan, 'say'>): Promise<void> {
  write(`${plan.rows} rows, ${plan.kills} kills:`);
  const result = await killRun({ ...plan, say: (line) => write(`  ${line}`) });
  write(
    `  equal, value by value: ${result.rows} rows, ${result.kills} kills, ` +
      `${result.pulls} pulls, ${result.acknowledged} edits meanwhile, ${result.seconds} s`,
  );
}

if (process.argv.includes('--year')) {
  if (!(await yearRun(write))) process.exitCode = 1;
} else {
  for (const plan of PLANS) await kills(plan);
}
