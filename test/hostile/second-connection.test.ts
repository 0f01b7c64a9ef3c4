import { expect, it, onTestFinished } from 'vitest';
import { createInstallation } from '../../server/base/installation-key.ts';
import { UNTOUCHED } from '../../server/federation/tables.ts';
import { startLyingPartner } from '../support/partners/lying-partner.ts';
import { madeUpOrigin } from '../support/partners/made-up-origin.ts';
import { receivingOffice, type ReceivingOffice } from '../support/harness/pulling-parts.ts';

interface TwoConnections {
  readonly office: ReceivingOffice;
  readonly ids: readonly [string, string];
  /** The requests that came over each of them. */
  readonly asked: readonly [() => number, () => number];
  /** Ends or begins the answers over one of them. */
  readonly setDead: (at: 0 | 1, isDead: boolean) => void;
}

/** One office that shares nothing over two connections whose requests crossed. */
async function twoConnections(): Promise<TwoConnections> {
  const office = await receivingOffice();
  onTestFinished(() => office.close());
  const { id: installation } = createInstallation();
  const dead = [false, false];
  const partners = await Promise.all(
    [0, 1].map((at) =>
      startLyingPartner((app) => {
        app.use((request, _response, next) => (dead[at] === true ? request.socket.destroy() : next()));
        app.get('/exposed/modules', (_request, response) =>
          response.json({ response: { filter: {}, set: [] } }),
        );
        madeUpOrigin().serve(app);
      }),
    ),
  );
  onTestFinished(async () => {
    await Promise.all(partners.map((each) => each.close()));
  });
  const [one, other] = partners;
  if (!one || !other) throw new Error('two partners were started');
  const { nodeID } = await office.addPartner({ baseURL: one.base, installation, role: 'invitee' });
  const { nodeID: invited } = await office.addPartner({
    ...{ baseURL: other.base, installation, role: 'inviter', crosses: nodeID },
  });
  return {
    office,
    ids: [nodeID, invited],
    asked: [() => one.heard.length, () => other.heard.length],
    setDead: (at, isDead) => void (dead[at] = isDead),
  };
}

const left = async ({ federation }: ReceivingOffice): Promise<string[]> =>
  (await federation.nodes.list()).map(({ nodeID }) => nodeID);

it.each([0, 1] as const)(
  'of one office that answered over both connections, the first one dead meanwhile: both stay until it answers again (%i first)',
  async (first) => {
    const { office, ids, asked, setDead } = await twoConnections();
    const second = first === 0 ? 1 : 0;
    await office.sync.syncNow(ids[first]);
    setDead(first, true);
    const before = asked[first]();
    await office.sync.syncNow(ids[second]);
    await expect.poll(asked[first]).toBeGreaterThan(before);
    await office.sync.whenIdle(ids[first]);
    expect(await left(office)).toHaveLength(2);
    setDead(first, false);
    await office.sync.syncNow(ids[first]);
    await expect.poll(() => left(office)).toHaveLength(1);
  },
);

it.each([
  ['by the partner, which asks to remove its rows', { removeRequest: true }, true, 2],
  ['by the partner', {}, false, 1],
  ['by the partner, as the words differed there', { wordsDiffer: true }, false, 2],
  [
    'by the partner, as the words differed there, and those of the other one are the same',
    { wordsDiffer: true },
    true,
    1,
  ],
] as const)(
  'of one office that was ended %s: the other one replaces it where nothing is left to decide',
  async (...given) => {
    const [, farewell, isCompared, records] = given;
    await expectRecords(
      ({ disconnects }, ended) => disconnects.recordEndedByPartner(ended, farewell),
      isCompared,
      records,
    );
  },
);

it.each([
  [false, 2],
  [true, 1],
])(
  'of one office that was ended here as the words differed, those of the other one being compared: %s',
  async (...given) => {
    await expectRecords(
      ({ disconnects }, ended) => disconnects.revoke(ended, '1', { wordsDiffer: true }),
      ...given,
    );
  },
);

it('of one office whose rows our user removed on ending it: it stays until a list that can not be read is rid of them', async () => {
  const office = await receivingOffice();
  onTestFinished(() => office.close());
  const { disconnects } = office.federation;
  const of = { baseURL: 'https://oslo.example/federation', installation: createInstallation().id };
  const { nodeID: ended } = await office.addPartner(of);
  const { nodeID } = await office.addPartner(of);
  await disconnects.revoke(ended, '1', { received: 'remove' });
  const system = await office.store.partition('system');
  await system.transaction((tx) =>
    tx.put(UNTOUCHED, 'unread', { nodeID: ended, moduleID: '5', received: 'remove' }),
  );
  await disconnects.removeEndedRecords(nodeID);
  expect(await left(office)).toHaveLength(2);
  await office.federation.rowHandover.runPending();
  await disconnects.removeEndedRecords(nodeID);
  expect(await left(office)).toEqual([nodeID]);
});

/** Ends the first of two connections of an office, and expects so many records after it answered over the other one. */
async function expectRecords(
  end: (federation: ReceivingOffice['federation'], nodeID: string) => Promise<unknown>,
  isCompared: boolean,
  records: number,
): Promise<void> {
  const office = await receivingOffice();
  onTestFinished(() => office.close());
  const { disconnects } = office.federation;
  const [of, words] = [
    { baseURL: 'https://oslo.example/federation', installation: createInstallation().id },
    'a b c',
  ];
  const { nodeID: ended } = await office.addPartner(of);
  const { nodeID } = await office.addPartner({ ...of, words });
  await end(office.federation, ended);
  if (isCompared) await disconnects.applyWordsComparison(nodeID, words, true, '1');
  await disconnects.removeEndedRecords(nodeID);
  expect(await left(office)).toHaveLength(records);
}
