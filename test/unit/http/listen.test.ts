import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { listenOnFirstFree, ListenError } from '../../../server/http/listeners/listen.ts';

describe('listeners', () => {
  it('take the next free port where that is allowed, and say so plainly where it is not', async () => {
    const first = await listenOnFirstFree((_req, res) => res.end(), { host: '127.0.0.1', port: 0 });
    const next = await listenOnFirstFree((_req, res) => res.end(), {
      host: '127.0.0.1',
      port: first.port,
      nextPorts: 50,
    });
    expect(next.port).toBeGreaterThan(first.port);
    await expect(
      listenOnFirstFree((_req, res) => res.end(), { host: '127.0.0.1', port: first.port }),
    ).rejects.toThrow(/in use by another program/);
    await Promise.all([first.close(0), next.close(0)]);
  });

  it('refuse an address that this computer does not have', async () => {
    await expect(
      listenOnFirstFree((_req, res) => res.end(), { host: '203.0.113.9', port: 0 }),
    ).rejects.toBeInstanceOf(ListenError);
  });

  it('S7: answer 431 to a head that is too large', async () => {
    const listener = await listenOnFirstFree((_req, res) => res.end(), { host: '127.0.0.1', port: 0 });
    const answer = await new Promise<string>((resolve) => {
      const socket = connect(listener.port, '127.0.0.1');
      socket.on('data', (data) => resolve(data.toString()));
      socket.write(`GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'a'.repeat(64 * 1024)}\r\n\r\n`);
      socket.on('error', () => undefined);
    });
    expect(answer).toMatch(/^HTTP\/1.1 431/);
    await listener.close(0);
  });

  it('S7: answer 431 to a head of more than 100 lines, so that none of them is overlooked', async () => {
    const listener = await listenOnFirstFree((_req, res) => res.end(), { host: '127.0.0.1', port: 0 });
    const statusOf = (lines: number): Promise<string> =>
      new Promise((resolve) => {
        const socket = connect(listener.port, '127.0.0.1');
        socket.once('data', (data) => {
          socket.destroy();
          resolve(data.toString().slice(9, 12));
        });
        const others = Array.from({ length: lines - 1 }, (_, at) => `X-${at}: ${at * 37}`);
        socket.write(['GET / HTTP/1.1', 'Host: x', ...others, '', ''].join('\r\n'));
      });
    expect(await Promise.all([1, 100, 101, 500].map(statusOf))).toEqual(['200', '200', '431', '431']);
    await listener.close(0);
  });

  it('S7: answer requests that come one after the other, and end a connection that sends many at once', async () => {
    let asked = 0;
    const listener = await listenOnFirstFree(
      (_req, res) => {
        asked++;
        setImmediate(() => res.end('ours'));
      },
      { host: '127.0.0.1', port: 0 },
    );
    const get = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
    const patient = connect(listener.port, '127.0.0.1');
    for (let turn = 0; turn < 20; turn++) {
      patient.write(get);
      await once(patient, 'data');
    }
    patient.destroy();
    expect(asked).toBe(20);
    for (const request of [get, get.replace('Host', 'Expect: anything\r\nHost')]) {
      const hasty = connect(listener.port, '127.0.0.1', () => hasty.write(request.repeat(1000)));
      hasty.on('error', () => undefined);
      hasty.resume();
      await once(hasty, 'close', { signal: AbortSignal.timeout(10_000) });
    }
    expect(asked).toBeLessThan(30);
    await listener.close(0);
  });

  it('S7: begin no answer before the one that the caller waits for: the end of both is then noticed', async () => {
    const open = new Set<string>();
    const listener = await listenOnFirstFree(
      ({ url = '' }, res) => {
        open.add(url);
        res.once('close', () => open.delete(url));
        if (url !== '/slow') res.end(url);
      },
      { host: '127.0.0.1', port: 0 },
    );
    const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
    const caller = connect(listener.port, '127.0.0.1', () =>
      caller.write(['/one', '/two', '/slow', '/next'].map(get).join('')),
    );
    let heard = '';
    caller.on('data', (data: Buffer) => (heard += data.toString()));
    await expect.poll(() => heard.match(/\/one|\/two|\/next/g)).toEqual(['/one', '/two']);
    await expect.poll(() => [...open]).toEqual(['/slow']);
    caller.destroy();
    await expect.poll(() => [...open]).toEqual([]);
    await listener.close(0);
  });

  it('S7: end a connection whose chunked body goes on after the answer, or comes in thousands of tiny pieces', async () => {
    const listener = await listenOnFirstFree(
      (req, res) => {
        if (req.url === '/refused') res.writeHead(401).end('refused');
        else req.resume().once('end', () => res.end('taken'));
      },
      { host: '127.0.0.1', port: 0 },
    );
    const post = (path: string, pieces: string): Promise<string> =>
      new Promise((resolve) => {
        let heard = '';
        const socket = connect(listener.port, '127.0.0.1', () =>
          socket.write(`POST ${path} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n${pieces}`),
        );
        const timer = setTimeout(() => {
          socket.destroy();
          resolve(`${heard} open`);
        }, 2_000);
        socket.on('error', () => undefined);
        socket.on('data', (data) => (heard += /\r\n\r\n([^]*)/.exec(data.toString())?.[1] ?? ''));
        socket.once('close', () => {
          clearTimeout(timer);
          resolve(heard.replace(/[^a-z]/g, ''));
        });
      });
    const tiny = '1\r\nx\r\n';
    expect(await post('/refused', tiny)).toBe('refused');
    expect(await post('/read', tiny.repeat(20_000))).toBe('');
    expect(await post('/read', `40\r\n${'x'.repeat(64)}\r\n`.repeat(20_000))).toBe('');
    // A complete body leaves the connection open.
    expect(await post('/refused', `${tiny}0\r\n\r\n`)).toMatch(/refused[^]* open$/);
    expect(await post('/read', `${tiny.repeat(2_000)}0\r\n\r\n`)).toMatch(/taken[^]* open$/);
    const larger = `400\r\n${'x'.repeat(1024)}\r\n`.repeat(20_000);
    expect(await post('/read', `${larger}0\r\n\r\n`)).toMatch(/taken[^]* open$/);
    await listener.close(0);
  });

  it('answer nothing from the moment on from which another process may serve', async () => {
    let isOver = false;
    const listener = await listenOnFirstFree((_req, res) => res.end('ours'), {
      ...{ host: '127.0.0.1', port: 0 },
      isOver: () => isOver,
    });
    const asked = (): Promise<string> =>
      fetch(`http://127.0.0.1:${listener.port}/`).then(
        (res) => res.text(),
        () => 'cut',
      );
    expect(await asked()).toBe('ours');
    isOver = true;
    expect(await asked()).toBe('cut');
    await listener.close(0);
  });

  it('close at once where there is no grace: what comes in the same moment is not answered', async () => {
    let answered = 0;
    const listener = await listenOnFirstFree(
      (_req, res) => {
        answered++;
        res.end();
      },
      { host: '127.0.0.1', port: 0 },
    );
    const caller = connect(listener.port, '127.0.0.1', () => caller.write('GET / HTTP/1.1\r\n'));
    caller.on('error', () => undefined);
    await new Promise((resolve) => setTimeout(resolve, 50));
    const closed = new Promise((resolve) => caller.once('close', resolve));
    await new Promise<void>((resolve) => caller.write('host: x\r\n\r\n', () => resolve()));
    await listener.close(0);
    await closed;
    expect(answered).toBe(0);
  });

  it('close within the grace, cutting what hangs', async () => {
    const listener = await listenOnFirstFree(() => undefined, { host: '127.0.0.1', port: 0 });
    const hanging = fetch(`http://127.0.0.1:${listener.port}/`).catch(() => 'cut');
    await new Promise((resolve) => setTimeout(resolve, 50));
    await listener.close(100);
    expect(await hanging).toBe('cut');
  });
});
