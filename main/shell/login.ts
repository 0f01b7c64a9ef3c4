import { mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Electron } from '../electron.ts';
import { loginItem, type LoginSituation } from './login-item.ts';

/**
 * Registers or unregisters the app's start at login, in the system or by an autostart file. Does nothing for a copy
 * run from its sources.
 */
export async function applyLoginItem(
  { app }: Electron<'app'>,
  situation: LoginSituation,
  enabled: boolean,
): Promise<void> {
  const item = loginItem(situation, enabled);
  if (item.kind === 'system') app.setLoginItemSettings(item.settings);
  if (item.kind !== 'autostart-file') return;
  if (!enabled) return rm(item.file, { force: true });
  await mkdir(dirname(item.file), { recursive: true });
  await writeFile(item.file, item.content);
}
