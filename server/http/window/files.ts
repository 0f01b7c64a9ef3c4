import { createReadStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Router } from 'express';
import { Refusal } from '../../base/refusal.ts';
import type { Clock } from '../../base/clock.ts';
import { StoreError, type Partition } from '../../store/store.ts';
import { revalidateCaller } from '../auth/caller.ts';
import type { EventStream } from '../listeners/event-stream.ts';
import { streamResponse } from '../listeners/stream-response.ts';
import { handleCall, handleFileCall } from './handle-call.ts';
import { noteSavedBackup } from '../../app/saved-backup.ts';
import type { PreparedBackups } from './prepared-backups.ts';
import { BACKUP_LIMITS, receiveUpload } from './upload.ts';

export interface FilesDeps {
  readonly backups: Pick<PreparedBackups, 'prepare' | 'consume'>;
  readonly system: Partition;
  readonly clock: Pick<Clock, 'now'>;
  readonly events: Pick<EventStream, 'send'>;
  /** Replaces everything by this backup. */
  readonly restore: (file: string) => Promise<void>;
  readonly supportBundle: () => Promise<Uint8Array>;
}

/**
 * Serves backups, made first and then downloaded once by key, their restore, and the support bundle. Stores when a
 * backup was saved.
 */
export function filesRouter(deps: FilesDeps): Router {
  const { backups, system, restore, supportBundle } = deps;
  const router = Router();

  handleCall(router, 'POST /app/backup', async () => ({
    download: `/app/backup?key=${await backups.prepare()}`,
  }));

  handleFileCall(router, 'GET /app/backup', async ({ query: { key } }, res) => {
    await backups.consume(key, async (file) => {
      res.attachment(`footbridge-${new Date().toISOString().slice(0, 10)}.backup`);
      const isSaved = await streamResponse(res, createReadStream(file));
      if (!isSaved) return;
      await noteSavedBackup(system, new Date(deps.clock.now()).toISOString());
      deps.events.send({ type: 'settings' });
    });
  });

  handleCall(router, 'POST /app/restore', async ({ req }) => {
    await withTemporaryFolder(async (folder) => {
      const file = join(folder, 'backup');
      await receiveUpload(req, file, BACKUP_LIMITS);
      await revalidateCaller(req);
      await restore(file).catch(refuseFile);
    });
  });

  handleFileCall(router, 'GET /app/support-bundle', async (_, res) => {
    res.attachment('footbridge-support.zip');
    res.type('application/zip');
    res.end(Buffer.from(await supportBundle()));
  });

  return router;
}

/** Throws a damaged or newer backup file's error as `store.…` (422), others unchanged. */
function refuseFile(error: unknown): never {
  if (!(error instanceof StoreError) || !['damaged', 'newer-version'].includes(error.code)) throw error;
  throw new Refusal('impossible', `store.${error.code}`, error.words, { cause: error });
}

/** Runs `work` with a new temporary folder, and deletes it in any case. */
async function withTemporaryFolder(work: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'footbridge-'));
  try {
    await work(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
