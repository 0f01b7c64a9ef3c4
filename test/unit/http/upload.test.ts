import express from 'express';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { receiveUpload, type UploadLimits } from '../../../server/http/window/upload.ts';
import { errorHandler } from '../../../server/http/listeners/errors.ts';
import { serveOnce } from '../../support/harness/http.ts';

const MIB = 1024 ** 2;
let folder: string;
let limits: UploadLimits;
let server: Awaited<ReturnType<typeof serveOnce>>;
let outcome: Promise<unknown>;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'footbridge-upload-'));
  limits = { mostBytes: 4 * MIB, spareBytes: 0 };
  const app = express();
  app.post('/', (req, res, next) => {
    outcome = receiveUpload(req, join(folder, 'file'), limits).then(
      () => void res.json({}),
      (error: unknown) => {
        next(error);
        return error;
      },
    );
  });
  app.use(errorHandler({ error: () => undefined }));
  server = await serveOnce(app);
});
afterEach(async () => {
  await server.close();
  await rm(folder, { recursive: true, force: true });
});

const size = async (): Promise<number> => (await stat(join(folder, 'file')).catch(() => ({ size: -1 }))).size;

/** In pieces, so that nothing announces how much it is. */
function stream(bytes: number): ReadableStream {
  let left = bytes;
  return new ReadableStream({
    pull(controller) {
      const piece = Math.min(left, 64 * 1024);
      left -= piece;
      if (piece > 0) controller.enqueue(new Uint8Array(piece).fill(7));
      else controller.close();
    },
  });
}
const send = (body: BodyInit): Promise<Response> => {
  const init: RequestInit & { duplex: 'half' } = { method: 'POST', body, duplex: 'half' };
  return fetch(`http://127.0.0.1:${server.port}/`, init);
};

it('puts a body of the full size into a file of its owner only', async () => {
  expect((await send(stream(4 * MIB))).status).toBe(200);
  const file = await readFile(join(folder, 'file'));
  expect(file.equals(Buffer.alloc(4 * MIB, 7))).toBe(true);
  if (process.platform !== 'win32') expect((await stat(join(folder, 'file'))).mode & 0o777).toBe(0o600);
});

it('S7: refuses one that is announced as larger before reading it, and one that turns out larger', async () => {
  const announced = await send(new Uint8Array(4 * MIB + 1));
  expect(announced.status).toBe(413);
  expect(await announced.json()).toEqual({
    error: { code: 'restore.size', message: 'A backup may have at most 4 MB. Choose another file.' },
  });
  expect(await size()).toBe(-1);
  const found = await send(stream(5 * MIB));
  expect(found.status).toBe(413);
  expect(await size()).toBeLessThanOrEqual(4 * MIB);
});

it('refuses one for which there is no room on the disk', async () => {
  limits = { mostBytes: 4 * MIB, spareBytes: Number.MAX_SAFE_INTEGER };
  const answer = await send(new Uint8Array(1000));
  expect(answer.status).toBe(507);
  expect(await answer.json()).toMatchObject({ error: { code: 'store.full' } });
  expect(await size()).toBe(-1);
});

it('does not take for whole what was cut off in the middle', async () => {
  const socket = connect(server.port, '127.0.0.1');
  socket.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\nthe beginning');
  await expect.poll(size).toBe('the beginning'.length);
  socket.destroy();
  expect(await outcome).toMatchObject({ code: 'request.cut-off' });
});
