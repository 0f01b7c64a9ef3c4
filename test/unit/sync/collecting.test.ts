import { describe, expect, it, onTestFinished } from 'vitest';
import type { Node } from '../../../server/federation/model.ts';
import { startCollecting } from '../../../server/sync/schedule/collecting.ts';
import type { OpenPartner, SyncFederation } from '../../../server/sync/ports.ts';
import { english, type Words } from '../../../server/words/said.ts';
import { manualClock } from '../../support/manual-clock.ts';

const asking = {
  nodeID: '10',
  name: 'Harbour Office',
  pairing: { as: 'invitee', askedAt: '2026-11-20T00:00:00Z', link: { footbridge: true, baseURL: '' } },
} as unknown as Node;

describe('asking for the yes to a pairing', () => {
  it('says, where the partner knows of none that waits, what else than a no it may be, and what to do', async () => {
    const told: Words[] = [];
    const nodes = {
      get: () => Promise.resolve(asking),
      collectProof: () => Promise.resolve({ sharedNodeID: '20', proof: 'proof' }),
      turnedDown: (_nodeID: string, reason: Words) => Promise.resolve(void told.push(reason)),
    } as unknown as SyncFederation['nodes'];
    const peer = {
      footbridge: { collect: () => Promise.resolve({ state: 'ended' }) },
      close: () => Promise.resolve(),
    };
    const openPartner = (() => peer) as unknown as OpenPartner;
    const collecting = startCollecting('10', { federation: { nodes }, openPartner, clock: manualClock() });
    onTestFinished(() => collecting.stop());
    await expect.poll(() => told.length).toBe(1);
    expect(english(told[0] ?? '')).toMatch(
      /did not approve it, or they did, and the data here went back .* new invite\.$/,
    );
  });
});
