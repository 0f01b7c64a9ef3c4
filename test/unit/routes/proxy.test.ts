import { createServer, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { Lookup } from '../../../server/base/guarded-lookup.ts';
import { dialThroughRelay, type DialOptions } from '../../../server/routes/dial.ts';
import { firstProxy, proxyFromVariables } from '../../../server/routes/proxy.ts';
import { newRegistrationSecret, officeIDOf } from '../../../server/routes/relay-address.ts';
import type { RegistrationState } from '../../../server/routes/rendezvous-client.ts';
import type { RouteProblem } from '../../../server/routes/route-error.ts';
import {
  ANY_ADDRESS,
  echoInTLS,
  officeCertificate,
  pinnedTLS,
  registerAt,
  startRelay,
} from '../../support/harness/relay.ts';
import { soon } from '../../support/harness/soon.ts';

const target = { host: 'relay.example.org', port: 443 };

describe('the proxy that the system names', () => {
  it.each([
    [{}, undefined],
    [{ HTTPS_PROXY: 'http://proxy.office.lan:3128' }, 'http://proxy.office.lan:3128/'],
    [{ https_proxy: 'proxy.office.lan:3128' }, 'http://proxy.office.lan:3128/'],
    [{ ALL_PROXY: 'https://proxy.office.lan' }, 'https://proxy.office.lan/'],
    [{ ALL_PROXY: 'socks5://proxy.office.lan' }, undefined],
    [{ HTTPS_PROXY: 'http://p:1', NO_PROXY: '*' }, undefined],
    [{ HTTPS_PROXY: 'http://p:1', NO_PROXY: 'localhost, .example.org' }, undefined],
    [{ HTTPS_PROXY: 'http://p:1', NO_PROXY: 'example.org:443' }, undefined],
    [{ HTTPS_PROXY: 'http://p:1', NO_PROXY: 'example.org:8443' }, 'http://p:1/'],
    [{ HTTPS_PROXY: 'http://p:1', NO_PROXY: 'ample.org' }, 'http://p:1/'],
  ])('%j', (variables, proxy) => {
    expect(proxyFromVariables(target, variables)?.href).toBe(proxy);
  });

  it.each([
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2:3:4:5:6', true],
    ['2001:db8::6', '2001:db8::6', true],
    ['2001:db8::6', '[2001:db8::6]', true],
    ['2001:db8::6', '[2001:DB8::6]:443', true],
    ['2001:db8::6', '[2001:db8::6]:8443', false],
    ['10.0.1.1', '10.0.1.1', true],
    ['10.0.1.1', '1.1', false],
  ])('calls %s without it where NO_PROXY has %s: %s', (host, exception, isExempt) => {
    const variables = { HTTPS_PROXY: 'http://p:1', NO_PROXY: exception };
    expect(proxyFromVariables({ host, port: 443 }, variables) === undefined).toBe(isExempt);
  });
});

describe('the first proxy of what a proxy script returns', () => {
  it.each([
    ['DIRECT', undefined],
    ['', undefined],
    ['PROXY proxy.office.lan:3128; DIRECT', 'http://proxy.office.lan:3128/'],
    ['DIRECT; PROXY proxy.office.lan:3128', undefined],
    ['SOCKS5 socks.office.lan:1080; HTTPS proxy.office.lan:443', 'https://proxy.office.lan/'],
    ['SOCKS socks.office.lan:1080', undefined],
    ['PROXY ', undefined],
  ])('%j', (list, proxy) => {
    expect(firstProxy(list)?.href).toBe(proxy);
  });
});

/** A proxy for CONNECT on loopback; it asks for a password where one is given, or refuses with this status. */
async function startProxy(password?: string, status?: number): Promise<{ url: URL; asked: string[] }> {
  const asked: string[] = [];
  const server: Server = createServer((_request, response) => response.writeHead(405).end());
  server.on('connect', (request, socket) => {
    asked.push(request.url ?? '');
    const wanted = password && `Basic ${Buffer.from(password.replace('%24', '$')).toString('base64')}`;
    if (request.headers['proxy-authorization'] !== wanted) {
      socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
      return;
    }
    if (status !== undefined) {
      socket.end(`HTTP/1.1 ${status} Refused\r\n\r\n`);
      return;
    }
    const [, host = '', port = ''] = /^(.*):(\d+)$/.exec(request.url ?? '') ?? [];
    const onward = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      onward.pipe(socket).pipe(onward);
    });
    onward.on('error', () => socket.destroy());
    socket.on('error', () => onward.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: new URL(`http://${password ? `${password}@` : ''}127.0.0.1:${port}`), asked };
}

describe('a relay behind the proxy of an office', () => {
  it.each([undefined, 'till:se%24ame', 'till:100%'])(
    'is reached through it, with the password %s',
    async (password) => {
      const certificate = officeCertificate();
      const relay = await startRelay();
      const proxy = await startProxy(password);
      const dial = { ...ANY_ADDRESS, proxyFor: () => proxy.url };
      const office = registerAt(relay.address, { dial, onStream: echoInTLS(certificate) });
      await soon(() => expect(office.states.at(-1)).toMatchObject({ kind: 'registered' }));
      const stream = await dialThroughRelay(relay.address, office.officeID, dial);
      const secure = await pinnedTLS(stream, certificate.fingerprint);
      secure.destroy();
      expect(new Set(proxy.asked)).toEqual(new Set([`127.0.0.1:${relay.port}`]));
      expect(proxy.asked).toHaveLength(3);
    },
  );

  it.each<[string, number, RouteProblem, RegistrationState['kind']]>([
    ['the password', 407, 'proxy-login', 'refused'],
    ['the password, as tinyproxy does', 401, 'proxy-login', 'refused'],
    ['the port', 403, 'proxy', 'unreachable'],
    ['CONNECT', 405, 'proxy', 'unreachable'],
    ['nothing, but finds no relay', 500, 'network', 'unreachable'],
    ['nothing, but the relay is silent', 504, 'network', 'unreachable'],
  ])(
    'is not reached when the proxy refuses %s, and the reason says so',
    async (_what, status, problem, kind) => {
      const relay = await startRelay();
      const proxy = await startProxy(undefined, status);
      const dial = { ...ANY_ADDRESS, proxyFor: () => proxy.url };
      const id = officeIDOf(newRegistrationSecret());
      await expect(dialThroughRelay(relay.address, id, dial)).rejects.toMatchObject({ problem });
      const office = registerAt(relay.address, { dial, onStream: (stream) => stream.destroy() });
      await soon(() => expect(office.states.at(-1)).toEqual({ kind, problem }));
    },
  );

  it('is not reached when no proxy is there, and the reason says so', async () => {
    const dial = { ...ANY_ADDRESS, proxyFor: () => new URL('http://127.0.0.1:9') };
    const id = officeIDOf(newRegistrationSecret());
    const dialled = dialThroughRelay({ host: 'relay.example.org', port: 443, path: '' }, id, {
      ...dial,
      isOwn: true,
    });
    await expect(dialled).rejects.toMatchObject({ problem: 'proxy' });
  });

  it.each<[string, Partial<DialOptions>]>([
    ['the proxy script', { proxyFor: () => new Promise(() => undefined) }],
    ['the name server', { proxyFor: () => new URL('http://127.0.0.1:9'), lookup: () => undefined }],
  ])(
    'is given up in time when %s never answers',
    async (_what, hangs) => {
      const endpoint = { host: 'relay.example.org', port: 443, path: '' };
      const options = { ...ANY_ADDRESS, ...hangs, timeoutMs: 200 };
      const dialled = dialThroughRelay(endpoint, officeIDOf(newRegistrationSecret()), options);
      await expect(dialled).rejects.toMatchObject({ problem: 'timeout' });
    },
    3_000,
  );

  describe('that somebody else named', () => {
    const id = officeIDOf(newRegistrationSecret());
    const lookupAs =
      (found: string | undefined): Lookup =>
      (_name, _options, callback) => {
        if (found === 'no answer') return;
        if (found === undefined) callback(Object.assign(new Error('unknown'), { code: 'ENOTFOUND' }), []);
        else callback(null, [{ address: found, family: 4 }]);
      };
    const refuseInner = (address: string): void => {
      if (address.startsWith('10.')) throw new Error('an address of the inner network');
    };

    it.each([
      ['files.relay.example', '10.0.0.7', false],
      ['files.relay.example', '127.0.0.1', false, '127.0.0.1'],
      ['files.relay.example', undefined, false, 'files.relay.example'],
      ['files.relay.example', 'no answer', false, 'files.relay.example'],
      ['intranet', undefined, false],
      ['files.intranet.local', undefined, false],
      ['intranet', undefined, true, 'intranet'],
    ])(
      'as %s, at %s here, given by our user %s, is asked for as %s',
      async (host, found, isOwn, ...asked) => {
        const relay = await startRelay();
        const proxy = await startProxy();
        const options = {
          ...{ proxyFor: () => proxy.url, lookup: lookupAs(found), checkAddress: refuseInner, isOwn },
        };
        const dialled = dialThroughRelay({ ...relay.address, host }, id, options);
        await expect(dialled).rejects.toMatchObject(asked.length === 0 ? { problem: 'address' } : {});
        expect(proxy.asked).toEqual(asked.map((each) => `${each}:${relay.port}`));
      },
    );
  });

  it('is not tried at an address that the guard refuses, proxy or not', async () => {
    const relay = await startRelay();
    const proxy = await startProxy();
    const id = officeIDOf(newRegistrationSecret());
    const options = {
      proxyFor: () => proxy.url,
      checkAddress: () => {
        throw new Error('this computer');
      },
    };
    await expect(dialThroughRelay(relay.address, id, options)).rejects.toMatchObject({ problem: 'address' });
    expect(proxy.asked).toEqual([]);
  });
});
