import { createServer, type Server } from 'node:http';
import { duplexPair } from 'node:stream';
import { connect as connectTLS } from 'node:tls';
import type { Duplex } from 'node:stream';
import { once } from 'node:events';
import { afterEach, describe, expect, it } from 'vitest';
import { isLoopback } from '../../../server/base/loopback.ts';
import { systemClock } from '../../../server/base/clock.ts';
import { certificateIn, newCertificate } from '../../../server/http/listeners/certificate.ts';
import { createFailedLoginLimiter } from '../../../server/http/auth/failed-login-limiter.ts';
import { handleConnections } from '../../../server/http/listeners/connections.ts';
import { networkOf } from '../../../server/base/network-of.ts';
import { createConnectionSlots } from '../../../server/http/listeners/connection-slots.ts';
import { routeOf } from '../../../server/http/listeners/routed-streams.ts';

const certificate = certificateIn(newCertificate(systemClock));

let server: Server | undefined;
afterEach(() => server?.close());

interface Seen {
  readonly address: string;
  readonly route: string | undefined;
}

/** A server that notes whom it sees, and the way in for streams. */
function serve(): {
  readonly seen: Seen[];
  readonly take: (route: string) => Duplex;
  readonly taken: Duplex[];
} {
  const seen: Seen[] = [];
  const taken: Duplex[] = [];
  server = createServer((req, res) => {
    seen.push({ address: req.socket.remoteAddress ?? '', route: routeOf(req.socket) });
    res.end('ok');
  });
  const connections = handleConnections(server, {
    slots: createConnectionSlots({ total: 50, perNetwork: 3, reservedForKnown: 20, perCaller: 10 }),
    timeoutMs: 300,
    routeTLS: () => certificate,
  });
  return {
    seen,
    taken,
    take(route) {
      const [near, far] = duplexPair();
      taken.push(near);
      connections.acceptRouted(near, route);
      return far;
    },
  };
}

async function ask(stream: Duplex): Promise<string> {
  const socket = connectTLS({ socket: stream, rejectUnauthorized: false });
  await once(socket, 'secureConnect');
  socket.write('GET / HTTP/1.1\r\nHost: office\r\nConnection: close\r\n\r\n');
  let answer = '';
  for await (const chunk of socket) answer += String(chunk);
  return answer;
}

describe('a stream that arrives by a route', () => {
  it('is a caller of no network and never of this computer, wherever the relay runs', async () => {
    const { seen, take } = serve();
    expect(await ask(take('relay 127.0.0.1'))).toMatch(/^HTTP\/1\.1 200/);
    expect(seen).toEqual([{ address: seen[0]?.address, route: 'relay 127.0.0.1' }]);
    expect(seen[0]?.address).toMatch(/^2001:db8:/);
    expect(isLoopback(seen[0]?.address ?? '127.0.0.1')).toBe(false);
  });

  it('counts all callers of one route as one network, and those of another route apart', async () => {
    const { seen, take } = serve();
    for (const route of ['relay one.example', 'relay one.example', 'relay two.example'])
      await ask(take(route));
    const [first, second, third] = seen.map(({ address }) => networkOf(address));
    expect(first).toBe(second);
    expect(third).not.toBe(first);
  });

  it('that guesses slows down the callers of its own relay, and nobody else', async () => {
    const { seen, take } = serve();
    for (const route of ['relay one.example', 'relay one.example', 'relay two.example'])
      await ask(take(route));
    const attempts = createFailedLoginLimiter({ monotonic: () => 0 }, 1);
    const waits = [...seen.map(({ address }) => address), '203.0.113.7'].map((address) =>
      attempts.fail(networkOf(address)),
    );
    expect(waits).toEqual([0, 60, 0, 0]);
  });

  it('is served by TLS alone', async () => {
    const { seen, take, taken } = serve();
    take('reverse').write('GET / HTTP/1.1\r\nHost: office\r\n\r\n');
    // One that stays silent gets no more patience.
    take('reverse');
    await expect.poll(() => taken.map(({ destroyed }) => destroyed)).toEqual([true, true]);
    expect(seen).toEqual([]);
  });
});
