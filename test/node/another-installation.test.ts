import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { pairNodes, rowsOf, startNode, type NodeOffice } from '../support/harness/node.ts';
import { withoutChecksum } from '../support/harness/pairing.ts';

async function started(name: string, port = 0): Promise<NodeOffice> {
  const office = await startNode(name, { port });
  onTestFinished(() => office.stop());
  return office;
}

const statusOf = async (office: NodeOffice, partner: string): Promise<string> =>
  (await office.app<{ status: string }>('GET', `/app/partners/${partner}`)).status;

const offersAt = async (office: NodeOffice, partner: string): Promise<string[]> => {
  await expect.poll(() => statusOf(office, partner), { timeout: 20_000 }).toBe('paired');
  await office.app('POST', `/app/partners/${partner}/sync`);
  return (await office.app<{ name: string }[]>('GET', `/app/partners/${partner}/offers`)).map(
    ({ name }) => name,
  );
};

it('another office at the address of a partner that ended reads nothing of what was shared with that one', async () => {
  const [xanten, oslo] = [await started('Xanten'), await startNode('Oslo')];
  const pair = await pairNodes(oslo, xanten);
  const list = await xanten.list('Customers', ['Name'], [{ Name: 'Fjellheim' }]);
  await xanten.app('PUT', `/app/partners/${pair.atInvited}/shares/${list}`, { fields: ['Name'] });
  expect(await offersAt(oslo, pair.atInviter)).toEqual(['Customers']);
  await oslo.app('POST', `/app/partners/${pair.atInviter}/disconnect`, { received: 'keep' });
  const { port } = oslo;
  await oslo.stop();
  const mallory = await started('Mallory', port);
  const { atInviter, atInvited } = await pairNodes(mallory, xanten);
  expect(await offersAt(mallory, atInviter)).toEqual([]);
  expect(await xanten.app('GET', `/app/partners/${atInvited}/shares`)).toEqual([]);
});

it('another office that uses a new invite of a connected partner reads nothing of what was shared with that one', async () => {
  const [oslo, xanten] = [await started('Oslo'), await started('Xanten')];
  const pair = await pairNodes(oslo, xanten);
  const list = await oslo.list('Customers', ['Name'], [{ Name: 'Fjellheim' }]);
  await oslo.app('PUT', `/app/partners/${pair.atInviter}/shares/${list}`, { fields: ['Name'] });
  const invite = await oslo.app<{ uri: string }>('POST', `/app/partners/${pair.atInviter}/reinvite`);
  const turku = await started('Turku');
  const { nodeID } = await turku.app<{ nodeID: string }>('POST', '/app/invites/accept', {
    uri: invite.uri,
    ownNetwork: true,
  });
  const { asker } = await oslo.app<{ asker?: { text: string } }>('GET', `/app/partners/${pair.atInviter}`);
  expect(asker?.text).toMatch(/^So far .* had another Footbridge or other software\./);
  await oslo.app('POST', `/federation/nodes/${pair.atInviter}/handshake-confirm`);
  expect(await offersAt(turku, nodeID)).toEqual([]);
});

