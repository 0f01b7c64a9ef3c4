import { describe, expect, it, onTestFinished } from 'vitest';
import type { Node } from '../../../server/federation/model.ts';
import { RequestRefusedError, TokenRejectedError } from '../../../server/peer/guard/errors.ts';
import { startCollecting } from '../../../server/sync/schedule/collecting.ts';
import type { OpenPartner, SyncFederation } from '../../../server/sync/ports.ts';
import { english, type Words } from '../../../server/words/said.ts';
import { manualClock } from '../../support/harness/manual-clock.ts';

const asking = (certificate?: string): Node =>
  ({
    nodeID: '10',
    name: 'Harbour Office',
    pairing: {
      as: 'invitee',
      askedAt: '2026-11-20T00:00:00Z',
      link: { footbridge: true, baseURL: '', certificate },
    },
  }) as unknown as Node;

/** Asks a partner that always answers like this. Returns the reasons why the request failed. */
function collecting(
  answer: () => Promise<unknown>,
  node = asking(),
  invite?: string,
): { told: Words[]; asked: () => number; greeted: () => number; later: () => void } {
  const told: Words[] = [];
  let [asked, greeted] = [0, 0];
  const nodes = { get: () => Promise.resolve(node) };
  const handshakes = {
    collectProof: () => Promise.resolve({ sharedNodeID: '20', proof: 'proof', invite }),
    recordDeclined: (_nodeID: string, reason: Words) => Promise.resolve(void told.push(reason)),
  };
  const peer = {
    footbridge: { collectPairing: () => (asked++, answer()) },
    isIssuer: () => Promise.resolve((greeted++, false)),
    close: () => Promise.resolve(),
  };
  const openPartner = (() => peer) as unknown as OpenPartner;
  const clock = manualClock();
  const running = startCollecting('10', {
    federation: { nodes, handshakes } as unknown as SyncFederation,
    openPartner,
    clock,
  });
  onTestFinished(() => running.stop());
  return { told, asked: () => asked, greeted: () => greeted, later: () => clock.advance(30_000) };
}

describe('asking for the yes to a pairing', () => {
  it('says, where the partner knows of none that waits, what else than a no it may be, and what to do', async () => {
    const { told, asked, later } = collecting(() => Promise.resolve({ state: 'ended' }));
    await expect.poll(asked).toBe(1);
    // Its own word of a no may be on the way, and is the clearer one.
    expect(told).toEqual([]);
    await expect.poll(() => (later(), told.length)).toBe(1);
    expect(english(told[0] ?? '')).toMatch(
      /didn’t approve it, or older data came back here .* new invite\.$/,
    );
  });

  it('ends where the partner says so twice in a row, not with another answer between', async () => {
    const answers = ['ended', 'waiting', 'ended', 'waiting', 'ended', 'ended'] as const;
    let next = 0;
    const { told, asked, later } = collecting(() =>
      Promise.resolve({ state: answers[next++ % answers.length] ?? 'waiting' }),
    );
    await expect.poll(() => (later(), told.length)).toBe(1);
    expect(asked()).toBe(6);
  });

  const unknown = new TokenRejectedError('This pairing is not known here.', undefined, 'pairing.proof');
  it('ends where the partner, whose certificate is known, has forgotten the request', async () => {
    const { told, asked, later } = collecting(() => Promise.reject(unknown), asking('ab'.repeat(32)));
    await expect.poll(() => (later(), told.length)).toBe(1);
    expect(asked()).toBe(5);
  });

  it.each<[string, Error]>([
    ['a server', new RequestRefusedError(404, 'Not Found')],
    ['a Footbridge', unknown],
  ])('goes on where %s that nobody vouches for knows of no request', async (_who, error) => {
    const { told, asked, later } = collecting(() => Promise.reject(error));
    await expect.poll(() => (later(), asked())).toBe(12);
    expect(told).toEqual([]);
  });

  it('asks nothing of a program that doesn’t prove that it made the invite', async () => {
    const ready = { state: 'ready', token: 'x' };
    const { told, asked, greeted, later } = collecting(() => Promise.resolve(ready), asking(), 'invite.x.y');
    await expect.poll(() => (later(), greeted())).toBe(3);
    expect(asked()).toBe(0);
    expect(told).toEqual([]);
  });
});
