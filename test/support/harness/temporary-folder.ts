import { mkdtemp, rm } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A folder of a test's own, and a way to remove it. */
export interface TemporaryFolder {
  readonly path: string;
  readonly remove: () => Promise<void>;
}

/** A new, empty folder of this test's own. */
export function temporaryFolder(): Promise<TemporaryFolder> {
  return folderIn(tmpdir());
}

/**
 * The same in memory where the system has such a place: for tests that open and close a store hundreds of
 * times and look at what was written, not at whether it reached the disk.
 */
export function temporaryFolderInMemory(): Promise<TemporaryFolder> {
  return folderIn(existsSync('/dev/shm') ? '/dev/shm' : tmpdir());
}

async function folderIn(parent: string): Promise<TemporaryFolder> {
  const path = await mkdtemp(join(parent, 'footbridge-test-'));
  return { path, remove: () => rm(path, { recursive: true, force: true, maxRetries: 3 }) };
}
