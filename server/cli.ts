import type { Stats } from 'node:fs';
import { stat } from 'node:fs/promises';
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander';
import { parseDuration } from './commands/durations.ts';
import { CommandFailure } from './commands/failure.ts';
import { databaseAddress, storeOption } from './commands/store-option.ts';
import { Refusal } from './base/refusal.ts';
import { CertificateError } from './http/listeners/certificate.ts';
import { parseTrustedProxies } from './http/listeners/trusted-proxies.ts';
import { ListenError } from './http/listeners/listen.ts';
import { DatabaseAway } from './store/sql/database.ts';
import { StoreError } from './store/store.ts';
import { ENCODINGS } from './base/vocabulary.ts';
import { VERSION } from './version.ts';

const WRONG_USAGE = 2;

/** Returns an action that loads its command when called, as others don't need it. */
const onCall =
  <A extends readonly unknown[]>(load: () => Promise<(...args: A) => Promise<void> | void>) =>
  async (...args: A): Promise<void> =>
    (await load())(...args);

// These parsers of options throw InvalidArgumentError for other texts.

/** Parses a duration such as `60s` or `90d` into milliseconds. Throws InvalidArgumentError. */
const parseMs = (text: string): number => {
  const ms = parseDuration(text);
  if (ms === undefined) throw new InvalidArgumentError('Give a duration such as 60s, 5m, 12h or 90d.');
  return ms;
};
/** Parses a port, 0 to 65535. Throws InvalidArgumentError. */
const parsePort = (text: string): number => {
  const value = /^\d{1,5}$/.test(text) ? Number(text) : NaN;
  if (!(value <= 65_535))
    throw new InvalidArgumentError('Give a port from 0 to 65535; 0 means any free one.');
  return value;
};
/** Parses a duration of 3 to 60 seconds into milliseconds. Throws InvalidArgumentError. */
const parseLease = (text: string): number => {
  const ms = parseMs(text);
  if (ms < 3_000 || ms > 60_000) throw new InvalidArgumentError('Give a duration from 3s to 60s.');
  return ms;
};
/** Parses a number from 1 to 999999. Throws InvalidArgumentError. */
const parseCount = (text: string): number => {
  if (!/^[1-9]\d{0,5}$/.test(text)) throw new InvalidArgumentError('Give a number from 1 to 999999.');
  return Number(text);
};
/** Parses a number of bytes such as `500K`, `4M` or `1G`. Throws InvalidArgumentError. */
const parseBytes = (text: string): number => {
  const [, digits, unit = ''] = /^([1-9]\d{0,5})([KMG]?)$/i.exec(text) ?? [];
  if (digits === undefined) throw new InvalidArgumentError('Give a number of bytes, such as 500K, 4M or 1G.');
  return Number(digits) * 1024 ** ['', 'K', 'M', 'G'].indexOf(unit.toUpperCase());
};
/** Parses a list of addresses and networks, separated by commas. Throws InvalidArgumentError. */
const parseProxies = (text: string): readonly string[] => {
  const list = text.split(',').map((one) => one.trim());
  try {
    parseTrustedProxies(list);
    return list;
  } catch {
    throw new InvalidArgumentError(
      'Give addresses or networks, such as 10.0.0.5 or 10.0.0.5,192.168.7.0/24.',
    );
  }
};
/** Collects the texts of an option that may be given several times. */
const appendValue = (text: string, before: readonly string[] = []): readonly string[] => [...before, text];
/** Returns an http:// or https:// address unchanged. Throws InvalidArgumentError for other texts. */
const parseWebAddress = (text: string): string => {
  if (!URL.canParse(text) || !/^https?:/.test(text)) {
    throw new InvalidArgumentError('Give an address that begins with http:// or https://.');
  }
  return text;
};

/** Creates the option `--data` of commands that need none with `--store`. */
const dataUnlessStore = (): Option => new Option('--data <dir>', 'the data folder').env('FOOTBRIDGE_DATA');
const dataOption = (): Option => dataUnlessStore().makeOptionMandatory();

/** Adds the options that say how a file is read. */
const addReadingOptions = (command: Command): Command =>
  command
    .option(
      '--delimiter <character>',
      'what separates columns, “tab”, or “none” for one column (default: guessed)',
    )
    .option(
      '--encoding <name>',
      `how letters are written, where the guess is wrong: ${Object.values(ENCODINGS).flat().join(', ')}`,
    )
    .addOption(
      new Option('--numbers <sign>', 'the decimal sign of numbers, where the file does not prove it').choices(
        ['comma', 'point'],
      ),
    )
    .addOption(
      new Option(
        '--dates <order>',
        'the order of day, month and year, where the file does not prove it',
      ).choices(['dmy', 'mdy', 'ymd']),
    )
    .option('--sheet <name>', 'of a workbook (default: the first that holds anything)')
    .option('--heading-line <number>', 'the line with the names of the columns (default: guessed)')
    .option('--no-heading', 'the first row is data')
    .option('--without-sums', 'leave out totals and footers, such as “Total” or “240 rows”', false);