it('a connected office that uses a new invite of another connected partner renews its own connection, and both go on', async () => {
  const [oslo, xanten, turku] = [await started('Oslo'), await started('Xanten'), await started('Turku')];
  const pair = await pairNodes(oslo, xanten);
  const { uri: first, nodeID: atOslo } = await oslo.app<{ uri: string; nodeID: string }>(
    'POST',
    '/app/invites',
    { name: 'Turku' },
  );
  const accepted = await turku.app<{ nodeID: string }>('POST', '/app/invites/accept', {
    uri: first,
    ownNetwork: true,
  });
  await oslo.app('POST', `/app/partners/${atOslo}/approve`);
  const list = await oslo.list('Customers', ['Name'], [{ Name: 'Fjellheim' }]);
  await oslo.app('PUT', `/app/partners/${pair.atInviter}/shares/${list}`, { fields: ['Name'] });
  const { uri } = await oslo.app<{ uri: string }>('POST', `/app/partners/${pair.atInviter}/reinvite`);
  // Over plain http only the interface names the partner to whom an invite belongs.
  await turku.app('POST', `/federation/nodes/${accepted.nodeID}`, { baseURL: uri, name: 'Oslo' });
  await turku.app('POST', `/federation/nodes/${accepted.nodeID}/pair`);
  expect(await oslo.app('GET', `/app/partners/${pair.atInviter}`)).toMatchObject({
    asker: { partner: 'Turku', isOther: true, renews: true },
  });
  const { inbox } = await oslo.app<{ inbox: { kind: string; message: string; partner: string }[] }>(
    'GET',
    '/app/overview',
  );
  const item = inbox.find(({ kind }) => kind === 'pair-request');
  expect(item?.partner).toBe('Turku');
  expect(item?.message).toContain('Turku used your invite.');
  expect(item?.message).toContain('Nothing changes with the other office.');
  expect(await oslo.app('POST', `/app/partners/${pair.atInviter}/approve`)).toMatchObject({ nodeID: atOslo });
  expect(await offersAt(xanten, pair.atInvited)).toEqual(['Customers']);
  expect(await offersAt(turku, accepted.nodeID)).toEqual([]);
  expect(await oslo.app<unknown[]>('GET', '/app/partners')).toHaveLength(2);
});

it('the same office that pairs anew reads on what was shared with it', async () => {
  const [oslo, xanten] = [await started('Oslo'), await started('Xanten')];
  const pair = await pairNodes(oslo, xanten);
  const list = await oslo.list('Customers', ['Name'], [{ Name: 'Fjellheim' }]);
  await oslo.app('PUT', `/app/partners/${pair.atInviter}/shares/${list}`, { fields: ['Name'] });
  const invite = await oslo.app<{ uri: string }>('POST', `/app/partners/${pair.atInviter}/reinvite`);
  await xanten.app('POST', '/app/invites/accept', { uri: invite.uri, ownNetwork: true });
  expect(await oslo.app('GET', `/app/partners/${pair.atInviter}`)).toHaveProperty('asker');
  await oslo.app('POST', `/federation/nodes/${pair.atInviter}/handshake-confirm`);
  expect(await offersAt(xanten, pair.atInvited)).toEqual(['Customers']);
});

it('an invite that is refused leaves the name of a living connection as it was', async () => {
  const [oslo, xanten] = [await started('Oslo'), await started('Xanten')];
  const { atInvited, uri } = await pairNodes(oslo, xanten);
  const forged = withoutChecksum(uri)
    .replace(/:[A-Za-z0-9]{32}@/, `:${'A1b2C3d4'.repeat(4)}@`)
    .replace(/name=[^&]*/, 'name=Turku');
  expect(forged).not.toBe(uri);
  const accepting = xanten.app('POST', '/app/invites/accept', {
    uri: forged,
    ownNetwork: true,
    name: 'Turku',
  });
  await expect(accepting).rejects.toThrow(/^502/);
  expect(await xanten.app('GET', `/app/partners/${atInvited}`)).toMatchObject({
    name: 'Oslo',
    status: 'paired',
  });
});

