import { Option } from 'commander';
import { CommandFailure } from './failure.ts';
import { isDatabaseAddress } from './with-database.ts';

/** Its password may stand in the address, so that it is better given by the environment, and never told in a message. */
export const storeOption = (): Option =>
  new Option(
    '--store <address>',
    'the office is in a database, as postgres://user@host/name (docs/hub.md), not in the data folder',
  )
    .argParser(databaseAddress)
    .env('FOOTBRIDGE_STORE');

/** `postgres://a,b/name`, as libpq takes it; `pg` knows one host only. A comma in a password is none of these. */
const SEVERAL_HOSTS = /^postgres(ql)?:\/\/(?:[^@/]*@)?[^@/?]*,[^@/?]*(?:[/?]|$)/;

/** An address as it is given. @throws CommandFailure */
export function databaseAddress(text: string): string {
  if (SEVERAL_HOSTS.test(text))
    throw new CommandFailure(
      'This address names several hosts. Give one that always leads to the primary, such as a virtual address or a load balancer (docs/hub.md).',
      2,
    );
  if (isDatabaseAddress(text)) return text;
  // Of what the parser of the command line refuses itself it tells the whole text.
  throw new CommandFailure(
    'This is no address of a database. Give one as postgres://user@host/name, or set FOOTBRIDGE_STORE to it; what has a meaning of its own in addresses is written as %40 for @, %3A for :, %2F for /.',
    2,
  );
}

/** Where an office is: in a data folder, or with `store` in a database. */
export interface DataOrStore {
  readonly data?: string;
  readonly store?: string;
}

/**
 * Returns the data folder. An office in a database needs none: the working folder then, of which nothing is used.
 * @throws CommandFailure where neither is given
 */
export function dataOrWorkingFolder({ data, store }: DataOrStore): string {
  if (data !== undefined) return data;
  if (store !== undefined) return '.';
  throw new CommandFailure(
    'Give the data folder with --data <dir>, or the database of the office with --store <address>.',
    2,
  );
}
