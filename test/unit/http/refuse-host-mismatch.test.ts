import { connect } from 'node:net';
import express from 'express';
import { expect, it } from 'vitest';
import { refuseHostMismatch } from '../../../server/http/listeners/refuse-host-mismatch.ts';
import { serveOnce } from '../../support/harness/http.ts';

/** The status line of the answer to exactly these lines. */
function ask(port: number, lines: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(port, '127.0.0.1', () => socket.end(`${lines.join('\r\n')}\r\n\r\n`));
    socket.on('data', (part) => (text += part.toString()));
    socket.on('end', () => resolve(text.split('\r\n')[0] ?? ''));
    socket.on('error', reject);
  });
}

it('a request that names two hosts is refused, whichever comes first', async () => {
  const app = express();
  app.use(refuseHostMismatch);
  app.use((_req, res) => {
    res.json({ response: 'in' });
  });
  const { port, close } = await serveOnce(app);
  const own = `Host: 127.0.0.1:${port}`;
  const last = 'Connection: close';
  expect(await ask(port, ['GET / HTTP/1.1', own, last])).toContain('200');
  expect(await ask(port, ['GET / HTTP/1.1', own, 'Host: evil.example', last])).toContain('400');
  expect(await ask(port, ['GET / HTTP/1.1', 'hOsT: evil.example', own, last])).toContain('400');
  expect(await ask(port, ['GET http://evil.example/ HTTP/1.1', own, last])).toContain('400');
  expect(await ask(port, [`GET http://127.0.0.1:${port}/ HTTP/1.1`, own, last])).toContain('200');
  await close();
});
