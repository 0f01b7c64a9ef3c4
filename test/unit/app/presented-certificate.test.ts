import { createServer, type AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ownCertificate } from '../../../server/http/listeners/certificate.ts';
import { listenOnFirstFree } from '../../../server/http/listeners/listen.ts';
import { fetchPresentedCertificate } from '../../../server/app/presented-certificate.ts';
import { systemClock } from '../../../server/base/clock.ts';
import { temporaryFolder } from '../../support/harness/temporary-folder.ts';
import { startRecordingProxy } from '../../support/partners/recording-proxy.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
beforeEach(async () => {
  folder = await temporaryFolder();
});
afterEach(() => folder.remove());

describe('the certificate at an address', () => {
  it('is seen through whatever forwards to this node, and nobody vouches for it', async () => {
    const tls = await ownCertificate(folder.path, systemClock);
    const listener = await listenOnFirstFree((_req, res) => res.end(), { host: '127.0.0.1', port: 0, tls });
    const proxy = await startRecordingProxy(() => listener.port);
    const address = new URL(`https://localhost:${proxy.port}/federation`);
    expect(await fetchPresentedCertificate(address, 2000)).toEqual({
      fingerprint: tls.fingerprint,
      trusted: false,
    });
    await proxy.close();
    await listener.close(0);
  });

  it('is none where nobody answers, or somebody else who does not speak TLS', async () => {
    const silent = createServer((socket) => void socket.resume());
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as AddressInfo;
    expect(await fetchPresentedCertificate(new URL(`https://127.0.0.1:${port}`), 100)).toBeUndefined();
    await new Promise((resolve) => silent.close(resolve));
    expect(await fetchPresentedCertificate(new URL(`https://127.0.0.1:${port}`), 100)).toBeUndefined();
    const plain = await listenOnFirstFree((_req, res) => res.end(), { host: '127.0.0.1', port: 0 });
    expect(await fetchPresentedCertificate(new URL(`https://127.0.0.1:${plain.port}`), 1000)).toBeUndefined();
    await plain.close(0);
  });
});
