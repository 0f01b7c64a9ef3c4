import { MAX_FILE_BYTES } from '../base/vocabulary.ts';
import { createReadStream } from 'node:fs';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import { buffer } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { z } from 'zod';
import { plainName } from '../base/plain-name.ts';
import { importAnswer, importPreview } from '../contract/app/import.ts';
import { listSummary } from '../contract/app/lists.ts';
import { existingDataFolder } from './data-folder.ts';
import { CommandFailure, fileProblem } from './failure.ts';
import { withNode, type LocalNode } from './with-node.ts';
import { notesOn, TYPED_DELIMITERS } from './import-notes.ts';

export interface ImportOptions {
  readonly data: string;
  readonly list: string;
  readonly key?: readonly string[];
  readonly delimiter?: string;
  readonly encoding?: string;
  readonly numbers?: keyof typeof DECIMAL_SIGNS;
  readonly dates?: 'dmy' | 'mdy' | 'ymd';
  readonly sheet?: string;
  /** Counts from 1. */
  readonly headingLine?: string;
  /** False: the first row is data. */
  readonly heading?: boolean;
  readonly withoutSums?: boolean;
}

const DECIMAL_SIGNS = { comma: ',', point: '.' } as const;

const MAX_REASONS = 20;

const ADVICE =
  'If the heading is in another line, say which with --heading-line, or --no-heading if there is none. If columns are split wrongly, use --delimiter; if letters look wrong, --encoding.';

/** Returns the reading options as the interface's query parameters; header line '0' means none. */
export const readingOf = ({
  delimiter,
  encoding,
  numbers,
  dates,
  sheet,
  heading = true,
  headingLine,
}: ImportOptions): Readonly<
  Record<'delimiter' | 'encoding' | 'decimal' | 'dateOrder' | 'sheet' | 'headerLine', string | undefined>
> => ({
  encoding,
  sheet,
  decimal: numbers && DECIMAL_SIGNS[numbers],
  dateOrder: dates?.toUpperCase(),
  delimiter: delimiter === undefined ? undefined : (TYPED_DELIMITERS[delimiter] ?? delimiter),
  headerLine: heading ? headingLine : '0',
});

/**
 * `footbridge import`: imports a CSV file or sheet into the list of this name, made if missing; prints counts, notes
 * and rejected lines. Throws `CommandFailure` if the file can't be read, is over 64 MB, or no line could go in.
 */
export async function importFile(file: string, options: ImportOptions): Promise<void> {
  // A device or pipe may never end: one byte more than the node takes is enough.
  const bytes = await buffer(createReadStream(file, { end: MAX_FILE_BYTES })).catch((error: unknown) => {
    throw new CommandFailure(`${file} can't be read. ${fileProblem(error)}`);
  });
  if (bytes.length > MAX_FILE_BYTES)
    throw new CommandFailure(`${file} has more than 64 MB. Split it into several files.`);
  const reading = new URLSearchParams();
  for (const [name, value] of Object.entries(readingOf(options)))
    if (value !== undefined) reading.set(name, value);
  if (options.withoutSums) reading.set('sums', 'out');
  const query = new URLSearchParams([
    ...reading,
    ['list', options.list],
    ['file', basename(file).slice(0, 300)],
  ]);
  for (const column of options.key ?? []) query.append('key', column);
  await withNode(options.data, async (node) => {
    const shown = await printNotes(node, bytes, { reading, list: options.list });
    const answer = await node
      .call('POST', `/app/import?${query.toString()}`, bytes)
      .catch((error: unknown) => {
        if (!(error instanceof CommandFailure) || error.code !== 'csv.nothing-in') throw error;
        throw new CommandFailure(`${error.message} ${ADVICE}`);
      });
    const { response } = z.object({ response: importAnswer }).parse(await answer.json());
    const { created, updated, unchanged, rejectedLines } = response;
    process.stdout.write(
      `${options.list}: ${created} rows new, ${updated} changed, ${unchanged} unchanged, ${rejectedLines} lines rejected\n`,
    );
    for (const note of response.notes.filter((each) => !shown.includes(each)))
      process.stderr.write(`${plainName(note)}\n`);
    for (const header of response.ignored)
      process.stderr.write(`column “${plainName(header)}” fits none of the list and is left out\n`);
    printSums(response, options.withoutSums === true);
    printRejected(response);
    if (rejectedLines > 0 && created + updated + unchanged === 0)
      throw new CommandFailure(`No line could go in. ${ADVICE}`);
  });
}

