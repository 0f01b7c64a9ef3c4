import { createSocket } from 'node:dgram';
import { createServer, type RequestListener } from 'node:http';
import { describe, expect, it, onTestFinished } from 'vitest';
import { gatewayInTable, type Gateway } from '../../../server/routes/gateway.ts';
import { pcpMapper } from '../../../server/routes/pcp.ts';
import {
  MappingRefused,
  type Mapper,
  type Mapping,
  type MappingRequest,
} from '../../../server/routes/port-mapper.ts';
import { maintainMapping, type MappingState } from '../../../server/routes/port-mapping.ts';
import { upnpMapper } from '../../../server/routes/upnp.ts';
import { manualClock } from '../../support/harness/manual-clock.ts';
import { soon } from '../../support/harness/soon.ts';

const REQUEST: MappingRequest = {
  internalPort: 7420,
  externalPort: 7420,
  lifetimeSeconds: 3_600,
  nonce: Buffer.from('0123456789ab'),
};
const never = new AbortController().signal;

/** An address of loopback of this test's own, so that the ports of routers are free there. */
function newRouter(): Gateway {
  const number = (): number => 1 + Math.floor(Math.random() * 250);
  return {
    address: `127.${number()}.${number()}.${number()}`,
    ownAddress: '127.0.0.1',
    network: '127.0.0.0/8',
  };
}

type Answer = (packet: Buffer) => readonly Buffer[];

async function udp(address: string, port: number, answer: Answer): Promise<void> {
  const socket = createSocket('udp4');
  socket.on('message', (packet, from) => {
    for (const reply of answer(packet)) socket.send(reply, from.port, from.address);
  });
  await new Promise<void>((resolve) => socket.bind(port, address, resolve));
  onTestFinished(() => void socket.close());
}

function pcpReply(
  request: Buffer,
  { result = 0, port = 7420, nonce = request.subarray(24, 36) } = {},
): Buffer {
  const reply = Buffer.from(request);
  reply.writeUInt8(0x81, 1);
  reply.writeUInt8(result, 3);
  reply.writeUInt32BE(1_800, 4);
  nonce.copy(reply, 24);
  reply.writeUInt16BE(port, 42);
  Buffer.from('00000000000000000000ffff4f01020b', 'hex').copy(reply, 44);
  return reply;
}

describe('a router that is asked by PCP', () => {
  it('gives the port that it says', async () => {
    const router = newRouter();
    await udp(router.address, 5351, (packet) => [pcpReply(packet, { port: 7_777 })]);
    expect(await pcpMapper(router, REQUEST, never)).toEqual({
      protocol: 'pcp',
      externalAddress: '79.1.2.11',
      externalPort: 7_777,
      lifetimeSeconds: 1_800,
    });
  });

  it('is asked by NAT-PMP when it knows only that', async () => {
    const router = newRouter();
    await udp(router.address, 5351, (packet) => {
      if (packet[0] === 2) return [Buffer.from([0, 0x81, 0, 1])];
      if (packet.length === 2) return [Buffer.from([0, 128, 0, 0, 0, 0, 0, 9, 79, 1, 2, 12])];
      const reply = Buffer.alloc(16);
      reply.writeUInt8(130, 1);
      packet.copy(reply, 8, 4, 6);
      reply.writeUInt16BE(7_421, 10);
      reply.writeUInt32BE(600, 12);
      return [reply];
    });
    expect(await pcpMapper(router, REQUEST, never)).toEqual({
      protocol: 'nat-pmp',
      externalAddress: '79.1.2.12',
      externalPort: 7_421,
      lifetimeSeconds: 600,
    });
  });

  it('may say no', async () => {
    const router = newRouter();
    await udp(router.address, 5351, (packet) => [pcpReply(packet, { result: 2 })]);
    await expect(pcpMapper(router, REQUEST, never)).rejects.toThrow(MappingRefused);
  });

  it('is not believed for somebody else’s request, a short packet, or a flood of nonsense', async () => {
    const router = newRouter();
    await udp(router.address, 5351, (packet) => [
      ...Array.from({ length: 50 }, () => Buffer.alloc(1_000, 0xff)),
      pcpReply(packet).subarray(0, 40),
      pcpReply(packet, { nonce: Buffer.alloc(12, 1), port: 1 }),
      pcpReply(packet, { port: 7_778 }),
    ]);
    expect(await pcpMapper(router, REQUEST, never)).toMatchObject({ externalPort: 7_778 });
  });

  it('that is silent is given up after two seconds', async () => {
    const router = newRouter();
    await udp(router.address, 5351, () => []);
    expect(await pcpMapper(router, REQUEST, never)).toBeUndefined();
  });

  it('is given up at once where no network leads to it', async () => {
    const router = { ...newRouter(), address: '255.255.255.255' };
    expect(await pcpMapper(router, REQUEST, never)).toBeUndefined();
  });
});

