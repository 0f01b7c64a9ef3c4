import { connect, type Socket } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startNode, type NodeOffice } from '../support/harness/node.ts';
import { scriptedPartner, type ScriptedPartner } from '../support/partners/scripted-partner.ts';

/** A partner that sends requests ahead, so that they stand at the door when our user thinks better of it. */
let a: NodeOffice;
let b: ScriptedPartner;
let list: string;
let exposureID: string;
let sockets: Socket[];

beforeEach(async () => {
  sockets = [];
  a = await startNode('Turku');
  b = await scriptedPartner(a, 'Rauma');
  list = await a.list('Customers', ['Name'], [{ Name: 'Aalto Brass' }, { Name: 'Lehto & Sons' }]);
  await a.app('PUT', `/app/partners/${b.nodeID}/shares/${list}`, { fields: ['Name'] });
  const [share] = await a.app<{ exposureID: string }[]>('GET', `/app/partners/${b.nodeID}/shares`);
  exposureID = share?.exposureID ?? '';
});
afterEach(async () => {
  for (const socket of sockets) socket.destroy();
  await Promise.all([a.stop(), b.close()]);
});

interface Held {
  readonly go: () => void;
  readonly got: () => string;
}

/** A request whose body comes to an end only when `go` is called; `got` is what came back so far. */
function held(method: string, path: string, body = ''): Held {
  const socket = connect(a.port, '127.0.0.1');
  sockets.push(socket);
  let got = '';
  socket.setEncoding('utf8').on('data', (part: string) => (got += part));
  socket.on('error', () => undefined);
  socket.write(
    `${method} ${path} HTTP/1.1\r\nHost: x\r\nAccept: */*\r\nConnection: close\r\nAuthorization: Bearer ${b.token}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body.slice(0, 1)}`,
  );
  return { go: () => void socket.write(body.slice(1)), got: () => got };
}

/** One request that stands in the door with half of its body, and one of each dialect behind it. */
async function atTheDoor(): Promise<{ reading: Held[]; renewal: Held; go: () => void }> {
  const page = await b.ask('GET', `/federation/exposed/records/${exposureID}`);
  const { set } = page.response as { set: { recordID: string }[] };
  const recordIDs = set.map(({ recordID }) => recordID);
  expect(recordIDs).toHaveLength(2);
  const first = held(
    'POST',
    `/federation/footbridge/modules/${exposureID}/rows`,
    JSON.stringify({ recordIDs }),
  );
  const behind = [
    `/federation/exposed/modules/${exposureID}`,
    `/federation/exposed/records/${exposureID}`,
    `/federation/nodes/${b.nodeID}/modules/${exposureID}/records/`,
    `/federation/footbridge/modules/${exposureID}/changes?after=0&limit=100`,
  ].map((path) => held('GET', path));
  const renewal = held('POST', '/federation/footbridge/token');
  // Whoever is one too many is turned away at once, which shows that the others wait.
  const surplus = Array.from({ length: 12 }, () => held('GET', `/federation/exposed/records/${exposureID}`));
  await expect.poll(() => surplus.filter((each) => each.got().includes('request.at-once')).length).toBe(1);
  return { reading: [first, ...behind], renewal, go: first.go };
}

describe('what stands at the door', () => {
  it('is refused once its reading is paused, also when it came before', async () => {
    const { reading, go } = await atTheDoor();
    const { response } = await b.ask('GET', '/federation/footbridge/wait?timeout=1');
    const { cursor } = response as { cursor: string };
    const news = held('GET', `/federation/footbridge/wait?timeout=20&since=${cursor}`);
    await a.app('POST', `/federation/nodes/${b.nodeID}/pause`, { serve: true });
    await a.app('POST', `/app/lists/${list}/rows`, { values: { Name: ['Virtanen Shipping'] } });
    go();
    for (const { got } of [...reading, news]) {
      await expect.poll(got).toContain('node.paused');
      expect(got()).not.toMatch(/Aalto|Lehto|Virtanen/);
      expect(got()).toContain(' 403 ');
    }
  });

  it('is refused once the connection has ended, and gets no new token', async () => {
    const { reading, renewal, go } = await atTheDoor();
    await a.app('POST', `/federation/nodes/${b.nodeID}/revoke`);
    go();
    for (const { got } of [...reading, renewal]) {
      await expect.poll(got).toContain(' 401 ');
      expect(got()).not.toMatch(/Aalto|Lehto|token":/);
    }
  });
});

describe('a partner that asks for much at once', () => {
  it.each([
    ['says how far it has read', '/federation/footbridge/standing', 17],
    ['ends the connection', '/federation/footbridge/goodbye', 4],
    ['completes a pairing', '/federation/nodes/7/handshake-complete', 4],
  ])('has a few of them taken in where it %s, the others are turned away', async (_what, path, most) => {
    const all = Array.from({ length: 40 }, () => held('POST', path, '{}'));
    const refused = (): number => all.filter((each) => each.got().includes('request.at-once')).length;
    await expect.poll(refused, { timeout: 10_000 }).toBeGreaterThanOrEqual(40 - most);
    await new Promise((resolve) => setTimeout(resolve, 200));
    expect(refused()).toBe(40 - most);
  });
});
