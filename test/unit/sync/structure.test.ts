import { expect, it, onTestFinished } from 'vitest';
import type { Peer } from '../../../server/peer/peer.ts';
import { ProtocolViolationError } from '../../../server/peer/guard/errors.ts';
import { pullStructure } from '../../../server/sync/pull/structure.ts';
import { receivingOffice } from '../../support/harness/pulling-parts.ts';

/** A partner that offers lists of these numbers, and says with which former ones they go on. */
function offering(...lists: readonly (readonly [moduleID: string, firstModuleID?: string])[]): Peer {
  const offers = lists.map(([moduleID, firstModuleID]) => ({
    ...{ moduleID, handle: moduleID, name: moduleID },
    ...(firstModuleID === undefined ? {} : { firstModuleID }),
    fields: [{ kind: 'String', name: 'Name', label: 'Name', isMulti: false }],
  }));
  return { feed: { offers: () => Promise.resolve({ offers }) } } as unknown as Peer;
}

it('refuses two lists of a partner that go on with the same former one: each would be looked for everywhere', async () => {
  const office = await receivingOffice();
  onTestFinished(() => office.close());
  const node = await office.addPartner({ baseURL: 'https://oslo.example/federation', footbridge: true });
  const pull = (peer: Peer): Promise<unknown> =>
    pullStructure(office.federation, peer, node, AbortSignal.timeout(10_000));
  await pull(offering(['20', '10'], ['21', '11'], ['22']));
  expect(await office.federation.shared.list(node.nodeID)).toHaveLength(3);
  await expect(pull(offering(['20', '10'], ['21', '10']))).rejects.toThrow(ProtocolViolationError);
  await expect(pull(offering(['20', '10'], ['10']))).rejects.toThrow(ProtocolViolationError);
  expect(await office.federation.shared.list(node.nodeID)).toHaveLength(3);
});
