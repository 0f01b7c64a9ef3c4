import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sampleOf } from '../support/data/luck.ts';
import { hasUpnp, Lab, whyNoNetworks, type LabProgram, type OfficeOptions } from '../support/network/lab.ts';

const reason = whyNoNetworks();
if (reason !== undefined) console.error(`\n*** NETWORK TESTS DO NOT RUN: ${reason} ***\n`);
else if (!hasUpnp())
  console.error('\n*** TESTS OF ROUTERS WITH UPNP DO NOT RUN: apt-get install miniupnpd ***\n');

let lab: Lab;
let folder: string;
beforeEach(async () => {
  lab = await Lab.create();
  folder = await mkdtemp(join(tmpdir(), 'footbridge-network-'));
});
afterEach(async () => {
  await lab.close();
  await rm(folder, { recursive: true, force: true });
});

async function startRelay(port: number): Promise<string> {
  const address = lab.addServer('relay');
  const args = ['relay', '--data', folder, '--port', String(port), '--name', address, '--json'];
  const ready = await lab.start('relay', process.execPath, [resolve('dist/cli.js'), ...args]).next();
  return String(ready.address);
}

const ENDPOINT = resolve('test/support/network/endpoint.ts');
const startEndpoint = (place: string, ...args: string[]): LabProgram =>
  lab.start(place, process.execPath, ['--import', 'tsx', ENDPOINT, ...args]);

describe.skipIf(reason !== undefined)('two offices that nobody can call', () => {
  it.each<[string, number, OfficeOptions, OfficeOptions]>([
    ['a router with cone NAT and one with symmetric NAT', 7422, { router: 'cone' }, { router: 'symmetric' }],
    [
      'a carrier’s NAT and a firewall that lets out 80 and 443 only, with the same private addresses',
      443,
      { router: 'carrier', subnet: 11 },
      { router: 'cone', firewall: 'web-only', subnet: 11 },
    ],
  ])('reach each other through a relay: behind %s', async (_what, port, kiel, lyon) => {
    const relay = await startRelay(port);
    lab.addOffice('kiel', kiel);
    lab.addOffice('lyon', lyon);
    const office = await startEndpoint('kiel', 'office', relay).next(({ kind }) => kind === 'registered');
    const { officeID, pin } = office as { officeID: string; pin: string };
    const call = await startEndpoint('lyon', 'caller', relay, officeID, pin, '1000000').next();
    expect(call).toMatchObject({ returned: 1_000_000 });
  });

  it('find the relay again when a router gets a new address', { tags: 'nightly-waits' }, async () => {
    const relay = await startRelay(7422);
    lab.addOffice('kiel', { router: 'cone' });
    lab.addOffice('lyon', { router: 'symmetric' });
    const kiel = startEndpoint('kiel', 'office', relay);
    const { officeID, pin } = (await kiel.next(({ kind }) => kind === 'registered')) as Record<
      string,
      string
    >;
    lab.changeAddress('kiel');
    const changedAt = performance.now();
    await kiel.next(({ kind }) => kind === 'registered');
    expect(performance.now() - changedAt).toBeLessThan(60_000);
    const call = await startEndpoint('lyon', 'caller', relay, officeID ?? '', pin ?? '', '1000').next();
    expect(call).toMatchObject({ returned: 1_000 });
  });
});

describe.skipIf(reason !== undefined || !hasUpnp())('a router that maps ports', () => {
  it.each(sampleOf(['pcp', 'upnp'], 2))(
    'opens one while it is wanted, asked by %s, and is called from outside',
    async (protocol) => {
      lab.addOffice('kiel', { router: 'upnp' });
      lab.addServer('caller');
      await lab.startUpnp('kiel', { upnpOnly: protocol === 'upnp' });
      const server = lab.start('kiel', process.execPath, [
        '-e',
        'require("net").createServer((s) => s.end("Kiel")).listen(7420, "0.0.0.0", () => console.log("{}"))',
      ]);
      await server.next();
      const mapping = startEndpoint('kiel', 'mapped', '7420');
      const state = await mapping.next(({ kind }) => kind !== 'searching');
      expect(state).toMatchObject({ kind: 'mapped', port: 7420, protocol });
      const call = `require("net").connect(7420, "${String(state.address)}").on("data", (d) => { console.log(JSON.stringify({ heard: String(d) })); process.exit(); }).on("error", () => { console.log("{}"); process.exit(); }); setTimeout(() => { console.log("{}"); process.exit(); }, 2000);`;
      expect(await lab.start('caller', process.execPath, ['-e', call]).next()).toEqual({ heard: 'Kiel' });
      await mapping.stop();
      expect(await lab.start('caller', process.execPath, ['-e', call]).next()).toEqual({});
    },
  );

  it('behind a carrier’s router is recognised: its ports lead nowhere', async () => {
    lab.addOffice('kiel', { router: 'upnp-carrier' });
    await lab.startUpnp('kiel');
    const state = await startEndpoint('kiel', 'mapped', '7420').next(({ kind }) => kind !== 'searching');
    expect(state).toEqual({ kind: 'carrier-nat' });
  });

  it('is not there: the office learns it', async () => {
    lab.addOffice('kiel', { router: 'cone' });
    const state = await startEndpoint('kiel', 'mapped', '7420').next(({ kind }) => kind !== 'searching');
    expect(state).toEqual({ kind: 'none' });
  });
});
