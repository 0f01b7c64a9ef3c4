import type { Request } from 'express';
import { open } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Refusal } from '../../base/refusal.ts';
import { systemDisk } from '../../store/files/disk.ts';
import { withStoreErrors } from '../../store/files/disk-steps.ts';
import { StoreError } from '../../store/store.ts';
import { said } from '../../words/said.ts';

export interface UploadLimits {
  readonly mostBytes: number;
  readonly spareBytes: number;
}

/** Three times a backup of five million rows. */
export const BACKUP_LIMITS: UploadLimits = { mostBytes: 8 * 1024 ** 3, spareBytes: 256 * 1024 ** 2 };

/**
 * Streams a request's body into a new private file, which the caller removes in any case. Throws `restore.size` (413),
 * `request.cut-off` (400) if the sender left, or `StoreError`, such as `full`.
 */
export async function receiveUpload(req: Request, file: string, limits: UploadLimits): Promise<void> {
  const free = (await systemDisk.free(dirname(file))) - limits.spareBytes;
  /** Throws `restore.size` (413) beyond the limit, and `StoreError` `full` beyond the free space. */
  const assertRoom = (bytes: number): void => {
    if (bytes > limits.mostBytes)
      throw new Refusal(
        'too-large',
        'restore.size',
        said('backup.too-large', { most: Math.floor(limits.mostBytes / 1024 ** 2) }),
      );
    if (bytes > free) throw new StoreError('full', said('disk.no-room-for-file'));
  };
  assertRoom(Number(req.get('content-length') ?? 0));
  await withStoreErrors(async () => {
    const handle = await open(file, 'wx', 0o600);
    try {
      let size = 0;
      for await (const chunk of bodyChunks(req)) {
        size += chunk.byteLength;
        assertRoom(size);
        for (let at = 0; at < chunk.byteLength;)
          at += (await handle.write(chunk, at, chunk.byteLength - at)).bytesWritten;
      }
    } finally {
      await handle.close();
    }
  });
}

/**
 * Yields the request's body; the connection stays open for a refusal when reading stops early. Throws
 * `request.cut-off` (400) if the sender left.
 */
async function* bodyChunks(req: Request): AsyncGenerator<Uint8Array> {
  try {
    yield* req.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>;
  } catch (cause) {
    if (!req.destroyed) throw cause;
    throw new Refusal('malformed', 'request.cut-off', said('backup.not-whole'), {
      cause,
    });
  }
}
