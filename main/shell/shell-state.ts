import { copyFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { createMutex } from '../../server/base/concurrency/mutex.ts';
import { replaceFile } from '../../server/store/files/own-file.ts';

const pixels = z.number().int().min(-100_000).max(100_000);

/** Survives restarts. User settings are in the node. */
const shellState = z.object({
  bounds: z
    .object({ x: pixels, y: pixels, width: pixels, height: pixels, maximized: z.boolean() })
    .optional(),
  closeExplained: z.boolean().default(false),
  /** Milliseconds since the epoch. */
  updateCheckedAt: z.number().optional(),
});
export type ShellState = z.infer<typeof shellState>;

export interface ShellStateFile {
  current(): ShellState;
  change(part: Partial<ShellState>): Promise<void>;
  /** Copy of a file damaged at the start. */
  readonly putAside: string | undefined;
}

/**
 * Reads the shell's state from `shell.json` in the folder; defaults if unreadable. Copies a damaged file first, as the
 * next change overwrites it.
 */
export async function openShellState(folder: string, now: Date): Promise<ShellStateFile> {
  const file = join(folder, 'shell.json');
  let state: ShellState = shellState.parse({});
  let putAside: string | undefined;
  const text = await readFile(file, 'utf8').catch(() => undefined);
  if (text !== undefined) {
    try {
      state = shellState.parse(JSON.parse(text));
    } catch {
      putAside = `${file}.backup-${now.toISOString().replace(/[:.]/g, '-')}`;
      await copyFile(file, putAside).catch(() => undefined);
    }
  }

  const inTurn = createMutex();
  /** Replaces the file by the present state. */
  const writeState = async (): Promise<void> => {
    await replaceFile(file, `${JSON.stringify(state, null, 2)}\n`);
  };

  return {
    current: () => state,
    /** Changes the state at once, then writes it after earlier writes; resolves even if the disk refuses. */
    async change(part) {
      state = { ...state, ...part };
      await inTurn(writeState).catch(() => undefined);
    },
    putAside,
  };
}
