import { readFile, stat } from 'node:fs/promises';
import type { StartArguments } from './arguments.ts';
import type { Electron } from '../electron.ts';
import type { LoginSituation } from './login-item.ts';
import { LINK_SCHEMES, parseDeepLink, parseInviteFile, refused, type LinkTarget } from './deep-link.ts';

/**
 * Registers our URL schemes for this app on Windows; macOS and Linux know them from the package. Does nothing for a
 * copy run from its sources.
 */
export function registerLinks(
  { app }: Electron<'app'>,
  { packaged, platform }: Pick<LoginSituation, 'packaged' | 'platform'>,
): void {
  if (!packaged || platform !== 'win32') return;
  for (const scheme of LINK_SCHEMES) app.setAsDefaultProtocolClient(scheme);
}

/** Reads an invite file of at most 64 KB and returns its target; refuses other files with a reason. */
async function fromFile(file: string): Promise<LinkTarget> {
  try {
    const info = await stat(file);
    if (!info.isFile() || info.size > 64 * 1024) return refused('link.file-too-large');
    return parseInviteFile(await readFile(file, 'utf8'));
  } catch {
    return refused('link.file-unreadable');
  }
}

/** Returns the window's page for these arguments, or why it is refused; undefined if they have no link and no file. */
export async function targetOf({ link, file }: StartArguments): Promise<LinkTarget | undefined> {
  if (link !== undefined) return parseDeepLink(link);
  return file === undefined ? undefined : fromFile(file);
}
