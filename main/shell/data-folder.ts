import { posix, win32 } from 'node:path';

interface DataFolderSituation {
  readonly platform: NodeJS.Platform;
  readonly home: string;
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Returns this user's data folder: `FOOTBRIDGE_DATA`, else the system's place for local application data, neither
 * roaming nor a cache.
 */
export function defaultDataFolder({ platform, home, env }: DataFolderSituation): string {
  if (env.FOOTBRIDGE_DATA) return env.FOOTBRIDGE_DATA;
  if (platform === 'win32') {
    const local = env.LOCALAPPDATA ?? win32.join(home, 'AppData', 'Local');
    return win32.join(local, 'Footbridge', 'data');
  }
  if (platform === 'darwin') return posix.join(home, 'Library', 'Application Support', 'Footbridge', 'data');
  const xdg = env.XDG_DATA_HOME;
  return posix.join(xdg?.startsWith('/') ? xdg : posix.join(home, '.local', 'share'), 'footbridge');
}
