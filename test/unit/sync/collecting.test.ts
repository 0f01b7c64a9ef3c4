import { describe, expect, it, onTestFinished } from 'vitest';
import type { Node } from '../../../server/federation/model.ts';
import { startCollecting } from '../../../server/sync/schedule/collecting.ts';
import type { OpenPartner, SyncFederation } from '../../../server/sync/ports.ts';
import { english, type Words } from '../../../server/words/said.ts';
import { manualClock } from '../../support/harness/manual-clock.ts';

const asking = {
  nodeID: '10',
  name: 'Harbour Office',
  pairing: { as: 'invitee', askedAt: '2026-11-20T00:00:00Z', link: { footbridge: true, baseURL: '' } },
} as unknown as Node;

describe('asking for the yes to a pairing', () => {
  it('says, where the partner knows of none that waits, what else than a no it may be, and what to do', async () => {
    const told: Words[] = [];
    let asked = 0;
    const nodes = { get: () => Promise.resolve(asking) };
    const handshakes = {
      collectProof: () => Promise.resolve({ sharedNodeID: '20', proof: 'proof' }),
      recordDeclined: (_nodeID: string, reason: Words) => Promise.resolve(void told.push(reason)),
    };
    const peer = {
      footbridge: { collectPairing: () => (asked++, Promise.resolve({ state: 'ended' })) },
      close: () => Promise.resolve(),
    };
    const openPartner = (() => peer) as unknown as OpenPartner;
    const clock = manualClock();
    const collecting = startCollecting('10', {
      federation: { nodes, handshakes } as unknown as SyncFederation,
      openPartner,
      clock,
    });
    onTestFinished(() => collecting.stop());
    await expect.poll(() => asked).toBe(1);
    // Its own word of a no may be on the way, and is the clearer one.
    expect(told).toEqual([]);
    await expect.poll(() => (clock.advance(2_000), told.length)).toBe(1);
    await expect.poll(() => told.length).toBe(1);
    expect(english(told[0] ?? '')).toMatch(
      /didn’t approve it, or older data came back here .* new invite\.$/,
    );
  });
});
