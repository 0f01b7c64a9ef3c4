import { Router } from 'express';
import { omitUndefined } from '../../../base/omit-undefined.ts';
import { activityEntry } from '../../../app/activity.ts';
import type { ErrorBody } from '../../../contract/common.ts';
import type { Federation } from '../../../federation/federation.ts';
import { pauseRequest, revokeRequest } from '../../../contract/wire/upkeep.ts';
import { jsonBody } from './bodies.ts';
import type { Guards } from './guards.ts';
import { emptyAnswer } from './nodes.ts';
import { userID } from '../../auth/caller.ts';
import { queryText, isSelected } from './params.ts';
import type { StatusWithHistory, SyncControl } from './sync-control.ts';
import { pathID } from '../../listeners/path-id.ts';
import type { SyncNowResult } from '../../../sync/sync-now.ts';
import { english } from '../../../words/said.ts';

interface UpkeepDeps {
  readonly federation: Federation;
  readonly guards: Guards;
  readonly sync: SyncControl;
  readonly onSyncFailed: (nodeID: string, error: unknown) => void;
}

/**
 * Serves a partner's sync status, and the calls that sync, pause, resume and revoke it. A sync answers when the pull is
 * over, or at once with `?wait=0` (202); an incomplete pull gets 502 with its result.
 */
export function upkeepRouter({ federation, guards, sync, onSyncFailed }: UpkeepDeps): Router {
  const router = Router();
  const { nodes, disconnects, rowHandover } = federation;

  router
    .route('/nodes/:n/sync')
    .get(guards.read, async (req, res) => {
      const { nodeID } = await nodes.get(pathID(req, 'n'));
      res.json({ response: statusForScripts(await sync.status(nodeID)) });
    })
    .post(guards.edit, async (req, res) => {
      const { nodeID } = await nodes.get(pathID(req, 'n'));
      const waits = queryText(req, 'wait') === undefined || isSelected(req, 'wait');
      const pull = sync.syncNow(nodeID);
      if (!waits) {
        pull.catch((error: unknown) => onSyncFailed(nodeID, error));
        res.status(202).json({});
        return;
      }
      const response = await pull;
      const error = toIncompleteError(response);
      if (error) res.status(502).json({ error, response });
      else res.json({ response });
    });

  router.post('/nodes/:n/pause', guards.admin, jsonBody, async (req, res) => {
    const wish = pauseRequest.parse(req.body ?? {});
    res.json(emptyAnswer(await nodes.pause(pathID(req, 'n'), wish), req));
  });

  router.post('/nodes/:n/resume', guards.admin, async (req, res) => {
    res.json(emptyAnswer(await nodes.resume(pathID(req, 'n')), req));
  });

  router.post('/nodes/:n/revoke', guards.admin, jsonBody, async (req, res) => {
    const { received } = revokeRequest.parse(req.body ?? {});
    const node = await disconnects.revoke(
      pathID(req, 'n'),
      userID(req),
      received === undefined ? {} : { received },
    );
    if (received !== undefined) {
      await sync.settled(node.nodeID);
      await rowHandover.releaseRows(node.nodeID, received);
    }
    res.json(emptyAnswer(node, req));
  });

  return router;
}

/** Returns an error (`sync.incomplete`) that names the failed lists by reason; undefined for a complete pull. */
function toIncompleteError({ modules }: SyncNowResult): ErrorBody['error'] | undefined {
  const namesOf = new Map<string, string[]>();
  for (const { name, error } of modules)
    if (error !== undefined) namesOf.set(error, [...(namesOf.get(error) ?? []), `“${name}”`]);
  if (namesOf.size === 0) return undefined;
  const failed = modules.filter(({ error }) => error !== undefined).length;
  const reasons = [...namesOf].map(([error, names]) => `${names.join(', ')}: ${error}`);
  const message = `${failed} of ${modules.length} lists could not be fetched: ${reasons.join(' ')}`;
  return { code: 'sync.incomplete', message };
}

/**
 * Returns a partner's status with all sentences in English, and its lists and activities with the members meant for
 * scripts.
 */
function statusForScripts({ reason, also, lists, history, ...status }: StatusWithHistory): object {
  return {
    ...status,
    reason: english(reason),
    also: also.map(english),
    lists: lists.map(
      ({ sharedModuleID, moduleID, lastPulledAt, couldNotApply, kept, differing, problem }) => ({
        ...{ sharedModuleID, moduleID, couldNotApply },
        ...omitUndefined({
          lastPulledAt,
          kept,
          differing,
          problem: problem === undefined ? undefined : english(problem),
        }),
      }),
    ),
    history: history.map((happened) => activityEntry(happened, english)),
  };
}
