import { resolve } from 'node:path';
import { z } from 'zod';
import { plainName } from '../base/plain-name.ts';
import { watchTrialAnswer } from '../contract/app/import.ts';
import { listFiles, type ListFiles } from '../contract/app/list-files.ts';
import { existingDataFolder } from './data-folder.ts';
import { CommandFailure } from './failure.ts';
import { doubtNotes } from './import-notes.ts';
import { findList, readingOf, printRejected, printSums, type ImportOptions } from './import-export.ts';
import { withNode } from './with-node.ts';

export interface WatchOptions extends ImportOptions {
  readonly end: boolean;
}

/**
 * `footbridge watch`: makes a list follow a file, or with `end` none any more; without both changes nothing; always
 * prints the state. Throws `CommandFailure` for a file without `--key`.
 */
export async function watchFile(file: string | undefined, options: WatchOptions): Promise<void> {
  const { key, withoutSums, end } = options;
  const { headerLine, ...reading } = readingOf(options);
  if (file !== undefined && key === undefined)
    throw new CommandFailure(
      'Say with --key which column tells the rows of the file apart; of several that do so together, once for each.',
    );
  const wish = {
    path: resolve(file ?? ''),
    key,
    reading: {
      ...reading,
      ...(headerLine === undefined ? {} : { headerLine: Number(headerLine) }),
      ...(withoutSums ? { sums: 'out' } : {}),
    },
  };
  const done = await updateListFile(options, 'watched', end ? undefined : file && wish);
  process.stdout.write(`${options.list}: ${watchedLine(done.watched)}\n`);
  for (const note of doubtNotes(done.watched?.last?.doubts ?? [])) process.stderr.write(`${note}\n`);
}

export interface CopyOptions {
  readonly data: string;
  readonly list: string;
  readonly replace: boolean;
  readonly end: boolean;
}

/**
 * `footbridge copy`: keeps a copy of a list in a file, or with `end` none any more; without both changes nothing;
 * always prints the state.
 */
export async function copyList(file: string | undefined, options: CopyOptions): Promise<void> {
  const { replace, end } = options;
  const wish = { path: resolve(file ?? ''), replace };
  const done = await updateListFile(options, 'copy', end ? undefined : file && wish);
  const { copy } = done;
  const line = copy ? `written into ${copy.path}${problemIn(copy)}` : 'no copy is written';
  process.stdout.write(`${options.list}: ${line}\n`);
}

/**
 * Sets the file that a list follows or is copied to by `request`; without one ends it (`options.end`) or changes
 * nothing. Returns both files. Prints doubts, totals and rejected lines of a file to follow.
 */
async function updateListFile(
  options: Pick<WatchOptions, 'data' | 'list' | 'end'> & Partial<Pick<WatchOptions, 'withoutSums'>>,
  kind: 'watched' | 'copy',
  request: { readonly path: string; readonly reading?: object } | '' | undefined,
): Promise<ListFiles> {
  return withNode(existingDataFolder(options.data), async (node) => {
    const list = `/app/lists/${await findList(node, options.list)}`;
    let wanted = request;
    if (request && kind === 'watched') {
      const trial = await node.call('POST', `${list}/watched/trial`, JSON.stringify(request));
      const { response } = z.object({ response: watchTrialAnswer }).parse(await trial.json());
      for (const note of doubtNotes(response.doubts)) process.stderr.write(`${note}\n`);
      printSums(response, options.withoutSums === true);
      // They were named, so they are decided: later ones are a doubt.
      if (response.sums.length > 0) wanted = { ...request, reading: { sums: 'in', ...request.reading } };
      printRejected(response);
    }
    const answer = wanted
      ? await node.call('PUT', `${list}/${kind}`, JSON.stringify(wanted))
      : await (options.end ? node.call('DELETE', `${list}/${kind}`) : node.call('GET', `${list}/files`));
    return z.object({ response: listFiles }).parse(await answer.json()).response;
  });
}

/** Returns a line: which file the list follows, what its last import did, what waits, and its problem. */
function watchedLine(watched: ListFiles['watched']): string {
  if (!watched) return 'kept as in no file';
  const { path, key, last } = watched;
  const read = last
    ? `; last read ${last.at}: ${last.created} new, ${last.updated} changed, ${last.removed} into the bin, ${last.rejectedLines} lines rejected${sumsOut(last)}`
    : '';
  const waits = last?.waiting
    ? `; ${last.waiting.rows + last.waiting.emptied} rows wait for a yes in the window`
    : '';
  return `kept as in ${path}, by ${key.join(' and ')}${read}${waits}${problemIn(watched)}`;
}

const sumsOut = ({ sums }: NonNullable<NonNullable<ListFiles['watched']>['last']>): string =>
  sums.map(({ line, text }) => `, line ${line} (${plainName(text)}) left out as a sum`).join('');

const problemIn = ({ problem }: { readonly problem?: { readonly why: string } | undefined }): string =>
  problem ? `; ${plainName(problem.why)}` : '';
