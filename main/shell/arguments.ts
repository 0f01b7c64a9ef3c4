import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { INVITE_FILE, isLink } from './deep-link.ts';

const port = z.coerce.number().int().min(0).max(65_535);

/** A parsed command line; also what a second start hands to the first. */
export const startArguments = z.object({
  /** Start in the tray without a window, like the login item. */
  hidden: z.boolean(),
  /** The node's data folder, absolute; default: the system's usual place. */
  dataDir: z.string().optional(),
  /** A link to open, unchecked. */
  link: z.string().optional(),
  /** An invite file to open, absolute. */
  file: z.string().optional(),
  /** Ports for partners and the window, as for the headless node; 0 is any free one. */
  port: port.optional(),
  windowPort: port.optional(),
  /** Allows partners on this computer, for trials. */
  allowLoopbackPartners: z.boolean().optional(),
});
export type StartArguments = z.infer<typeof startArguments>;

/** Returns the value of `--name value` or `--name=value`; undefined if absent. */
function valueOf(args: readonly string[], name: string): string | undefined {
  const joined = args.find((arg) => arg.startsWith(`${name}=`))?.slice(name.length + 1);
  const position = args.indexOf(name);
  const value = joined ?? (position >= 0 ? args[position + 1] : undefined);
  return value === undefined || value === '' || value.startsWith('--') ? undefined : value;
}

/**
 * Returns the path that an argument names, also as a file URL, which some file managers pass; undefined for an
 * invalid one.
 */
function pathOf(arg: string): string | undefined {
  if (!/^file:/i.test(arg)) return arg;
  try {
    return fileURLToPath(arg);
  } catch {
    return undefined;
  }
}

const WITH_VALUE: ReadonlySet<string> = new Set(['--data', '--port', '--window-port']);

/** Returns arguments that are neither switches nor their values: a data folder may be named like an invite file. */
const loose = (args: readonly string[]): string[] =>
  args.filter((arg, at) => !arg.startsWith('-') && !WITH_VALUE.has(args[at - 1] ?? ''));

/**
 * Parses the arguments after the program's own; paths are relative to `cwd`. Ignores unknown switches of Chromium
 * or the system, and everything after a link: a link that breaks out of its quotes must not bring switches.
 */
export function parseArguments(all: readonly string[], cwd: string): StartArguments {
  const at = all.findIndex(isLink);
  const link = all[at];
  const args = at < 0 ? all : all.slice(0, at);
  const dataDir = valueOf(args, '--data');
  const file = loose(args)
    .map(pathOf)
    .find((path) => path !== undefined && INVITE_FILE.test(path));
  const partnerPort = port.safeParse(valueOf(args, '--port')).data;
  const windowPort = port.safeParse(valueOf(args, '--window-port')).data;
  return {
    hidden: args.includes('--hidden'),
    ...(dataDir === undefined ? {} : { dataDir: resolve(cwd, dataDir) }),
    ...(link === undefined ? {} : { link }),
    ...(file === undefined ? {} : { file: resolve(cwd, file) }),
    ...(partnerPort === undefined ? {} : { port: partnerPort }),
    ...(windowPort === undefined ? {} : { windowPort }),
    ...(args.includes('--allow-loopback-partners') ? { allowLoopbackPartners: true } : {}),
  };
}

/**
 * Returns the arguments to restart this program with, for another start's link or file, which come last. Keeps its
 * own switches but `--hidden`, and drops the link or file that it was started for.
 */
export function argumentsAgain(argv: readonly string[], { link, file }: StartArguments): string[] {
  const at = argv.findIndex(isLink);
  const before = argv.slice(1, at < 0 ? undefined : at);
  const files = loose(before).filter((arg) => INVITE_FILE.test(arg));
  const kept = before.filter((arg) => arg !== '--hidden' && !files.includes(arg));
  return [...kept, ...[file, link].filter((asked) => asked !== undefined)];
}

/**
 * Linux passes a second start's command line to the first in a message of 32 KiB, our parsed form included,
 * and kills the first if it doesn't fit: any web page's link could do that. No invite comes near this.
 */
const MAX_HANDED_OVER = 9 * 1024;

/** Returns whether the command line is short enough to be passed to the running instance. */
export const fitsHandingOver = (argv: readonly string[]): boolean =>
  Buffer.byteLength(argv.join(' ')) <= MAX_HANDED_OVER;

/** Returns the arguments after the program: a packaged app has only itself in front, `electron <folder>` two. */
export function ownArguments(argv: readonly string[], packaged: boolean): readonly string[] {
  return argv.slice(packaged ? 1 : 2);
}
