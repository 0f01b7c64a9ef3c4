import { Option } from 'commander';
import { CommandFailure } from './failure.ts';

export const isDatabaseAddress = (text: string): boolean =>
  /^postgres(ql)?:\/\//.test(text) && URL.canParse(text);

/** Creates the option for the database's address, which may come from the environment, as it may contain a password. */
export const storeOption = (): Option =>
  new Option(
    '--store <address>',
    'the office is in a database, as postgres://user@host/name (docs/hub.md), not in the data folder',
  )
    .argParser(databaseAddress)
    .env('FOOTBRIDGE_STORE');

/** `pg` knows a single host, unlike libpq. Ignores commas in passwords. */
const SEVERAL_HOSTS = /^postgres(ql)?:\/\/(?:[^@/]*@)?[^@/?]*,[^@/?]*(?:[/?]|$)/;

/**
 * Returns a PostgreSQL database's address unchanged. Throws `CommandFailure` for anything else, or one with several
 * hosts.
 */
export function databaseAddress(text: string): string {
  if (SEVERAL_HOSTS.test(text))
    throw new CommandFailure(
      'This address names several hosts. Give one that always leads to the primary, such as a virtual address or a load balancer (docs/hub.md).',
      2,
    );
  if (isDatabaseAddress(text)) return text;
  // Parser refusals would print the text with its password.
  throw new CommandFailure(
    'This is no address of a database. Give one as postgres://user@host/name, or set FOOTBRIDGE_STORE to it; what has a meaning of its own in addresses is written as %40 for @, %3A for :, %2F for /.',
    2,
  );
}

/** An office's place: a data folder, or with `store` a database. */
export interface DataOrStore {
  readonly data?: string;
  readonly store?: string;
}

/**
 * Returns the data folder, or the working folder for an office in a database. Throws `CommandFailure` without either.
 */
export function dataOrWorkingFolder({ data, store }: DataOrStore): string {
  if (data !== undefined) return data;
  if (store !== undefined) return '.';
  throw new CommandFailure(
    'Give the data folder with --data <dir>, or the database of the office with --store <address>.',
    2,
  );
}