const program = new Command('footbridge')
  .description('Two offices share chosen columns of chosen lists, with no cloud and no server administrator.')
  .version(VERSION)
  .exitOverride()
  .configureHelp({ showGlobalOptions: false })
  .showHelpAfterError('(footbridge --help tells more)');

program
  .command('serve')
  .description('run the node without a desktop; its window opens in a browser on this computer')
  .addOption(dataOption())
  .addOption(storeOption())
  .option('--port <port>', 'port for partners, 0 for any (default: 7420, or as set in the window)', parsePort)
  .option('--host <address>', 'address on which partners are served, whatever the settings say')
  .option('--window-port <port>', 'port of the window, or the next free one (default: 7421)', parsePort)
  .option(
    '--tunnel-port <port>',
    'port on another computer from which ssh -L leads to the window (docs/service.md)',
    parsePort,
  )
  .option('--public-url <url>', 'address under which partners reach this computer', parseWebAddress)
  .option(
    '--lease <duration>',
    'with --store: how long a process that stops answering keeps its place; the same for all (default: 9s)',
    parseLease,
  )
  .option(
    '--tls-cert <file>',
    'certificate to show to partners instead of one of its own (PEM, with its chain)',
  )
  .option('--tls-key <file>', 'the key of that certificate (PEM)')
  .option('--allow-plain-partners', 'let partners call over a network without encryption')
  .addOption(
    new Option(
      '--trusted-proxies <addresses>',
      'load balancers, by address or network and with commas between, that say from where a request came (X-Forwarded-For)',
    )
      .argParser(parseProxies)
      .env('FOOTBRIDGE_TRUSTED_PROXIES'),
  )
  .option('--label <name>', 'name of this office until one is given in the window')
  .option('--sync-interval <duration>', 'how often to ask partners for changes (default: 60s)', parseMs)
  .option('--allow-loopback-partners', 'allow partners on this same computer (for trying things out)', false)
  .option(
    '--remote-management',
    'take management calls on the partners’ port from other computers too',
    false,
  )
  .option('--json', 'print one line of JSON when ready, and the log on standard error', false)
  .option('--no-open', 'do not open a browser')
  .option('--or-show', 'show the window of the node that already runs on this folder, if there is one', false)
  .action(onCall(async () => (await import('./commands/serve.ts')).serve));

program
  .command('relay')
  .description('carry connections of offices that cannot be called, without being able to read them')
  .addOption(
    new Option(
      '--data <dir>',
      'keeps its certificate and access key (default: footbridge-relay in your home)',
    ).env('FOOTBRIDGE_RELAY_DATA'),
  )
  .option('--port <port>', 'port to listen on, 0 for any free one', parsePort, 7422)
  .option('--host <address>', 'address to listen on (default: every address, and 127.0.0.1 behind a proxy)')
  .option('--name <name>', 'public name or address of this computer, for the address that is printed')
  .option('--behind-proxy', 'serve plain HTTP to a reverse proxy on this computer that does HTTPS', false)
  .option('--open', 'let every office register, without the access key', false)
  .option('--max-offices <number>', 'offices that may be registered at a time (default: 1000)', parseCount)
  .option(
    '--rate-per-office <bytes>',
    'bytes a second of one office, such as 500K or 4M (default: 16M)',
    parseBytes,
  )
  .option('--rate-total <bytes>', 'bytes a second of all offices together (default: 100M)', parseBytes)
  .option('--json', 'print one line of JSON when ready', false)
  .action(onCall(async () => (await import('./commands/relay.ts')).relay));

program
  .command('window')
  .description('print a fresh link into the window of the running node, and open it where there is a browser')
  .addOption(dataOption())
  .addOption(storeOption())
  .option('--tunnel-port <port>', 'print the link for that port, as given to "footbridge serve"', parsePort)
  .option('--no-open', 'do not open a browser')
  .action(onCall(async () => (await import('./commands/window.ts')).openWindow));

program
  .command('token')
  .description('print a token for the interface, also while the node runs')
  .addOption(dataUnlessStore())
  .addOption(storeOption())
  .addOption(
    new Option('--role <role>', 'what it may do').choices(['admin', 'editor', 'viewer']).default('admin'),
  )
  .addOption(
    new Option('--expires <duration>', 'how long it is good for, 365d at the most')
      .argParser(parseMs)
      .default(parseDuration('12h'), '12h'),
  )
  .option('--list', 'list the tokens that were printed')
  .option('--revoke <id>', 'end one of them, by its id in the list')
  .action(onCall(async () => (await import('./commands/token.ts')).token));

addReadingOptions(
  program
    .command('import')
    .description(
      'put a CSV file or a sheet of an xlsx or ods workbook into a list, making the list where there is none of that name',
    )
    .argument('<file>', 'the file')
    .addOption(dataOption())
    .requiredOption('--list <name>', 'name or handle of the list')
    .option(
      '--key <column>',
      'column by which a row that is there already is found and updated; may be repeated',
      appendValue,
    ),
).action(onCall(async () => (await import('./commands/import-export.ts')).importFile));

