import { basename } from 'node:path';
import { keptTimes, type KeptTimes } from '../node/kept-times.ts';
import { inspectDataFolder } from '../node/inspect-data-folder.ts';
import { readFolderMark } from '../store/moving/folder-mark.ts';
import { whyNotServed } from '../store/moving/mark.ts';
import type { StoreReport } from '../store/recovery/inspect.ts';
import { existingDataFolder } from './data-folder.ts';
import { CommandFailure } from './failure.ts';

/** `footbridge doctor`: reads a data folder without changing it and says what it finds. Exit code 1: advice given. */
export async function doctor(options: { data: string }): Promise<void> {
  const dataDir = existingDataFolder(options.data);
  const report = await inspectDataFolder(dataDir);
  const mark = await readFolderMark(dataDir);
  const moved = mark && mark.state !== 'arrived' ? [`${whyNotServed(mark)} Since ${mark.at}.`] : [];
  process.stdout.write(`${[...moved, ...describe(report, await keptTimes(dataDir))].join('\n')}\n`);
  if (report.advice.length > 0 || moved.length > 0)
    throw new CommandFailure('The data folder needs attention; see above.');
}

function describe(report: StoreReport, kept: KeptTimes | undefined): string[] {
  const megabytes = (bytes: number): string => `${(bytes / 1_048_576).toFixed(1)} MB`;
  return [
    `Data folder: ${report.dataDir}`,
    report.inUseBy
      ? `In use by the process ${report.inUseBy.pid}, so what it is just writing may look unfinished.`
      : 'Not in use.',
    `Free space: ${megabytes(report.freeBytes)}`,
    `${report.partitions.length} parts, ${report.backups.length} backups, ${report.oldStores.length} earlier stores kept aside.`,
    ...report.partitions.flatMap(({ name, entries, state, files }) => [
      `  ${name}: ${entries} entries, ${state}`,
      ...files.map((file) => `    ${basename(file.path)}: ${megabytes(file.bytes)}, ${file.state}`),
    ]),
    kept
      ? `What left is kept for ${kept.keepLedgerDays} days, what happened for ${kept.keepHistoryDays} days, and deleted rows for ${kept.keepBinDays} days.`
      : 'For how long things are kept cannot be read.',
    ...(report.advice.length === 0 ? ['All is well.'] : ['', ...report.advice]),
  ];
}
