import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { systemClock } from '../../server/base/clock.ts';
import { certificateIn, newCertificate, type Certificate } from '../../server/http/listeners/certificate.ts';
import { AddressRefusedError } from '../../server/peer/guard/errors.ts';
import { openPeer, type Peer } from '../../server/peer/peer.ts';

const right = certificateIn(newCertificate(systemClock));
const wrong = certificateIn(newCertificate(systemClock));

let server: Server | undefined;
let peer: Peer | undefined;
afterEach(async () => {
  await peer?.close();
  server?.closeAllConnections();
  await new Promise((resolve) => (server ? server.close(resolve) : resolve(undefined)));
});

/** An encrypted server with this certificate; counts the requests that got through. */
async function serve(own: Certificate): Promise<{ base: string; requests: () => number }> {
  let requests = 0;
  server = createServer({ key: own.key, cert: own.cert }, (_, response) => {
    requests++;
    response.setHeader('connection', 'close');
    response.end('{"response":{"filter":{},"set":[]}}');
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { base: `https://127.0.0.1:${port}/federation`, requests: () => requests };
}

function open(baseURL: string, certificate: string | undefined): Peer {
  peer = openPeer({
    baseURL,
    certificate,
    footbridge: false,
    token: 'secret-token',
    sharedNodeID: '7',
    ownNetwork: false,
    allowLoopback: true,
    ownPorts: () => [],
  });
  return peer;
}

describe('certificates', () => {
  it('the pinned one is enough, without any authority, on every new connection', async () => {
    const { base, requests } = await serve(right);
    const pinned = open(base, right.fingerprint);
    for (let round = 0; round < 3; round++) await pinned.feed.records({ moduleID: '1' }, {});
    expect(requests()).toBe(3);
  });

  it('another than the pinned one ends the connection before anything is sent', async () => {
    const { base, requests } = await serve(wrong);
    const failed = open(base, right.fingerprint).feed.records({ moduleID: '1' }, {});
    await expect(failed).rejects.toMatchObject({ kind: 'unreachable', why: 'certificate' });
    expect(requests()).toBe(0);
  });

  it('without a pin one that nobody vouches for is refused with words that help', async () => {
    const { base, requests } = await serve(right);
    const failed = open(base, undefined).feed.records({ moduleID: '1' }, {});
    await expect(failed).rejects.toThrow('Nobody vouches for');
    expect(requests()).toBe(0);
  });

  it('a pin allows no unencrypted address', async () => {
    const failed = open('http://127.0.0.1:9/federation', right.fingerprint).feed.records(
      { moduleID: '1' },
      {},
    );
    await expect(failed).rejects.toBeInstanceOf(AddressRefusedError);
  });
});