const CONNECTION = 'urn:schemas-upnp-org:service:WANIPConnection:1';
const description = (control: string): string =>
  `<?xml version="1.0"?><root><device><serviceList><service><serviceType>urn:schemas-upnp-org:service:Layer3Forwarding:1</serviceType><controlURL>/no</controlURL></service></serviceList><deviceList><device><serviceList><service><serviceType>${CONNECTION}</serviceType><controlURL>${control}</controlURL></service></serviceList></device></deviceList></device></root>`;

/** A router with UPnP; `serve` answers HTTP, `location` is what it says of where that is. */
async function upnpRouter(
  serve: RequestListener,
  location?: (port: number) => string,
): Promise<Gateway & { readonly httpPort: number }> {
  const router = newRouter();
  const server = createServer(serve);
  await new Promise<void>((resolve) => server.listen(0, router.address, resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  const where = location?.(address.port) ?? `http://${router.address}:${address.port}/igd.xml`;
  await udp(router.address, 1900, () => [
    Buffer.from(`HTTP/1.1 200 OK\r\nST: x\r\nLOCATION: ${where}\r\n\r\n`),
  ]);
  return { ...router, httpPort: address.port };
}

const soapAnswer = (inner: string): string =>
  `<s:Envelope><s:Body><u:R xmlns:u="${CONNECTION}">${inner}</u:R></s:Body></s:Envelope>`;

/** A router with UPnP that knows its mappings; `others` are of another computer, and it would give them away. */
async function tableRouter(
  others: readonly number[],
  { holder: other = '127.0.0.9:80', isAnswerLost = false } = {},
): Promise<Gateway & { readonly table: Map<number, string> }> {
  const table = new Map(others.map((port) => [port, other]));
  const router = await upnpRouter((request, response) => {
    void bodyOf(request).then((body) => {
      if (request.method === 'GET') return response.end(description('/control'));
      const port = Number(/<NewExternalPort>(\d+)</.exec(body)?.[1]);
      const client = /<NewInternalClient>([^<]+)</.exec(body)?.[1];
      const inner = /<NewInternalPort>([^<]+)</.exec(body)?.[1];
      const holder = table.get(port);
      if (body.includes('u:GetExternalIPAddress'))
        return response.end(soapAnswer('<NewExternalIPAddress>79.1.2.13</NewExternalIPAddress>'));
      if (body.includes('u:AddPortMapping')) table.set(port, `${client}:${inner}`);
      if (body.includes('u:AddPortMapping') && isAnswerLost) return response.destroy();
      if (body.includes('u:DeletePortMapping')) table.delete(port);
      if (body.includes('u:GetSpecificPortMappingEntry') && holder === undefined)
        return response.writeHead(500).end(soapAnswer('<errorCode>714</errorCode>'));
      const [address = '', at = ''] = holder?.split(':') ?? [];
      return response.end(
        soapAnswer(
          `<NewInternalPort>${at}</NewInternalPort><NewInternalClient>${address}</NewInternalClient>`,
        ),
      );
    });
  });
  return Object.assign(router, { table });
}

async function bodyOf(request: Parameters<RequestListener>[0]): Promise<string> {
  let body = '';
  for await (const part of request) body += String(part);
  return body;
}

describe('a router that is asked by UPnP', () => {
  it('is the only one whose answer counts: a neighbour that answers in its place is not asked', async () => {
    const asked: string[] = [];
    const neighbour = await upnpRouter((request, response) => {
      asked.push(request.url ?? '');
      response.end(description('/control'));
    });
    const router = newRouter();
    const from = createSocket('udp4');
    await new Promise<void>((resolve) => from.bind(0, neighbour.address, resolve));
    onTestFinished(() => void from.close());
    const lan = createSocket('udp4');
    lan.on('message', (_packet, caller) => {
      from.send(
        `HTTP/1.1 200 OK\r\nLOCATION: http://${neighbour.address}:${neighbour.httpPort}/igd.xml\r\n\r\n`,
        caller.port,
        caller.address,
      );
    });
    await new Promise<void>((resolve) => lan.bind(1900, router.address, resolve));
    onTestFinished(() => void lan.close());
    expect(await upnpMapper(router, REQUEST, never)).toBeUndefined();
    expect(asked).toEqual([]);
  });

  it('gives another port when the wanted one is taken, and one without an end when it knows no other', async () => {
    const asked: string[] = [];
    const router = await upnpRouter((request, response) => {
      void bodyOf(request).then((body) => {
        if (request.method === 'GET') return response.end(description('/control'));
        const told = soapAnswer('<NewExternalIPAddress>79.1.2.13</NewExternalIPAddress>');
        if (body.includes('GetExternalIPAddress')) return response.end(told);
        if (body.includes('GetSpecificPortMappingEntry')) return response.writeHead(500).end();
        asked.push(body);
        const failing = ['718', '725'][asked.length - 1];
        if (failing !== undefined)
          return response.writeHead(500).end(soapAnswer(`<errorCode>${failing}</errorCode>`));
        return response.end(soapAnswer(''));
      });
    });
    const mapping = await upnpMapper(router, REQUEST, never);
    expect(mapping).toMatchObject({ protocol: 'upnp', externalAddress: '79.1.2.13', lifetimeSeconds: 0 });
    expect(mapping?.externalPort).toBeGreaterThanOrEqual(20_000);
    expect(asked[0]).toContain('<NewExternalPort>7420</NewExternalPort>');
    expect(asked[2]).toContain('<NewInternalClient>127.0.0.1</NewInternalClient>');
  });

  it('is asked only for its address while the mapping needs no renewal', async () => {
    const asked: string[] = [];
    const addresses = ['79.1.2.13', '79.1.2.13', '79.1.2.14'];
    const router = await upnpRouter((request, response) => {
      const action = String(request.headers.soapaction ?? request.method).replace(/.*#|"/g, '');
      asked.push(action);
      if (action === 'GET') response.end(description('/control'));
      else if (action === 'AddPortMapping') response.end(soapAnswer(''));
      else if (action === 'GetSpecificPortMappingEntry') response.writeHead(501).end();
      else response.end(soapAnswer(`<NewExternalIPAddress>${addresses.shift()}</NewExternalIPAddress>`));
    });
    const current = await upnpMapper(router, REQUEST, never);
    const LOOK = 'GetSpecificPortMappingEntry';
    expect(asked.splice(0)).toEqual(['GET', 'GetExternalIPAddress', LOOK, 'AddPortMapping']);
    expect(await upnpMapper(router, { ...REQUEST, current }, never)).toBe(current);
    expect(asked.splice(0)).toEqual(['GetExternalIPAddress', LOOK]);
    const moved = await upnpMapper(router, { ...REQUEST, current }, never);
    expect(moved).toMatchObject({ externalAddress: '79.1.2.14', externalPort: 7_420 });
    expect(asked).toEqual(['GetExternalIPAddress', LOOK, 'AddPortMapping']);
  });

  it('is asked for the mapping again when it lost it and kept its address', async () => {
    const router = await tableRouter([]);
    const current = await upnpMapper(router, REQUEST, never);
    router.table.clear();
    expect(await upnpMapper(router, { ...REQUEST, current }, never)).toMatchObject({ externalPort: 7_420 });
    expect([...router.table]).toEqual([[7_420, '127.0.0.1:7420']]);
  });

  it.each([
    ['another computer', '127.0.0.9:80'],
    ['another program of this one', '127.0.0.1:8080'],
  ])('is not made to give away or close the port of %s', async (_whose, holder) => {
    const router = await tableRouter([7_420], { holder });
    const mapping = await upnpMapper(router, REQUEST, never);
    expect(mapping?.externalPort).toBeGreaterThanOrEqual(20_000);
    expect(await upnpMapper(router, REQUEST, never)).toMatchObject({ externalPort: mapping?.externalPort });
    await upnpMapper(router, { ...REQUEST, lifetimeSeconds: 0 }, never);
    expect([...router.table]).toEqual([[7_420, holder]]);
  });

  it('closes another port than the wanted one too, of which it could not tell', async () => {
    const router = await tableRouter([7_420], { isAnswerLost: true });
    await expect(upnpMapper(router, REQUEST, never)).rejects.toThrow();
    expect(router.table.size).toBe(2);
    await upnpMapper(router, { ...REQUEST, lifetimeSeconds: 0 }, never);
    expect([...router.table.keys()]).toEqual([7_420]);
  });

  it('may say no', async () => {
    const router = await upnpRouter((request, response) => {
      if (request.method === 'GET') response.end(description('/control'));
      else response.writeHead(500).end(soapAnswer('<errorCode>606</errorCode>'));
    });
    await expect(upnpMapper(router, REQUEST, never)).rejects.toThrow(MappingRefused);
  });

  it.each([
    ['its description', 'http://10.0.0.9/admin', '/control'],
    ['its description by a name', 'http://intranet.office.lan/', '/control'],
    ['its service', undefined, 'http://10.0.0.9/admin'],
    ['its service by another protocol', undefined, 'file:///etc/passwd'],
  ])('cannot send us to somebody else for %s', async (_what, location, control) => {
    let posts = 0;
    const router = await upnpRouter(
      (request, response) => {
        if (request.method === 'POST') posts += 1;
        response.end(description(control));
      },
      location === undefined ? undefined : () => location,
    );
    expect(await upnpMapper(router, REQUEST, never)).toBeUndefined();
    expect(posts).toBe(0);
  });

  it.each([
    ['blanks', `<service><serviceType>${' '.repeat(60_000)}</service>`],
    ['beginnings of services', '<service>'.repeat(7_000)],
  ])('cannot keep this program busy with a description full of %s', async (_what, xml) => {
    const router = await upnpRouter((_request, response) => response.end(xml));
    const longest: number[] = [];
    // The best of some tries, as other programs run meanwhile.
    for (let attempt = 0; attempt < 5; attempt++) {
      let longestMs = 0;
      let before = performance.now();
      const watch = setInterval(() => {
        longestMs = Math.max(longestMs, performance.now() - before);
        before = performance.now();
      }, 5);
      expect(await upnpMapper(router, REQUEST, new AbortController().signal)).toBeUndefined();
      await new Promise((resolve) => setTimeout(resolve, 20));
      clearInterval(watch);
      longest.push(longestMs);
    }
    expect(Math.min(...longest)).toBeLessThan(60);
  });

  it('is not followed when it redirects, and not read when it sends too much or never ends', async () => {
    const redirecting = await upnpRouter((_request, response) =>
      response.writeHead(302, { location: 'http://127.0.0.1:1/' }).end(),
    );
    expect(await upnpMapper(redirecting, REQUEST, never)).toBeUndefined();
    const endless = await upnpRouter((_request, response) => {
      response.on('error', () => undefined);
      const more = (): void => {
        while (response.write(Buffer.alloc(64 * 1024, 0x20)));
      };
      response.on('drain', more);
      more();
    });
    expect(await upnpMapper(endless, REQUEST, never)).toBeUndefined();
    const changing = await upnpRouter((request) =>
      request.socket.write(
        'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: websocket\r\n\r\n',
      ),
    );
    expect(await upnpMapper(changing, REQUEST, never)).toBeUndefined();
    const silent = await upnpRouter(() => undefined);
    const start = performance.now();
    expect(await upnpMapper(silent, REQUEST, never)).toBeUndefined();
    expect(performance.now() - start).toBeLessThan(15_000);
  }, 30_000);
});

interface Kept {
  readonly states: MappingState[];
  readonly asked: (MappingRequest & Pick<Gateway, 'ownAddress'>)[];
  readonly clock: ReturnType<typeof manualClock>;
  readonly ended: Promise<void>;
  networkChanged(): void;
  end(): void;
}

function keep(
  answer: () => Mapping | undefined | Promise<undefined>,
  router = newRouter(),
  findGateway = (): Gateway => router,
): Kept {
  const clock = manualClock();
  const states: MappingState[] = [];
  const asked: Kept['asked'] = [];
  const over = new AbortController();
  const mapper: Mapper = ({ ownAddress }, request) => {
    asked.push({ ...request, ownAddress });
    return Promise.resolve().then(answer);
  };
  const kept = maintainMapping({
    port: 7420,
    secret: 'of-this-office',
    clock,
    signal: over.signal,
    onState: (state) => states.push(state),
    findGateway: () => Promise.resolve(findGateway()),
    mappers: [mapper],
  });
  onTestFinished(() => over.abort());
  return {
    states,
    asked,
    clock,
    ended: kept.ended,
    networkChanged: () => kept.networkChanged(),
    end: () => over.abort(),
  };
}

const settle = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));

const MAPPED: Mapping = {
  protocol: 'pcp',
  externalAddress: '79.1.2.11',
  externalPort: 7_430,
  lifetimeSeconds: 3_600,
};

describe('a port that is kept open at the router', () => {
  it('is renewed at half of its time with the port that it has, and removed at the end', async () => {
    const kept = keep(() => ({ ...MAPPED, lifetimeSeconds: 60 }));
    await soon(() =>
      expect(kept.states.at(-1)).toMatchObject({ kind: 'mapped', address: '79.1.2.11', port: 7_430 }),
    );
    kept.clock.advance(40_000);
    await soon(() => expect(kept.asked).toHaveLength(2));
    expect(kept.asked[1]).toMatchObject({ externalPort: 7_430, lifetimeSeconds: 3_600, current: undefined });
    await soon(() => expect(kept.states.filter(({ kind }) => kind === 'mapped')).toHaveLength(2));
    kept.end();
    await kept.ended;
    expect(kept.asked.at(-1)).toMatchObject({ externalPort: 7_430, lifetimeSeconds: 0 });
  });

  it.each(['100.64.0.2', '192.168.178.2', '10.1.1.1'])(
    'leads nowhere behind a carrier’s router, and is removed: %s',
    async (externalAddress) => {
      const kept = keep(() => ({ ...MAPPED, externalAddress }));
      await soon(() => expect(kept.states.at(-1)).toEqual({ kind: 'carrier-nat', address: externalAddress }));
      expect(kept.asked.at(-1)).toMatchObject({ lifetimeSeconds: 0 });
    },
  );

  it('is announced with the router’s new address within a minute', async () => {
    const answers = [MAPPED];
    const kept = keep(() => answers.at(-1));
    await soon(() => expect(kept.states.at(-1)).toMatchObject({ address: '79.1.2.11' }));
    kept.clock.advance(40_000);
    await soon(() => expect(kept.asked).toHaveLength(2));
    expect(kept.asked[1]).toMatchObject({ current: MAPPED });
    await settle();
    expect(kept.states.filter(({ kind }) => kind === 'mapped')).toHaveLength(1);
    answers.push({ ...MAPPED, externalAddress: '79.1.2.12' });
    kept.clock.advance(40_000);
    await soon(() => expect(kept.states.at(-1)).toMatchObject({ kind: 'mapped', address: '79.1.2.12' }));
  });

  it('is asked for again within seconds when it is lost, later less often, and when the network changes', async () => {
    const answers: (Mapping | undefined)[] = [MAPPED];
    const kept = keep(() => answers.at(-1));
    const nones = (): number => kept.states.filter(({ kind }) => kind === 'none').length;
    await soon(() => expect(kept.states.at(-1)).toMatchObject({ kind: 'mapped' }));
    answers.push(undefined);
    kept.clock.advance(40_000);
    for (const [index, seconds] of [15, 30, 60, 120, 240, 300, 300].entries()) {
      await soon(() => expect(nones()).toBe(index + 1));
      await settle();
      kept.clock.advance(seconds * 1_000 - 1);
      await settle();
      expect(nones()).toBe(index + 1);
      kept.clock.advance(1);
    }
    await soon(() => expect(nones()).toBe(8));
    answers.push(MAPPED);
    kept.networkChanged();
    await soon(() => expect(kept.states.at(-1)).toMatchObject({ kind: 'mapped' }));
    const before = kept.asked.length;
    kept.networkChanged();
    await soon(() => expect(kept.asked).toHaveLength(before + 1));
    expect(kept.asked[before]).toMatchObject({ current: undefined });
  });

  it('is asked for and removed by the same port when the router was silent meanwhile', async () => {
    const answers: (Mapping | undefined)[] = [{ ...MAPPED, lifetimeSeconds: 0 }];
    const kept = keep(() => answers.at(-1));
    await soon(() => expect(kept.states.at(-1)).toMatchObject({ kind: 'mapped' }));
    answers.push(undefined);
    kept.clock.advance(40_000);
    await soon(() => expect(kept.states.at(-1)).toEqual({ kind: 'none' }));
    const before = kept.asked.length;
    kept.clock.advance(15_000);
    await soon(() => expect(kept.asked.length).toBeGreaterThan(before));
    expect(kept.asked[before]).toMatchObject({ externalPort: 7_430, current: undefined });
    await settle();
    kept.end();
    await kept.ended;
    expect(kept.asked.at(-1)).toMatchObject({ externalPort: 7_430, lifetimeSeconds: 0 });
  });

  it('is removed for the address that this computer had before, when it gets another one', async () => {
    const router = newRouter();
    let ownAddress = '127.0.0.1';
    const kept = keep(
      () => MAPPED,
      router,
      () => ({ ...router, ownAddress }),
    );
    await soon(() => expect(kept.states.at(-1)).toMatchObject({ kind: 'mapped' }));
    ownAddress = '127.0.0.2';
    kept.networkChanged();
    await soon(() => expect(kept.asked).toHaveLength(3));
    expect(kept.asked.slice(1)).toMatchObject([
      { ownAddress: '127.0.0.1', externalPort: 7_430, lifetimeSeconds: 0 },
      { ownAddress: '127.0.0.2', lifetimeSeconds: 3_600 },
    ]);
  });

  it('is removed when its router is no longer asked before it answered', async () => {
    const kept = keep(() => new Promise((resolve) => setTimeout(resolve, 50)));
    await soon(() => expect(kept.asked).toHaveLength(1));
    kept.end();
    await kept.ended;
    expect(kept.asked.at(-1)).toMatchObject({ externalPort: 7_420, lifetimeSeconds: 0 });
  });

  it('is known to its router again after a crash, and to no other router', async () => {
    const router = newRouter();
    const kept = [keep(() => MAPPED, router), keep(() => MAPPED, router), keep(() => MAPPED)];
    await soon(() => {
      for (const { asked } of kept) expect(asked).toHaveLength(1);
    });
    const [first, again, elsewhere] = kept.map(({ asked }) => asked[0]?.nonce.toString('hex'));
    expect(first).toMatch(/^[a-f0-9]{24}$/);
    expect(again).toBe(first);
    expect(elsewhere).not.toBe(first);
  });

  it('is refused by a router that grants port 0, which nobody can call', async () => {
    const kept = keep(() => ({ ...MAPPED, externalPort: 0 }));
    await soon(() => expect(kept.states.at(-1)).toEqual({ kind: 'refused' }));
    kept.clock.advance(15_000);
    await soon(() => expect(kept.asked).toHaveLength(2));
    expect(kept.asked[1]).toMatchObject({ externalPort: 7_420 });
  });

  it('is refused by a router that says no', async () => {
    const kept = keep(() => {
      throw new MappingRefused('not authorized');
    });
    await soon(() => expect(kept.states.at(-1)).toEqual({ kind: 'refused' }));
  });
});

describe('the default router', () => {
  it.each([
    [
      'macOS',
      'Destination        Gateway            Flags\ndefault            192.168.178.1      UGScg  en0\n127  127.0.0.1 UCS lo0',
    ],
    ['Windows', '          0.0.0.0          0.0.0.0    192.168.178.1   192.168.178.20     35\n'],
  ])('is found in the routes of %s', (_system, table) => {
    expect(gatewayInTable(table)).toBe('192.168.178.1');
  });

  it('is none where there is no default route', () => {
    expect(gatewayInTable('Destination Gateway\n192.168.178 link#4 UC en0\n')).toBeUndefined();
  });
});