/**
 * Prints what a preview leaves out, guesses and notes, and returns its notes alone. `reading`: the reading options as a
 * query.
 */
async function printNotes(
  node: LocalNode,
  bytes: Buffer<ArrayBuffer>,
  { reading, list }: { readonly reading: URLSearchParams; readonly list: string },
): Promise<readonly string[]> {
  const answer = await node.call('POST', `/app/import/preview?${reading.toString()}`, bytes);
  const { response } = z.object({ response: importPreview }).parse(await answer.json());
  const isNew = !findListByName(await fetchLists(node), list);
  for (const note of notesOn(response, isNew)) process.stderr.write(`${note}\n`);
  for (const note of response.notes) process.stderr.write(`${plainName(note)}\n`);
  return response.notes;
}

/** Prints, to stderr, lines that seem to be totals or footers, and whether they are left out. */
export function printSums({ sums }: Pick<z.infer<typeof importAnswer>, 'sums'>, areOut: boolean): void {
  for (const { line, text } of sums)
    process.stderr.write(
      areOut
        ? `line ${line} (${plainName(text)}) is a total or a footer and is left out\n`
        : `line ${line} (${plainName(text)}) seems to be a total or a footer: --without-sums leaves it out\n`,
    );
}

/** Prints on standard error up to 20 reasons with their lines, and how many more there are. */
export function printRejected({ reasons }: Pick<z.infer<typeof importAnswer>, 'reasons'>): void {
  for (const { reason, count, lines } of reasons.slice(0, MAX_REASONS)) {
    const [first = 0] = lines;
    const shown = `${lines.join(', ')}${count > lines.length ? ', …' : ''}`;
    const which = count > 1 ? `${count} lines (${shown}), such as line ${first}` : `line ${first}`;
    // File content must not reach the terminal as a command.
    process.stderr.write(`${which}: ${plainName(reason)}\n`);
  }
  if (reasons.length > MAX_REASONS) {
    process.stderr.write(`and ${reasons.length - MAX_REASONS} more reasons\n`);
  }
}

/**
 * `footbridge export`: writes a list to standard output. Throws `CommandFailure` for an unknown list, or ids in CSV.
 */
export async function exportList(options: {
  data: string;
  list: string;
  format: 'csv' | 'xlsx';
  ids: boolean;
}): Promise<void> {
  if (options.ids && options.format !== 'xlsx')
    throw new CommandFailure('Ids stand in workbooks only: add --format xlsx.');
  await withNode(existingDataFolder(options.data), async (node) => {
    const moduleID = await findList(node, options.list);
    const answer = await node.call(
      'GET',
      `/app/lists/${moduleID}/export.${options.format}${options.ids ? '?ids=1' : ''}`,
    );
    if (answer.body) {
      await pipeline(Readable.fromWeb(answer.body as ReadableStream), process.stdout, { end: false }).catch(
        ignoreClosedReader,
      );
    }
  });
}

/** Rethrows the error unless the reader, such as `head`, stopped reading. */
function ignoreClosedReader(error: unknown): void {
  if (!(error instanceof Error && 'code' in error && error.code === 'EPIPE')) throw error;
}

/**
 * Returns the id of the first list with this name or handle, in any case. Throws `CommandFailure`, naming the lists.
 */
export async function findList(node: LocalNode, name: string): Promise<string> {
  const lists = await fetchLists(node);
  const found = findListByName(lists, name);
  if (found) return found.moduleID;
  const names = lists.map((list) => list.name).join(', ');
  throw new CommandFailure(
    `There is no list ${name}. ${names ? `There are: ${names}.` : 'There are no lists yet.'}`,
  );
}

type ListSummary = z.infer<typeof listSummary>;

/** Fetches all lists from the node. */
async function fetchLists(node: LocalNode): Promise<readonly ListSummary[]> {
  const answer = await node.call('GET', '/app/lists');
  return z.object({ response: z.array(listSummary) }).parse(await answer.json()).response;
}

/** Returns the list with this name or handle, in any case; undefined without one. */
function findListByName(lists: readonly ListSummary[], name: string): ListSummary | undefined {
  const wanted = name.trim().toLowerCase();
  return lists.find((list) => list.name.toLowerCase() === wanted || list.handle.toLowerCase() === wanted);
}
