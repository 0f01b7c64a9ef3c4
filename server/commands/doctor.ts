import { basename } from 'node:path';
import { z } from 'zod';
import { plainName } from '../base/plain-name.ts';
import { salvaged } from '../contract/app/lists.ts';
import {
  inspectDataFolder,
  type DataFolderReport,
  readRetentionSettings,
  type RetentionSettings,
} from '../node/inspect-data-folder.ts';
import { readFolderMark } from '../store/moving/folder-mark.ts';
import { whyNotServed } from '../store/moving/mark.ts';
import { existingDataFolder } from './data-folder.ts';
import { CommandFailure } from './failure.ts';
import { findList } from './import-export.ts';
import { withNode } from './with-node.ts';

/**
 * `footbridge doctor`: prints what a data folder has, without changing it; throws `CommandFailure` if it needs
 * attention. With `salvage` writes that damaged list's readable rows into a new one instead.
 */
export async function doctor(options: { data: string; salvage?: string }): Promise<void> {
  const dataDir = existingDataFolder(options.data);
  if (options.salvage !== undefined) return salvageList(dataDir, options.salvage);
  const report = await inspectDataFolder(dataDir);
  const mark = await readFolderMark(dataDir);
  const moved = mark && mark.state !== 'arrived' ? [`${whyNotServed(mark)} Since ${mark.at}.`] : [];
  process.stdout.write(
    `${[...moved, ...describeReport(report, await readRetentionSettings(dataDir))].join('\n')}\n`,
  );
  if (report.advice.length > 0 || moved.length > 0)
    throw new CommandFailure('The data folder needs attention; see above.');
}

/** Writes a damaged list's readable rows into a new one, and prints what is missing. */
async function salvageList(dataDir: string, list: string): Promise<void> {
  await withNode(dataDir, async (node) => {
    const answer = await node.call('POST', `/app/lists/${await findList(node, list)}/salvage`);
    const { response } = z.object({ response: salvaged }).parse(await answer.json());
    const { name, rows, damagedLines, missing, valuesLeftOut } = response;
    const lacks = [
      ...(missing === undefined ? [] : [`${counted(missing, 'saved change')} missing`]),
      `${counted(damagedLines, 'line')} damaged`,
      `${counted(valuesLeftOut, 'value')} left out that fit no column`,
    ];
    process.stdout.write(
      `${counted(rows, 'row')} written into the new list “${plainName(name)}”: ${lacks.join(', ')}.\nLook through it: damage within a value can't be detected.\n`,
    );
  });
}

const MIB = 1024 ** 2;

const sizeText = (bytes: number): string =>
  bytes < 1024 * MIB ? `${(bytes / MIB).toFixed(1)} MB` : `${(bytes / (1024 * MIB)).toFixed(1)} GB`;

/** Returns a partition's name for the user: with that of its list, if it is one. */
function partitionName({ listNames }: DataFolderReport, name: string): string {
  const list = listNames.get(name);
  return list === undefined ? name : `list “${list}” (${name})`;
}

const counted = (n: number, one: string): string => `${n} ${n === 1 ? one : `${one}s`}`;

/**
 * Returns lines to print about the folder, its parts and files, retention and advice.
 * @param retention undefined if its settings can't be read
 */
function describeReport(report: DataFolderReport, retention: RetentionSettings | undefined): string[] {
  return [
    `Data folder: ${report.dataDir}`,
    report.inUseBy
      ? `In use by the process ${report.inUseBy.pid}, so what it is just writing may look unfinished.`
      : 'Not in use.',
    `Free space: ${sizeText(report.freeBytes)}`,
    `${counted(report.partitions.length, 'part')}, ${counted(report.backups.length, 'backup')}, ${counted(report.oldStores.length, 'earlier store')} kept aside.`,
    ...report.partitions.flatMap(({ name, entries, state, files }) => [
      `  ${partitionName(report, name)}: ${entries} entries, ${state}`,
      ...files.map((file) => `    ${basename(file.path)}: ${sizeText(file.bytes)}, ${file.state}`),
    ]),
    retention
      ? `What left is kept for ${retention.keepLedgerDays} days, what happened for ${retention.keepHistoryDays} days, and deleted rows for ${retention.keepBinDays} days.`
      : 'For how long things are kept cannot be read.',
    ...(report.isYoung
      ? ['There is no backup yet. A running Footbridge writes the first a minute after its start.']
      : []),
    ...(report.advice.length === 0 ? ['All is well.'] : ['', ...report.advice]),
  ];
}
