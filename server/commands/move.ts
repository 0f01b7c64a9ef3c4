import { resolve } from 'node:path';
import { systemClock } from '../base/clock.ts';
import { databaseEnd } from '../node/moving/database-end.ts';
import type { MoveEnd } from '../node/moving/end.ts';
import { folderEnd, openLeavingFolder } from '../node/moving/folder-end.ts';
import { giveUpMove, moveOffice, type Moved } from '../node/moving/move.ts';
import { existingDataFolder } from './data-folder.ts';
import { CommandFailure } from './failure.ts';
import { hubSecret } from './hub-secret.ts';
import { isDatabaseAddress } from './store-option.ts';
import { connectExclusively } from './with-database.ts';

interface MoveCommandOptions {
  readonly data: string;
  /** A database's address; true: from the environment. */
  readonly to?: string | true;
  readonly from?: string | true;
  readonly giveUp: boolean;
}

/**
 * `footbridge move`: moves an office with its keys between data folder and database; with `giveUp` ends such a move.
 * Throws `CommandFailure` for wrong options, `StoreError` if the move fails. Prints what was moved.
 */
export async function move({ data, to, from, giveUp }: MoveCommandOptions): Promise<void> {
  const given = to ?? from;
  if (given === undefined || (to !== undefined && from !== undefined))
    throw new CommandFailure('Say where the office moves: give either --to or --from, with a database.', 2);
  const address = given === true ? process.env.FOOTBRIDGE_STORE : given;
  if (address === undefined || !isDatabaseAddress(address))
    throw new CommandFailure(
      'Give the address of the database, which begins with postgres://, or set FOOTBRIDGE_STORE to it.',
      2,
    );
  const dataDir = resolve(data);
  if (to !== undefined) existingDataFolder(data);
  const database = await openDatabaseEnd(address);
  await withEnd(database, async () => {
    const folder = await (to === undefined ? folderEnd : openLeavingFolder)(dataDir, systemClock);
    await withEnd(folder, async () => {
      const ends = to === undefined ? { from: database, to: folder } : { from: folder, to: database };
      if (giveUp) await giveUpMove(ends);
      else {
        const moved = await moveOffice({ ...ends, clock: systemClock, onStep: printStep });
        process.stdout.write(summaryOf(moved, ends.to));
        return;
      }
      process.stdout.write(`The move was given up. The office is in ${ends.from.name}, as it was.\n`);
    });
  });
}

/** Opens the database as an end of a move. Throws `CommandFailure` if another process serves it. */
async function openDatabaseEnd(address: string): Promise<MoveEnd> {
  const secret = await hubSecret();
  const { database, fence, close } = await connectExclusively(address);
  try {
    return await databaseEnd({ database, fence, close, secret, name: withoutUser(address) });
  } catch (error) {
    await close();
    throw error;
  }
}

/** Runs `work`, and closes the end in any case. */
async function withEnd(end: MoveEnd, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } finally {
    await end.close();
  }
}

/** Returns a database's address to be shown: host, port, name and schema option, without user and password. */
function withoutUser(address: string): string {
  const { hostname, port, pathname, searchParams } = new URL(address);
  const host = searchParams.get('host') ?? hostname;
  // May name the office's schema, one of several.
  const options = searchParams.get('options');
  const where = `postgres://${host}${port === '' ? '' : `:${port}`}${pathname}`;
  return options === null ? where : `${where} (${options})`;
}

/** Prints to stderr where a move is, at its beginning and before comparing. */
function printStep(step: string): void {
  if (step === 'begin') process.stderr.write('Moving. The office can be used again once this has ended.\n');
  if (step === 'compare') process.stderr.write('All of it is there. Comparing …\n');
}

/** Returns a text: what was moved into the end `to`, or had been already. */
function summaryOf({ partitions, entries, keys, tokens, notes, wasThere }: Moved, to: MoveEnd): string {
  const what = `${partitions} parts with ${entries} entries, ${keys} keys, ${tokens} tokens of users and ${notes} notes of what was taken back`;
  return wasThere
    ? `The office had arrived in ${to.name} already: ${what}.\n`
    : `The office is in ${to.name}: ${what}, each compared with what it was. No partner has to pair again.\n`;
}
