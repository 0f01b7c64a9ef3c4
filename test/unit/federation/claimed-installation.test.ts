import { describe, expect, it } from 'vitest';
import type { Node } from '../../../server/federation/model.ts';
import { findSameInstallation } from '../../../server/federation/partners/claimed-installation.ts';
import { pairedNode } from '../../support/data/paired-node.ts';

const partner = (nodeID: string, more: Partial<Node> = {}): Node =>
  pairedNode({
    nodeID,
    sharedNodeID: `9${nodeID}`,
    installation: 'oslo',
    baseURL: `https://office-${nodeID}.example/federation`,
    ...more,
  });

const [first, second] = [partner('10'), partner('11')];

describe('of two connected partners that say that they are the same installation', () => {
  it('each is told from the other, where they stand at two addresses with two certificates', () => {
    const [one, other] = [partner('10', { certificate: 'aa' }), partner('11', { certificate: 'bb' })];
    expect([
      findSameInstallation([one, other], one)?.nodeID,
      findSameInstallation([one, other], other)?.nodeID,
    ]).toEqual(['11', '10']);
  });

  it.each([
    ['is not connected any more', { status: 'unpaired' }],
    ['was removed', { deletedAt: '2026-11-02T00:00:00Z' }],
    ['says that it is another one', { installation: 'bergen' }],
    ['answers at the same address: one office, paired twice', { baseURL: first.baseURL }],
  ] as const)('nobody is, where the other %s', (_why, more: Partial<Node>) => {
    expect(findSameInstallation([first, partner('11', more)], first)).toBeUndefined();
  });

  it('nobody is, where both have the key of one certificate', () => {
    const [one, other] = [first, second].map((each) => ({ ...each, certificate: 'aa' }));
    expect(findSameInstallation([one!, other!], one!)).toBeUndefined();
  });
});
