import { expect, it } from 'vitest';
import { listFormerPartners } from '../../../server/app/sharing-log.ts';
import type { Node } from '../../../server/federation/model.ts';

const node = (nodeID: string, over: Partial<Node>): Node => ({
  ...{ nodeID, sharedNodeID: `9${nodeID}`, name: `Office ${nodeID}`, colour: 'plum', status: 'unpaired' },
  ...{ baseURL: '', contact: '', footbridge: true, ownNetwork: false },
  ...{ createdAt: '2026-11-01T00:00:00Z', createdBy: '1' },
  ...over,
});

it('tells partners that were removed, the latest first, without those that never came to be connected', async () => {
  const all = [
    node('1', { deletedAt: '2026-11-10T00:00:00Z', tokenSince: '2026-11-02T00:00:00Z' }),
    node('2', { tokenSince: '2026-11-02T00:00:00Z' }),
    node('3', { deletedAt: '2026-11-12T00:00:00Z' }),
    node('4', { deletedAt: '2026-11-13T00:00:00Z' }),
    node('5', { deletedAt: '2026-11-14T00:00:00Z', tokenSince: '2026-11-02T00:00:00Z', replacedBy: '2' }),
  ];
  const nodes = { list: () => Promise.resolve(all) };
  const page = (nodeID: string): Promise<{ total: number; lines: [] }> =>
    Promise.resolve({ total: nodeID === '4' ? 7 : 0, lines: [] });
  expect(await listFormerPartners({ nodes }, { page })).toMatchObject([
    { nodeID: '4', until: '2026-11-13T00:00:00Z', left: true },
    { nodeID: '1', name: 'Office 1', left: false },
  ]);
});
