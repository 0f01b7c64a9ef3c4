import { spawnSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { saveHubWindowLink, openWindow } from '../../../server/commands/window.ts';
import { temporaryFolder } from '../../support/harness/temporary-folder.ts';

const LINK = 'http://127.0.0.1:7421/?key=once';
/** Nothing listens there. */
const AWAY = 'postgres://127.0.0.1:9/office';

async function hubFolder(): Promise<string> {
  process.env.FOOTBRIDGE_SECRET = 'a secret of thirty-two characters';
  const folder = await temporaryFolder();
  onTestFinished(() => folder.remove());
  return folder.path;
}

const linkInto = (data: string): Promise<void> => openWindow({ data, store: AWAY, open: false });

/** Notes a window as if by another process, which has ended since. */
async function noteOfEndedProcess(data: string): Promise<void> {
  await saveHubWindowLink(data, LINK);
  const { pid } = spawnSync(process.execPath, ['--version']);
  const file = join(data, 'hub-window');
  const note = await readFile(file, 'utf8');
  await writeFile(file, note.replace(/"pid":\d+/, `"pid":${pid}`));
}

it('makes no token for the window of a hub process that ended: another program may have its port', async () => {
  const data = await hubFolder();
  await noteOfEndedProcess(data);
  await expect(linkInto(data)).rejects.toThrow(/No process of an office in a database runs/);
  await expect(linkInto(await hubFolder())).rejects.toThrow(/No process of an office in a database runs/);
});

it('goes to the database for one that runs, unless it is on standby', async () => {
  const data = await hubFolder();
  await saveHubWindowLink(data, LINK);
  await expect(linkInto(data)).rejects.toThrow(/database/i);
  await saveHubWindowLink(data, undefined);
  await expect(linkInto(data)).rejects.toThrow(/is on standby and has no window/);
});
