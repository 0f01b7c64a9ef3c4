import { request as secureRequest } from 'node:https';
import { connect, createServer, type AddressInfo } from 'node:net';
import { TLSSocket } from 'node:tls';
import pino from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../../../server/base/clock.ts';
import { fingerprintOf } from '../../../../server/base/hashes.ts';
import { certificateIn, newCertificate } from '../../../../server/http/listeners/certificate.ts';
import { Standby } from '../../../../server/node/hub/standby.ts';

const EVERYWHERE = '0.0.0.0';
const officeCertificate = certificateIn(newCertificate(systemClock));

function standbyAt(host: string, port: number, log = pino({ level: 'silent' })): Standby {
  const standby = new Standby({
    ...{ place: { host, port }, files: undefined, officeCertificate },
    ...{ clock: systemClock, log },
  });
  onTestFinished(() => standby.close());
  return standby;
}

/** A port that was free a moment ago. */
async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

describe('a process on standby', () => {
  it.each(['/healthz', '/api/healthz', '/healthz?from=haproxy'])(
    'answers 503 and “standby” at %s',
    async (path) => {
      const port = await freePort();
      await standbyAt('127.0.0.1', port).open();
      const answer = await fetch(`http://127.0.0.1:${String(port)}${path}`);
      expect([answer.status, await answer.json()]).toEqual([503, { status: 'standby' }]);
    },
  );

  it('refuses all else with 503, when to try again and an error in the interface’s form', async () => {
    const port = await freePort();
    await standbyAt('127.0.0.1', port).open();
    const answer = await fetch(`http://127.0.0.1:${String(port)}/exposed/records`, {
      method: 'POST',
      body: JSON.stringify({ values: { Name: ['Hansen & Søn'] } }),
    });
    expect(answer.status).toBe(503);
    expect(answer.headers.get('retry-after')).toBe('5');
    expect(answer.headers.get('connection')).toBe('close');
    expect(await answer.json()).toEqual({
      error: {
        code: 'node.standby',
        message: expect.stringMatching(/^This process is on standby: .+\.$/) as string,
      },
    });
  });

  it('shows the certificate of the office where the serving process does, and answers plain health checks there too', async () => {
    const port = await freePort();
    await standbyAt(EVERYWHERE, port).open();
    const shown = await new Promise((resolve, reject) => {
      const asked = secureRequest(
        { port, path: '/healthz', rejectUnauthorized: false },
        ({ socket, statusCode }) => {
          const certificate = socket instanceof TLSSocket ? socket.getPeerX509Certificate() : undefined;
          socket.destroy();
          resolve([statusCode, certificate && fingerprintOf(certificate)]);
        },
      );
      asked.once('error', reject).end();
    });
    expect(shown).toEqual([503, officeCertificate.fingerprint]);
    expect((await fetch(`http://127.0.0.1:${String(port)}/healthz`)).status).toBe(503);
  });

  it('writes no line about callers that say nothing or nonsense, and answers others meanwhile', async () => {
    const lines: string[] = [];
    const port = await freePort();
    await standbyAt(EVERYWHERE, port, pino({ level: 'trace' }, { write: (line) => lines.push(line) })).open();
    const calls = Array.from({ length: 300 }, (_, at) => {
      const call = connect({ port, host: '127.0.0.1' });
      onTestFinished(() => void call.destroy());
      const over = new Promise((resolve) => call.once('connect', resolve).once('close', resolve));
      call.once('error', () => undefined);
      if (at % 3 === 1) call.end();
      if (at % 3 === 2) call.write('\u0016\u0003\u0001\u0000\u0005nonsense\r\n\r\n');
      return over;
    });
    await Promise.all(calls);
    expect((await fetch(`http://127.0.0.1:${String(port)}/healthz`)).status).toBe(503);
    expect(lines).toEqual([]);
  });

  it('says why it does not listen where the port is taken, and listens at the next standby', async () => {
    const port = await freePort();
    const first = standbyAt('127.0.0.1', port);
    expect(await first.open()).toBeUndefined();
    const second = standbyAt('127.0.0.1', port);
    expect(await second.open()).toMatch(/is in use by another program/);
    await first.close();
    expect(await second.open()).toMatch(/is in use by another program/);
    await second.close();
    expect(await second.open()).toBeUndefined();
  });

  it('leaves the port free when it takes over, even while it is only opening it', async () => {
    const port = await freePort();
    const standby = standbyAt('127.0.0.1', port);
    void standby.open();
    await standby.close();
    const server = createServer().listen(port, '127.0.0.1');
    onTestFinished(() => void server.close());
    await new Promise((resolve, reject) => server.once('listening', resolve).once('error', reject));
  });
});
