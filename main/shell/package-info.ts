import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** The packager's facts about this copy. */
export interface PackageInfo {
  /** An address for updates is beside the app. */
  readonly hasFeed: boolean;
  /** The copy was signed (`extraMetadata.signed` when packing). */
  readonly signed: boolean;
}

/**
 * Returns whether the packed app is signed and has an address for updates (a file in `resources`); false for what
 * can't be read.
 */
export function packageInfo(appPath: string, resources: string): PackageInfo {
  const hasFeed = existsSync(join(resources, 'app-update.yml'));
  try {
    const manifest: unknown = JSON.parse(readFileSync(join(appPath, 'package.json'), 'utf8'));
    return { hasFeed, signed: z.object({ signed: z.literal(true) }).safeParse(manifest).success };
  } catch {
    return { hasFeed, signed: false };
  }
}
