/* eslint-disable @typescript-eslint/no-deprecated -- what is deprecated by now is what Electron 22 has */
import { readFile } from 'node:fs/promises';
import { Readable } from 'node:stream';
import type { Event, ForkOptions, SafeStorage, UploadData, UtilityProcess } from 'electron';
import * as old from 'electron';

/*
 * Electron 22 with what the shell uses of later ones put on top. The build for the old runtime gives this to everything
 * under main/ in Electron's place; the rest of the module is Electron 22's own.
 */

export const { app, BrowserWindow, Menu, Notification, Tray, clipboard, dialog, ipcMain } = old;
export const { nativeImage, nativeTheme, powerMonitor, screen, session, shell } = old;

async function bodyOf(parts: readonly UploadData[]): Promise<Uint8Array<ArrayBuffer>> {
  const all: Buffer[] = [];
  for (const part of parts) {
    if (part.blobUUID) all.push(await old.session.defaultSession.getBlobData(part.blobUUID));
    else if (part.file) all.push(await readFile(part.file));
    else all.push(part.bytes);
  }
  return new Uint8Array(Buffer.concat(all));
}

/** `protocol.handle` came with 25; this does what that one does, on what 22 has. */
export const protocol = {
  registerSchemesAsPrivileged: (schemes: Parameters<typeof old.protocol.registerSchemesAsPrivileged>[0]) =>
    old.protocol.registerSchemesAsPrivileged(schemes),
  handle(scheme: string, handler: (request: Request) => Promise<Response>): void {
    old.protocol.registerStreamProtocol(scheme, (asked, callback) => {
      const answer = async (): Promise<void> => {
        const { uploadData, method, headers } = asked;
        const body = uploadData ? await bodyOf(uploadData) : null;
        const response = await handler(new Request(asked.url, { method, headers, body }));
        callback({
          statusCode: response.status,
          headers: Object.fromEntries(response.headers),
          data: response.body
            ? Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0])
            : Readable.from([]),
        });
      };
      // -2 is Chromium's "failed".
      answer().catch(() => callback({ error: -2 }));
    });
  },
};

/** The build for it ends in `.cjs`. */
export const utilityProcess = {
  fork: (file: string, ...more: [string[], ForkOptions]): UtilityProcess =>
    old.utilityProcess.fork(file.replace(/\.js$/, '.cjs'), ...more),
};

/** Its asynchronous half came later. 22 says "available" on Linux of a real keyring only. */
type Keyring = Pick<SafeStorage, 'isEncryptionAvailable' | 'encryptString' | 'decryptString'>;
const keyring: Keyring = old.safeStorage;
export const safeStorage = {
  isAsyncEncryptionAvailable: (): Promise<boolean> => Promise.resolve(keyring.isEncryptionAvailable()),
  encryptStringAsync: (text: string): Promise<Buffer> =>
    Promise.resolve().then(() => keyring.encryptString(text)),
  decryptStringAsync: (sealed: Buffer): Promise<{ result: string; shouldReEncrypt: boolean }> =>
    Promise.resolve().then(() => ({ result: keyring.decryptString(sealed), shouldReEncrypt: false })),
};

/** Since 25 this event carries the address itself; in 22 it is an argument of its listeners. */
app.on('web-contents-created', (_created, contents) => {
  const carry = (event: Event, url: string): void => void Object.assign(event, { url });
  contents.on('will-navigate', carry);
  contents.on('will-redirect', carry);
});