it('another office that uses a new invite of a partner that ended reads nothing of what was shared with that one', async () => {
  const [oslo, xanten, turku] = [await started('Oslo'), await started('Xanten'), await started('Turku')];
  const pair = await pairNodes(oslo, xanten);
  const list = await oslo.list('Customers', ['Name'], [{ Name: 'Fjellheim' }]);
  await oslo.app('PUT', `/app/partners/${pair.atInviter}/shares/${list}`, { fields: ['Name'] });
  expect(await offersAt(xanten, pair.atInvited)).toEqual(['Customers']);
  await xanten.app('POST', `/app/partners/${pair.atInvited}/disconnect`, { received: 'keep' });
  await expect.poll(() => statusOf(oslo, pair.atInviter), { timeout: 20_000 }).toBe('unpaired');
  const asks = async (): Promise<string> => {
    const { uri } = await oslo.app<{ uri: string }>('POST', `/app/partners/${pair.atInviter}/reinvite`);
    const accepting = turku.app<{ nodeID: string }>('POST', '/app/invites/accept', {
      uri,
      ownNetwork: true,
    });
    return (await accepting).nodeID;
  };
  // A first try that our user declines changes nothing of that either.
  await asks();
  await oslo.app('POST', `/app/partners/${pair.atInviter}/decline`);
  const nodeID = await asks();
  await oslo.app('POST', `/federation/nodes/${pair.atInviter}/handshake-confirm`);
  expect(await offersAt(turku, nodeID)).toEqual([]);
  expect(await oslo.app('GET', `/app/partners/${pair.atInviter}/shares`)).toEqual([]);
});

it('the same office that pairs anew after it had ended reads on what was shared with it', async () => {
  const [oslo, xanten] = [await started('Oslo'), await started('Xanten')];
  const pair = await pairNodes(oslo, xanten);
  const list = await oslo.list('Customers', ['Name'], [{ Name: 'Fjellheim' }]);
  await oslo.app('PUT', `/app/partners/${pair.atInviter}/shares/${list}`, { fields: ['Name'] });
  await xanten.app('POST', `/app/partners/${pair.atInvited}/disconnect`, { received: 'keep' });
  await expect.poll(() => statusOf(oslo, pair.atInviter), { timeout: 20_000 }).toBe('unpaired');
  const { uri } = await oslo.app<{ uri: string }>('POST', `/app/partners/${pair.atInviter}/reinvite`);
  const { nodeID } = await xanten.app<{ nodeID: string }>('POST', '/app/invites/accept', {
    uri,
    ownNetwork: true,
  });
  await oslo.app('POST', `/federation/nodes/${pair.atInviter}/handshake-confirm`);
  expect(await offersAt(xanten, nodeID)).toEqual(['Customers']);
});

it(
  'another office in a partner’s place is told nothing of rows that had gone before a list was shared with it',
  { tags: 'nightly-orders' },
  async () => {
    const [oslo, xanten, turku] = [await started('Oslo'), await started('Xanten'), await started('Turku')];
    const pair = await pairNodes(oslo, xanten);
    const list = await oslo.list('Customers', ['Name'], [{ Name: 'Fjellheim' }, { Name: 'Skarvik' }]);
    const share = (): Promise<{ exposureID: string }> =>
      oslo.app('PUT', `/app/partners/${pair.atInviter}/shares/${list}`, { fields: ['Name'] });
    const told = async (exposureID: string): Promise<string> =>
      JSON.stringify(
        await oslo.app(
          'GET',
          `/federation/nodes/${pair.atInviter}/modules/${exposureID}/records/?lastSync=0`,
        ),
      );
    const before = await share();
    const gone = (await rowsOf(oslo, list)).find(({ Name }) => Name === 'Skarvik')?.recordID ?? '';
    await oslo.app('DELETE', `/app/lists/${list}/rows/${gone}`);
    expect(await told(before.exposureID)).toContain(gone);
    const { uri } = await oslo.app<{ uri: string }>('POST', `/app/partners/${pair.atInviter}/reinvite`);
    await turku.app('POST', '/app/invites/accept', { uri, ownNetwork: true });
    await oslo.app('POST', `/federation/nodes/${pair.atInviter}/handshake-confirm`);
    const shares = (): Promise<unknown[]> => oslo.app('GET', `/app/partners/${pair.atInviter}/shares`);
    await expect.poll(shares, { timeout: 20_000 }).toEqual([]);
    const after = await share();
    expect(await told(after.exposureID)).toContain('Fjellheim');
    expect(await told(after.exposureID)).not.toContain(gone);
  },
);

