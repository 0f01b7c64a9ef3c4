import { join } from 'node:path';
import type { Node } from '../federation/model.ts';
import { readIfExists } from '../store/files/own-file.ts';
import { createSecretBox, guardedKeyFile, keyFile, readSecretKey } from '../store/files/secrets.ts';
import type { Module } from '../lists/definitions/model.ts';
import { MODULES } from '../lists/definitions/modules.ts';
import { pickLiveRows } from '../lists/definitions/salvage.ts';
import { isOfList, listPartition, ROW_TABLE } from '../lists/rows/row-table.ts';
import type { PartitionState } from '../store/engine/partition-state.ts';
import { entryOf } from '../store/engine/record-ref.ts';
import { systemDisk, type Disk } from '../store/files/disk.ts';
import { readPartitionAtRest } from '../store/recovery/at-rest.ts';
import { STORE_FOLDER } from '../store/engine/partition-folders.ts';
import { salvageTable } from '../store/recovery/salvage.ts';
import { inspectStore, type StoreReport } from '../store/recovery/inspect.ts';
import { NODES } from '../federation/tables.ts';
import { settingsIn } from '../app/settings.ts';
import type { Settings } from '../contract/app/settings.ts';

export interface DataFolderReport extends StoreReport {
  readonly listNames: ReadonlyMap<string, string>;
}

/** Returns the store's report with list names, and advice after a loss. Changes nothing. */
export async function inspectDataFolder(dataDir: string, disk: Disk = systemDisk): Promise<DataFolderReport> {
  const report = await inspectStore(dataDir, disk);
  const system = await readPartitionAtRest(dataDir, 'system', disk);
  const unsure = system ? nodesIn(system).filter((node) => node.unsure !== undefined) : [];
  const names = unsure.map(({ name }) => name).join(', ');
  const waits = `These partners can’t read anything until you review what you share with them, because older data came back: ${names}. Open Footbridge, review the shares, and let them read again.`;
  const lost = system ? await describeUndecryptable(dataDir, nodesIn(system)) : undefined;
  const orphans = system ? partitionsWithoutList(report, system) : [];
  const recovers = `How these lists are set up is lost, though their rows are there: ${orphans.join(', ')}. The next start makes them again as “Recovered list”.`;
  const own = [
    ...(orphans.length === 0 ? [] : [recovers]),
    ...(unsure.length === 0 ? [] : [waits]),
    ...(lost === undefined ? [] : [lost]),
    ...(await describeSalvageable(report, disk)),
  ];
  const listNames = system ? listNamesIn(system) : new Map<string, string>();
  const advice = [...own, ...report.advice].map((text) => withListNames(text, listNames));
  return { ...report, listNames, advice };
}

/** Replaces “Part” and a list's partition by the list's name, if known. */
const withListNames = (text: string, listNames: ReadonlyMap<string, string>): string =>
  text.replace(/\bPart (list-\d+)/g, (part, name: string) => {
    const list = listNames.get(name);
    return list === undefined ? part : `The list “${list}”`;
  });

/** Returns the names of lists, without deleted ones, by their partition. */
function listNamesIn(system: PartitionState): Map<string, string> {
  const { byKey } = system.table(MODULES.name);
  const slots = byKey.takeFrom(
    () => false,
    byKey.countFrom(() => false),
  );
  return new Map(slots.map((slot) => [listPartition(slot.key), entryOf<Module>(slot).value.name]));
}

/**
 * Returns a sentence for each unreadable list: how many of its live rows can be read line by line, and how many lines
 * are damaged. Throws StoreError `newer-version`, and the disk's errors.
 */
async function describeSalvageable({ dataDir, partitions }: StoreReport, disk: Disk): Promise<string[]> {
  const advice: string[] = [];
  for (const { name } of partitions.filter((each) => each.isUnreadable && isOfList(each.name))) {
    const folder = join(dataDir, STORE_FOLDER, name);
    const found = await salvageTable(disk, folder, ROW_TABLE, 'all');
    if (!found) continue;
    const rows = pickLiveRows([...found.byKey.values()].map(({ value }) => value)).length;
    advice.push(`Part ${name}: rows that can still be read: ${rows}; damaged lines: ${found.damagedLines}.`);
  }
  return advice;
}

/** Returns names of partitions with rows but no list, not even a deleted one. */
function partitionsWithoutList({ partitions }: StoreReport, system: PartitionState): string[] {
  /** Returns the keys of a table in the partition `system`. */
  const keysOf = (table: string): string[] => {
    const { byKey } = system.table(table);
    const count = byKey.countFrom(() => false);
    return byKey.takeFrom(() => false, count).map(({ key }) => key);
  };
  const defined = new Set(['module', 'module-bin'].flatMap(keysOf).map(listPartition));
  return partitions
    .filter(({ name, entries }) => isOfList(name) && entries > 0 && !defined.has(name))
    .map(({ name }) => name);
}

/**
 * Returns a text if the folder's key file is damaged, or can't decrypt a connected partner's token, as when it is
 * missing. Returns undefined otherwise, and if the key is elsewhere.
 */
async function describeUndecryptable(dataDir: string, nodes: readonly Node[]): Promise<string | undefined> {
  const file = keyFile(dataDir);
  if (await readIfExists(guardedKeyFile(dataDir))) return undefined;
  const key = await readSecretKey(file).catch(() => 'damaged' as const);
  const box = key === undefined || key === 'damaged' ? undefined : createSecretBox(key, 'file');
  const lost: string[] = [];
  for (const { name, status, sealedToken } of nodes) {
    if (status !== 'paired' || sealedToken === undefined) continue;
    const isOpen = await box?.open(sealedToken).then(
      () => true,
      () => false,
    );
    if (isOpen !== true) lost.push(name);
  }
  if (lost.length === 0 && key !== 'damaged') return undefined;
  const what = key === undefined ? 'missing' : key === 'damaged' ? 'damaged' : 'another one than it was';
  const partners = lost.length === 0 ? '' : ` Otherwise pair again with: ${lost.join(', ')}.`;
  return `The key ${file}, which opens what partners are called with, is ${what}. If you have a good copy of it, put it back before the next start.${partners}`;
}

/** Returns the partners' records, without removed ones. */
function nodesIn(system: PartitionState): Node[] {
  const { byKey } = system.table(NODES.name);
  return byKey
    .takeFrom(
      () => false,
      byKey.countFrom(() => false),
    )
    .map((slot) => entryOf<Node>(slot).value)
    .filter(({ deletedAt }) => deletedAt === undefined);
}

export type RetentionSettings = Pick<Settings, 'keepLedgerDays' | 'keepHistoryDays' | 'keepBinDays'>;

/**
 * Returns a data folder's retention settings, even while another process uses it; undefined if they aren't readable.
 */
export async function readRetentionSettings(
  dataDir: string,
  disk: Disk = systemDisk,
): Promise<RetentionSettings | undefined> {
  const system = await readPartitionAtRest(dataDir, 'system', disk);
  return system && settingsIn(system);
}
