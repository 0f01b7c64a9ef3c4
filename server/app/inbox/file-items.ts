import { shownFileName } from '../../base/file-names.ts';
import type { CopyState } from '../../lists/watched/exported-copies.ts';
import type { WatchedState } from '../../lists/watched/file-states.ts';
import { said } from '../../words/said.ts';
import type { Draft, InboxFacts } from './draft.ts';

/** Followed files and copies of lists that wait for something or need the user. */
export function fileItems(
  watched: readonly WatchedState[],
  copies: readonly CopyState[],
  listNames: InboxFacts['listNames'],
): Draft[] {
  return [
    ...watched.flatMap((state) => waitingRows(state, listNames)),
    ...watched.flatMap(({ file, problem }) => problemItems('watched', file.moduleID, problem, listNames)),
    ...copies.flatMap(({ copy, problem }) => problemItems('copy', copy.moduleID, problem, listNames)),
  ];
}

function waitingRows(
  { file: { moduleID }, last }: WatchedState,
  listNames: InboxFacts['listNames'],
): Draft[] {
  if (!last?.waiting) return [];
  const { rows, emptied, mark } = last.waiting;
  const file = shownFileName(last.of.path);
  return [
    {
      itemID: `file-waits-${moduleID}-${mark}`,
      kind: 'file-waits',
      at: last.at,
      moduleID,
      listName: listNames.get(moduleID) ?? '',
      rows: rows + emptied,
      message:
        rows > 0
          ? said('inbox.file-waits', { file, n: rows })
          : said('inbox.file-empties', { file, n: emptied }),
    },
  ];
}

function problemItems(
  of: 'watched' | 'copy',
  moduleID: string,
  problem: WatchedState['problem'],
  listNames: InboxFacts['listNames'],
): Draft[] {
  if (!problem) return [];
  const listName = listNames.get(moduleID) ?? '';
  const itemID = `file-problem-${of}-${moduleID}-${problem.at}`;
  return [{ itemID, kind: 'file-problem', at: problem.at, moduleID, listName, message: problem.words }];
}
