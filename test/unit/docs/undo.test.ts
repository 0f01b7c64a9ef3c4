import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { CALLS, type CallName } from '../../../server/contract/app/calls.ts';

/**
 * Calls that change or end something, with the action of docs/undo.md that each carries out. A new call fails here until
 * it has a line, either there or among those that take nothing away.
 */
const ACTIONS: Partial<Record<CallName, string>> = {
  'PATCH /app/lists/:m/rows/:r': 'Change, paste, clear or fill cells',
  'POST /app/lists/:m/cells': 'Change, paste, clear or fill cells',
  'POST /app/lists/:m/rows/delete': 'Delete rows',
  'DELETE /app/lists/:m/rows/:r': 'Delete rows',
  'POST /app/import': 'Import a file',
  'POST /app/lists/:m/rows/join': 'Join duplicates',
  'POST /app/lists/:m/rows/:r/revert': 'Take back local edits of a received row',
  'PATCH /app/lists/:m': 'Add, rename, move or change columns',
  'DELETE /app/lists/:m': 'Delete a list',
  'DELETE /app/bin/:m': 'Delete a list or column in the bin for good',
  'DELETE /app/lists/:m/bin/:f': 'Delete a list or column in the bin for good',
  'PUT /app/lists/:m/views/:v': 'Save a view over its earlier state',
  'DELETE /app/lists/:m/views/:v': 'Delete a view',
  'PUT /app/lists/:m/columns': 'Hide, move or freeze columns of the grid',
  'PUT /app/lists/:m/watched': 'Follow a file, keep a copy of a list',
  'POST /app/lists/:m/watched/answer': 'Let a followed file change or delete rows',
  'DELETE /app/lists/:m/watched': 'Follow a file, keep a copy of a list',
  'PUT /app/lists/:m/copy': 'Follow a file, keep a copy of a list',
  'DELETE /app/lists/:m/copy': 'Follow a file, keep a copy of a list',
  'DELETE /app/partners/:n/shares/:m': 'Stop sharing',
  'PUT /app/partners/:n/shares/:m': 'Share fewer columns or rows',
  'PUT /app/partners/:n/offers/:s/matching': 'Match an offered list, or in another way',
  'DELETE /app/partners/:n/offers/:s/matching': 'End a matching, keep or remove its rows',
  'POST /app/partners/:n/offers/:s/brake': 'Approve a held change of a partner',
  'POST /app/partners/:n/offers/:s/settle': 'Dismiss an offer, a difference or a message',
  'POST /app/partners/:n/offers/:s/dismiss': 'Dismiss an offer, a difference or a message',
  'POST /app/inbox/:itemID/dismiss': 'Dismiss an offer, a difference or a message',
  'POST /app/partners/:n/decline': 'Decline a request to connect',
  'POST /app/partners/:n/disconnect': 'Disconnect a partner',
  'PATCH /app/partners/:n': 'Rename a partner, change settings',
  'PUT /app/partners/:n/fallback': 'Rename a partner, change settings',
  'PATCH /app/settings': 'Rename a partner, change settings',
  'POST /app/sessions/end': 'Sign a window out',
  'POST /app/restore': 'Restore a backup',
};

/** Calls that add, read, repeat or take something back. */
const TAKES_NOTHING: readonly CallName[] = [
  'POST /app/sync',
  'POST /app/pause',
  'POST /app/resume',
  'POST /app/nearby',
  'POST /app/sessions/link',
  'POST /app/backup',
  'POST /app/invites',
  'POST /app/invites/check',
  'POST /app/invites/accept',
  'POST /app/partners/:n/approve',
  'POST /app/partners/:n/words',
  'POST /app/partners/:n/pair',
  'POST /app/partners/:n/reinvite',
  'POST /app/partners/:n/sync',
  'POST /app/partners/:n/pause',
  'POST /app/partners/:n/resume',
  'POST /app/partners/:n/shares-seen',
  'POST /app/partners/:n/failed/retry',
  'POST /app/partners/:n/offers/:s/twice',
  'POST /app/partners/:n/offers/:s/list',
  'POST /app/partners/:n/offers/:s/recall',
  'POST /app/partners/:n/offers/:s/compare',
  'POST /app/partners/:n/offers/:s/repull',
  'POST /app/lists',
  'POST /app/lists/:m/salvage',
  'POST /app/bin/:m/restore',
  'POST /app/lists/:m/bin/:f/restore',
  'POST /app/lists/:m/watched/trial',
  'POST /app/lists/:m/views',
  'POST /app/lists/:m/views/:v/restore',
  'POST /app/lists/:m/rows',
  'POST /app/lists/:m/rows/restore',
  'POST /app/lists/:m/rows/:r/restore',
  'POST /app/lists/:m/undo',
  'POST /app/lists/:m/redo',
  'POST /app/import/preview',
  'POST /app/import/trial',
  'POST /app/samples',
];

it('has a line in docs/undo.md for each call that takes something away', async () => {
  const writing = Object.keys(CALLS).filter((name) => !name.startsWith('GET '));
  expect([...Object.keys(ACTIONS), ...TAKES_NOTHING].sort()).toEqual(writing.sort());
  const page = await readFile(new URL('../../../docs/undo.md', import.meta.url), 'utf8');
  const lines = new Map(
    [...page.matchAll(/^\| ([^|]+?) +\| ([^|]+?) +\| ([^|]+?) +\|$/gm)].map(([, action, back]) => [
      action,
      back,
    ]),
  );
  const lacking = Object.values(ACTIONS).filter((action) => !lines.get(action)?.trim());
  expect(lacking).toEqual([]);
});
