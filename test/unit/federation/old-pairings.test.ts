import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NODES } from '../../../server/federation/tables.ts';
import { voidOldPairings } from '../../../server/federation/partners/old-pairings.ts';
import { systemClock } from '../../../server/base/clock.ts';
import { english } from '../../../server/words/said.ts';
import { noLists, testOffice, type TestOffice } from './two-offices.ts';

let office: TestOffice;
beforeEach(async () => {
  office = await testOffice('Oslo', noLists);
});
afterEach(() => office.close());

const OLD = { pairing: { invite: 'a4'.repeat(32), tokenB: '7c'.repeat(32) }, sealedToken: 'sealed:dG9rZW4=' };

/** A record as an older version left it. */
async function old(name: string, kept: object): Promise<string> {
  const { nodeID } = await office.federation.nodes.create(
    { name, baseURL: 'https://harbour.example/federation' },
    '1',
  );
  await office.system.transaction(async (tx) => {
    const node = await tx.get(NODES, nodeID);
    if (node) tx.put(NODES, nodeID, Object.assign({ ...node }, kept));
  });
  return nodeID;
}

async function reopen(): Promise<string[]> {
  const revoked: string[] = [];
  await voidOldPairings({
    system: office.system,
    clock: systemClock,
    log: { info: () => undefined, warn: () => undefined },
    tokens: {
      revoke: (_tx, nodeID) => {
        revoked.push(nodeID);
        return Promise.resolve();
      },
    },
  });
  return revoked;
}

describe('half-done pairings of older versions', () => {
  it('are ended with words, and their tokens are void', async () => {
    const asked = await old('Bergen', { ...OLD, status: 'pair_requested', role: 'inviter' });
    const invited = await old('Voss', { status: 'pending', role: 'invitee', sealedInvite: 'sealed:eA==' });
    expect((await reopen()).sort()).toEqual([asked, invited].sort());
    for (const nodeID of [asked, invited]) {
      const node = await office.federation.nodes.get(nodeID);
      expect(node.status).toBe('failed');
      expect(english(node.problem ?? '')).toMatch(/new invite/);
      for (const left of ['pairing', 'sealedToken', 'sealedInvite']) expect(node).not.toHaveProperty(left);
    }
    expect(await reopen()).toEqual([]);
  });

  it('that had moved a living connection to another address end it', async () => {
    const moved = await old('Hamar', { ...OLD, status: 'paired', sealedInvite: 'sealed:eA==' });
    expect(await reopen()).toEqual([moved]);
    const node = await office.federation.nodes.get(moved);
    expect(node.status).toBe('unpaired');
    expect(node).not.toHaveProperty('sealedToken');
  });

  it('leave connections alone that are complete', async () => {
    const done = await old('Molde', { ...OLD, status: 'paired', confirmedAt: '2026-10-01T08:00:00.000Z' });
    expect(await reopen()).toEqual([]);
    const node = await office.federation.nodes.get(done);
    expect(node).toMatchObject({ status: 'paired', sealedToken: OLD.sealedToken });
    for (const left of ['pairing', 'confirmedAt']) expect(node).not.toHaveProperty(left);
  });
});