it('who asks in the place of another that only asked reads nothing of what was chosen for that one', async () => {
  const [oslo, xanten, turku] = [await started('Oslo'), await started('Xanten'), await started('Turku')];
  const { nodeID, uri } = await oslo.app<{ nodeID: string; uri: string }>('POST', '/app/invites', {
    name: 'Xanten',
  });
  await xanten.app('POST', '/app/invites/accept', { uri, ownNetwork: true });
  await expect.poll(() => statusOf(oslo, nodeID), { timeout: 20_000 }).toBe('pair_requested');
  const list = await oslo.list('Customers', ['Name'], [{ Name: 'Fjellheim' }]);
  await oslo.app('PUT', `/app/partners/${nodeID}/shares/${list}`, { fields: ['Name'] });
  const invite = await oslo.app<{ uri: string }>('POST', `/app/partners/${nodeID}/reinvite`);
  const asked = await turku.app<{ nodeID: string }>('POST', '/app/invites/accept', {
    uri: invite.uri,
    ownNetwork: true,
  });
  await oslo.app('POST', `/federation/nodes/${nodeID}/handshake-confirm`);
  expect(await offersAt(turku, asked.nodeID)).toEqual([]);
  expect(await oslo.app('GET', `/app/partners/${nodeID}/shares`)).toEqual([]);
});

/** Software of another kind at an address of its own, which says yes to all; `heard` is what it was told. */
async function madeUp(port = 0): Promise<{ baseURL: string; heard: string[]; close: () => void }> {
  const heard: string[] = [];
  const server = createServer((request, answer) => {
    let body = '';
    request.on('data', (bytes: Buffer) => (body += bytes.toString()));
    request.on('end', () => {
      heard.push(body);
      answer.setHeader('content-type', 'application/json').end('{}');
    });
  }).listen(port, '127.0.0.1');
  await once(server, 'listening');
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  onTestFinished(close);
  return { baseURL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/federation`, heard, close };
}

/** It uses an invite as the reference server does. */
async function asks(us: NodeOffice, nodeID: string, uri: string, secret: string): Promise<void> {
  const asked = await fetch(`http://127.0.0.1:${us.port}/federation/nodes/${nodeID}/handshake`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ nodeURI: uri, token: secret.repeat(40), nodeIDB: '77' }),
  });
  expect(asked.ok).toBe(true);
}

/** {@link asks}, and our user says yes. */
async function usesInvite(us: NodeOffice, nodeID: string, uri: string, secret: string): Promise<void> {
  await asks(us, nodeID, uri, secret);
  await us.app('POST', `/federation/nodes/${nodeID}/handshake-confirm`);
}

it.each([
  ['at another address', true, []],
  ['at the same address', false, ['Name']],
])(
  'what was shared with other software is for no other address, whoever pairs anew (%s)',
  async (_as, moves, shared) => {
    const [us, before, after] = [await started('Oslo'), await madeUp(), await madeUp()];
    const { nodeID, uri } = await us.app<{ nodeID: string; uri: string }>('POST', '/app/invites', {
      name: 'Xanten',
    });
    const calledAt = (baseURL: string): Promise<unknown> =>
      us.app('POST', `/federation/nodes/${nodeID}`, { baseURL, name: 'Xanten' });
    await calledAt(before.baseURL);
    await usesInvite(us, nodeID, uri, 'a');
    const list = await us.list('Customers', ['Name'], [{ Name: 'Fjellheim' }]);
    await us.app('PUT', `/app/partners/${nodeID}/shares/${list}`, { fields: ['Name'] });
    const again = await us.app<{ uri: string }>('POST', `/app/partners/${nodeID}/reinvite`);
    if (moves) await calledAt(after.baseURL);
    await usesInvite(us, nodeID, again.uri, 'b');
    expect(await statusOf(us, nodeID)).toBe('paired');
    const shares = await us.app<{ fields: { name: string }[] }[]>('GET', `/app/partners/${nodeID}/shares`);
    expect(shares.flatMap(({ fields }) => fields.map(({ name }) => name))).toEqual(shared);
  },
);

