import { shownFileName } from '../../base/file-names.ts';
import { Router } from 'express';
import type { ListFiles as Answered, WatchTrial } from '../../contract/app/list-files.ts';
import { doubtsAnswer, importAnswer, rejectionsAnswer } from '../../app/import-answer.ts';
import type { Lists } from '../../lists/lists.ts';
import type { ListFiles } from '../../lists/watched/list-files.ts';
import type { WatchedState } from '../../lists/watched/file-states.ts';
import type { FollowRequest } from '../../lists/watched/choose-reading.ts';
import type { Say, Words } from '../../words/said.ts';
import { handleCall } from './handle-call.ts';
import { omitUndefined } from '../../base/omit-undefined.ts';

export interface ListFilesDeps {
  readonly lists: Lists;
  readonly files: ListFiles;
}

/**
 * Serves the file that a list follows (trial, start, answers to what it asks, end) and its exported copy (start, end).
 * All calls but the trial return both.
 */
export function listFilesRouter({ lists, files }: ListFilesDeps): Router {
  const router = Router();
  const { watched, copies } = files;

  /** Returns the file that a list follows and its exported copy, as far as there are any. */
  async function filesAnswer(m: string, say: Say): Promise<Answered> {
    const state = await watched.get(m);
    const copy = await copies.get(m);
    return {
      ...(state ? { watched: await watchedAnswer(lists, state, say) } : {}),
      ...(copy
        ? {
            copy: {
              path: copy.copy.path,
              ...(copy.writtenAt === undefined ? {} : { writtenAt: copy.writtenAt }),
              ...problemMember(copy.problem, say),
            },
          }
        : {}),
    };
  }

  handleCall(router, 'GET /app/lists/:m/files', ({ params, say }) => filesAnswer(params.m, say));
  handleCall(router, 'PUT /app/lists/:m/watched', async ({ params, body, by, say }) => {
    await watched.watch(params.m, { ...toFollowRequest(body), key: body.key }, by);
    return filesAnswer(params.m, say);
  });
  handleCall(router, 'POST /app/lists/:m/watched/trial', async ({ params, body, say }) => {
    const { key, start, ...result } = await watched.tryFile(params.m, toFollowRequest(body), body.key);
    return { ...importAnswer(result, say), key: [...key], start: [...start] };
  });
  handleCall(router, 'POST /app/lists/:m/watched/answer', async ({ params, body, say }) => {
    if ('mark' in body) await watched.decideDeletions(params.m, body);
    else await watched.settleDoubts(params.m, omitUndefined(body.reading));
    return filesAnswer(params.m, say);
  });
  handleCall(router, 'DELETE /app/lists/:m/watched', async ({ params, say }) => {
    await watched.stopWatching(params.m);
    return filesAnswer(params.m, say);
  });
  handleCall(router, 'PUT /app/lists/:m/copy', async ({ params, body, say }) => {
    await copies.startCopy(params.m, body);
    return filesAnswer(params.m, say);
  });
  handleCall(router, 'DELETE /app/lists/:m/copy', async ({ params, say }) => {
    await copies.stopCopy(params.m);
    return filesAnswer(params.m, say);
  });
  return router;
}

/** Returns a trial's request as the one to follow the file. */
const toFollowRequest = ({ path, match, reading = {} }: WatchTrial): Omit<FollowRequest, 'key'> => ({
  path,
  ...(match ? { match } : {}),
  reading: omitUndefined(reading),
});

/**
 * Returns the state of a followed file with the labels of its key columns that exist, its last import and its problem.
 */
async function watchedAnswer(
  lists: Pick<Lists, 'module'>,
  { file, problem, last }: WatchedState,
  say: Say,
): Promise<NonNullable<Answered['watched']>> {
  const { fields } = await lists.module(file.moduleID);
  const key = file.keyFieldIDs.flatMap((id) => fields.find(({ fieldID }) => fieldID === id)?.label ?? []);
  return {
    path: file.path,
    key,
    ...problemMember(problem, say),
    ...(last
      ? {
          last: {
            at: last.at,
            file: shownFileName(last.of.path),
            created: last.created,
            updated: last.updated,
            removed: last.removed,
            ...rejectionsAnswer(last, say),
            sums: [...last.sums],
            notes: last.notes.map(say),
            doubts: doubtsAnswer(last.doubts),
            start: [...last.start],
            unsure: last.isUnsure,
            ...(last.waiting ? { waiting: last.waiting } : {}),
          },
        }
      : {}),
  };
}

/** Returns a problem in words as a member; {} without one. */
function problemMember(
  problem: { readonly at: string; readonly words: Words } | undefined,
  say: Say,
): { readonly problem?: { readonly at: string; readonly why: string } } {
  return problem ? { problem: { at: problem.at, why: say(problem.words) } } : {};
}
