import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { INVITE_FILE, isLink } from './deep-link.ts';

const port = z.coerce.number().int().min(0).max(65_535);

/** Parsed; a second start hands its own to the first. */
export const startArguments = z.object({
  /** Starts in the tray, as at login. */
  hidden: z.boolean(),
  /** Absolute; default: the system's usual place. */
  dataDir: z.string().optional(),
  /** Unchecked. */
  link: z.string().optional(),
  /** An invite file's absolute path. */
  file: z.string().optional(),
  /** For partners and the window; 0: any free port. */
  port: port.optional(),
  windowPort: port.optional(),
  allowLoopbackPartners: z.boolean().optional(),
});
export type StartArguments = z.infer<typeof startArguments>;

/** Returns a switch's value (`--name=value` or `--name value`); undefined if absent, empty, or beginning with `--`. */
function valueOfSwitch(args: readonly string[], name: string): string | undefined {
  const joined = args.find((arg) => arg.startsWith(`${name}=`))?.slice(name.length + 1);
  const position = args.indexOf(name);
  const value = joined ?? (position >= 0 ? args[position + 1] : undefined);
  return value === undefined || value === '' || value.startsWith('--') ? undefined : value;
}

/** Returns the path that an argument names, perhaps as a file URL; undefined if that is invalid. */
function parsePath(arg: string): string | undefined {
  if (!/^file:/i.test(arg)) return arg;
  try {
    return fileURLToPath(arg);
  } catch {
    return undefined;
  }
}

const WITH_VALUE: ReadonlySet<string> = new Set(['--data', '--port', '--window-port']);

const positionals = (args: readonly string[]): string[] =>
  args.filter((arg, at) => !arg.startsWith('-') && !WITH_VALUE.has(args[at - 1] ?? ''));

/**
 * Parses the arguments after the program, with paths relative to `cwd`. Ignores unknown switches, invalid ports, and
 * everything after a link: one that breaks out of its quotes must not bring switches.
 */
export function parseArguments(all: readonly string[], cwd: string): StartArguments {
  const at = all.findIndex(isLink);
  const link = all[at];
  const args = at < 0 ? all : all.slice(0, at);
  const dataDir = valueOfSwitch(args, '--data');
  const file = positionals(args)
    .map(parsePath)
    .find((path) => path !== undefined && INVITE_FILE.test(path));
  const partnerPort = port.safeParse(valueOfSwitch(args, '--port')).data;
  const windowPort = port.safeParse(valueOfSwitch(args, '--window-port')).data;
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
 * Returns the arguments to restart this program with another start's link or file: its own up to a link, but
 * `--hidden` and invite files.
 */
export function restartArguments(argv: readonly string[], { link, file }: StartArguments): string[] {
  const at = argv.findIndex(isLink);
  const before = argv.slice(1, at < 0 ? undefined : at);
  const files = positionals(before).filter((arg) => INVITE_FILE.test(arg));
  const kept = before.filter((arg) => arg !== '--hidden' && !files.includes(arg));
  return [...kept, ...[file, link].filter((asked) => asked !== undefined)];
}

/**
 * Bytes. Linux passes a second start's command line and its parsed form in one message of 32 KiB. A larger one kills the
 * first start: any web page's link could do that.
 */
const MAX_HANDED_OVER = 9 * 1024;

/** Returns whether the command line fits into a message to the running instance; if not, don't claim the instance. */
export const fitsHandingOver = (argv: readonly string[]): boolean =>
  Buffer.byteLength(argv.join(' ')) <= MAX_HANDED_OVER;

/** Returns the program's arguments: those after itself if packaged, else after `electron <folder>`. */
export function ownArguments(argv: readonly string[], packaged: boolean): readonly string[] {
  return argv.slice(packaged ? 1 : 2);
}