program
  .command('export')
  .description('print a list as a file')
  .addOption(dataOption())
  .requiredOption('--list <name>', 'name or handle of the list')
  .addOption(new Option('--format <format>', 'what kind of file').choices(['csv', 'xlsx']).default('csv'))
  .option('--ids', 'in a workbook, the ids of rows of other lists beside what they are called', false)
  .action(onCall(async () => (await import('./commands/import-export.ts')).exportList));

addReadingOptions(
  program
    .command('watch')
    .description('keep a list as in a file: what changes in it changes in the list while the node runs')
    .argument(
      '[file]',
      'the file, or a folder for the table in it that was changed last; none: say how it stands',
    )
    .addOption(dataOption())
    .requiredOption('--list <name>', 'name or handle of the list')
    .option(
      '--key <column>',
      'column that tells the rows of the file apart; of several together, once for each',
      appendValue,
    ),
)
  .option('--end', 'follow the file no more', false)
  .action(onCall(async () => (await import('./commands/list-files.ts')).watchFile));

program
  .command('copy')
  .description('keep a file as a list is: it is written again after each change while the node runs')
  .argument('[file]', 'ends in .xlsx or .csv; none: say how it stands')
  .addOption(dataOption())
  .requiredOption('--list <name>', 'name or handle of the list')
  .option('--replace', 'take the place of a file that is there', false)
  .option('--end', 'write it no more', false)
  .action(onCall(async () => (await import('./commands/list-files.ts')).copyList));

program
  .command('demo')
  .description('show the whole of it: two offices, a shared list, rows arriving')
  .option('--stay', 'leave both windows up afterwards', false)
  .action(onCall(async () => (await import('./commands/demo.ts')).demo));

program
  .command('backup')
  .description('write the whole data folder into one file')
  .argument('<file>', 'the file to write')
  .addOption(dataUnlessStore())
  .addOption(storeOption())
  .action(onCall(async () => (await import('./commands/backup.ts')).backup));

program
  .command('restore')
  .description('put a backup in place of what is in the data folder; the old data is kept beside it')
  .argument('<file>', 'the backup')
  .addOption(dataUnlessStore())
  .addOption(storeOption())
  .action(onCall(async () => (await import('./commands/backup.ts')).restore));

program
  .command('tidy')
  .description('remove from a database what restores into it replaced, also while the office is served')
  .addOption(storeOption())
  .action(onCall(async () => (await import('./commands/backup.ts')).tidy));

program
  .command('move')
  .description(
    'move an office with its keys, so that no partner notices: from a data folder into a database, or back',
  )
  .addOption(dataOption())
  .option(
    '--to [address]',
    'the empty database to move it into, as postgres://user@host/name (default: FOOTBRIDGE_STORE)',
    databaseAddress,
  )
  .option(
    '--from [address]',
    'the database to move it out of, into the data folder, which is empty or not there',
    databaseAddress,
  )
  .option('--give-up', 'end a move that has not arrived: the office stays where it was', false)
  .addHelpText(
    'after',
    '\nNobody may serve the office meanwhile. A move that was ended in its middle goes on when it is called again.\nThe secret of the database is given as for serve (docs/hub.md).',
  )
  .action(onCall(async () => (await import('./commands/move.ts')).move));

program
  .command('doctor')
  .description('check a data folder and explain what is found')
  .addOption(dataOption())
  .option('--salvage <list>', 'write the rows that only damaged files of this list hold into a new list')
  .action(onCall(async () => (await import('./commands/doctor.ts')).doctor));

program
  .command('bench')
  .description('run the benchmarks (from a source checkout)')
  .option('--json', 'print JSON instead of a table', false)
  .action(onCall(async () => (await import('./commands/bench.ts')).bench));

/** As root, the data folder that the command uses, and its owner. */
let folder: { readonly path: string; readonly owner: Stats } | undefined;
program.hook('preAction', async (_program, command) => {
  const { data }: { data?: unknown } = command.opts();
  if (typeof data !== 'string' || process.getuid?.() !== 0) return;
  const owner = await stat(data).catch(() => undefined);
  folder = owner && { path: data, owner };
});
try {
  await program.parseAsync();
} catch (error) {
  process.exitCode = reportError(error);
} finally {
  if (folder) await (await import('./commands/data-folder.ts')).giveToOwner(folder.path, folder.owner);
}

/**
 * Prints an error on stderr, with its stack if unexpected, unless Commander did. Returns the exit code: a
 * `CommandFailure`'s own, 2 (or 0 for help) from Commander, otherwise 1.
 */
function reportError(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : WRONG_USAGE;
  const plain =
    error instanceof CommandFailure ||
    error instanceof StoreError ||
    error instanceof DatabaseAway ||
    error instanceof Refusal ||
    error instanceof CertificateError ||
    error instanceof ListenError;
  const message = plain
    ? error.message
    : error instanceof Error
      ? (error.stack ?? error.message)
      : String(error);
  process.stderr.write(`footbridge: ${message}\n`);
  return error instanceof CommandFailure ? error.exitCode : 1;
}
