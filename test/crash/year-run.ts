import { growth, simulateYear, type Stand, type YearPlan } from './year.ts';

/**
 * `npm run soak -- --year`: a year of 200 partners. Prints what there was on the disk and in memory, and exits with 1
 * where the last quarter needed more than the one before.
 */
const PLAN: Omit<YearPlan, 'say'> = {
  days: 365,
  partners: 200,
  lists: 5,
  rows: 200,
  rounds: 1,
  keepDays: 120,
};

/** What a quarter may need more than the one before. */
const FLAT = 0.1;

/**
 * Of lists and system what they hold: their files grow to several times that and are written anew in turns, and are held
 * to what that rule allows.
 */
const WATCHED = {
  'what the lists hold': ({ listsHeld }) => listsHeld,
  'what the system part holds': ({ systemHeld }) => systemHeld,
  'the ledger on the disk': ({ ledgerBytes }) => ledgerBytes,
  'memory in use': ({ memory }) => memory,
} satisfies Record<string, (stand: Stand) => number>;

const mb = (bytes: number): string => (bytes / 1_000_000).toFixed(1);

export async function yearRun(write: (line: string) => void): Promise<boolean> {
  const { partners, lists, rounds, days, keepDays } = PLAN;
  write(
    `${partners} partners, ${lists} lists shared and ${lists} received, ${days} days; what left and what happened is kept for ${keepDays} days.`,
  );
  write(
    `Of the 1,440 minutes of a day, ${rounds} in which all lists change, all partners fetch that and each sends a row, and ${rounds} in which they ask and nothing changed. In one process, without HTTP; backups not counted.`,
  );
  write(
    'Each week a start; each month every token renewed, three partners removed and as many new, two connections ended and paired anew, and a clock that is wrong for 20 minutes, by up to a year.',
  );
  const { stands, idleBytes, quietDay, seconds } = await simulateYear({ ...PLAN, say: write });
  write('');
  write('  day   store MB   ledger MB   system MB (held)    lists MB (held)   memory MB     lines   entries');
  for (const stand of stands.filter(({ day }) => day % 30 === 0 || day === days)) write(rowOf(stand));
  write('');
  write(`Written by ${partners} partners that ask and get nothing new: ${idleBytes} bytes.`);
  write('A day in which nothing changes, minute by minute, writes:');
  for (const [part, bytes] of [...quietDay].sort((a, b) => b[1] - a[1])) write(`  ${part}: ${mb(bytes)} MB`);
  write('');
  const flat = isFlat(stands, write);
  write(`${flat ? 'Flat' : 'NOT FLAT'}: ${FLAT * 100} % are allowed. ${seconds} s.`);
  return flat;
}

function isFlat(stands: readonly Stand[], write: (line: string) => void): boolean {
  let flat = true;
  for (const [name, of] of Object.entries(WATCHED)) {
    const more = growth(stands, of);
    flat &&= more <= FLAT;
    write(`Last quarter against the one before, ${name}: ${(more * 100).toFixed(1)} %`);
  }
  const { day, fullest } = stands.reduce((most, each) =>
    each.fullest.share > most.fullest.share ? each : most,
  );
  write(
    `Files of a part at the most, of what they may take by what it holds: ${(fullest.share * 100).toFixed(0)} % (${fullest.part}, day ${day})`,
  );
  return flat && fullest.share <= 1;
}

export function rowOf(stand: Stand): string {
  const { day, storeBytes, ledgerBytes, memory, lines, entries } = stand;
  const ofHeld = (bytes: number, held: number): string => `${mb(bytes)} (${mb(held)})`;
  const cells = [
    [String(day), 5],
    [mb(storeBytes), 11],
    [mb(ledgerBytes), 12],
    [ofHeld(stand.systemBytes, stand.systemHeld), 19],
    [ofHeld(stand.listBytes, stand.listsHeld), 19],
    [mb(memory), 12],
    [String(lines), 10],
    [String(entries), 10],
  ] as const;
  return cells.map(([text, width]) => text.padStart(width)).join('');
}