it('what was chosen for other software that only asked is not for an office that fetches our yes, as nobody answers there', async () => {
  const [us, mallory, before] = [await started('Oslo'), await started('Mallory'), await madeUp()];
  const { nodeID, uri } = await us.app<{ nodeID: string; uri: string }>('POST', '/app/invites', {
    name: 'Xanten',
  });
  await us.app('POST', `/federation/nodes/${nodeID}`, { baseURL: before.baseURL, name: 'Xanten' });
  await asks(us, nodeID, uri, 'a');
  const list = await us.list('Customers', ['Name'], [{ Name: 'Fjellheim' }]);
  await us.app('PUT', `/app/partners/${nodeID}/shares/${list}`, { fields: ['Name'] });
  before.close();
  const again = await us.app<{ uri: string }>('POST', `/app/partners/${nodeID}/reinvite`);
  const accepting = mallory.app<{ nodeID: string }>('POST', '/app/invites/accept', {
    uri: again.uri,
    ownNetwork: true,
  });
  const atMallory = (await accepting).nodeID;
  await us.app('POST', `/federation/nodes/${nodeID}/handshake-confirm`);
  await expect.poll(() => statusOf(us, nodeID), { timeout: 20_000 }).toBe('paired');
  expect(await offersAt(mallory, atMallory)).toEqual([]);
});

it(
  'our yes to who asks in the place of a partner that ended is not told at the address of that partner',
  { tags: 'nightly-orders' },
  async () => {
    const [xanten, oslo, mallory] = [
      await started('Xanten'),
      await startNode('Oslo'),
      await started('Mallory'),
    ];
    const pair = await pairNodes(xanten, oslo);
    await expect.poll(() => statusOf(oslo, pair.atInvited), { timeout: 20_000 }).toBe('paired');
    await oslo.app('POST', `/app/partners/${pair.atInvited}/disconnect`, { received: 'keep' });
    await expect.poll(() => statusOf(xanten, pair.atInviter), { timeout: 20_000 }).toBe('unpaired');
    const { port } = oslo;
    await oslo.stop();
    const listener = await madeUp(port);
    const { uri } = await xanten.app<{ uri: string }>('POST', `/app/partners/${pair.atInviter}/reinvite`);
    const accepting = mallory.app<{ nodeID: string }>('POST', '/app/invites/accept', {
      uri,
      ownNetwork: true,
    });
    const { nodeID } = await accepting;
    await xanten.app('POST', `/federation/nodes/${pair.atInviter}/handshake-confirm`);
    await expect.poll(() => statusOf(mallory, nodeID), { timeout: 20_000 }).toBe('paired');
    expect(listener.heard).toEqual([]);
  },
);

it('other software at the very address of a Footbridge takes its place once our user enters the address', async () => {
  const [oslo, xanten] = [await started('Oslo'), await startNode('Xanten')];
  const { atInviter } = await pairNodes(oslo, xanten);
  const path = `/app/partners/${atInviter}`;
  const addressShown = async (): Promise<string> =>
    (await oslo.app<{ baseURL: string }>('GET', path)).baseURL;
  const before = await addressShown();
  const { port } = xanten;
  await xanten.stop();
  const { baseURL } = await madeUp(port);
  expect(baseURL).toBe(before);
  const { uri } = await oslo.app<{ uri: string }>('POST', `${path}/reinvite`);
  await asks(oslo, atInviter, uri, 'a');
  // A form saves only what differs from this.
  expect(await addressShown()).toBe('');
  await oslo.app('PATCH', path, { baseURL });
  expect(await addressShown()).toBe(baseURL);
  await oslo.app('POST', `${path}/approve`);
  expect(await oslo.app('GET', path)).toMatchObject({ status: 'paired', footbridge: false, baseURL });
});
