import { describe, expect, it, onTestFinished } from 'vitest';
import type { NodeOptions } from '../../server/node/node.ts';
import { startNode, type NodeOffice } from '../support/harness/node.ts';

async function officeWith(options: Partial<NodeOptions>): Promise<NodeOffice> {
  const office = await startNode('Head office', options);
  onTestFinished(() => office.stop());
  return office;
}

/** One call at the partners' port with a guessed token, by a caller of whom a load balancer says that address. */
const guess = async (office: NodeOffice, address: string): Promise<number> =>
  (
    await fetch(`${office.ready.federation}/federation/exposed/modules/`, {
      headers: { authorization: 'Bearer guessed', 'x-forwarded-for': address, 'x-forwarded-proto': 'https' },
    })
  ).status;

async function guessesOf(office: NodeOffice, address: string): Promise<number[]> {
  const answers = [];
  for (let at = 0; at < 21; at++) answers.push(await guess(office, address));
  return answers;
}

const manages = async (office: NodeOffice, headers: Record<string, string>): Promise<number> =>
  (
    await fetch(`${office.ready.federation}/federation/nodes/`, {
      headers: { authorization: `Bearer ${office.node.userToken('admin', 60_000)}`, ...headers },
    })
  ).status;

describe('behind a load balancer', () => {
  it('that is known, each caller is counted for itself, by the address that the balancer saw', async () => {
    const office = await officeWith({ trustedProxies: ['127.0.0.1'] });
    expect((await guessesOf(office, '203.0.113.7')).at(-1)).toBe(429);
    expect(await guess(office, '198.51.100.4')).toBe(401);
    // What the caller says of itself comes before what the balancer saw, and counts for nothing.
    expect(await guess(office, '198.51.100.99, 203.0.113.7')).toBe(429);
  });

  it('that is not known, what a request says of its address counts for nothing', async () => {
    const office = await officeWith({});
    expect((await guessesOf(office, '203.0.113.7')).at(-1)).toBe(429);
    expect(await guess(office, '198.51.100.4')).toBe(429);
  });

  it('on this computer, nobody else is taken for this computer itself', async () => {
    const office = await officeWith({ trustedProxies: ['127.0.0.0/8'] });
    expect(await manages(office, {})).toBe(200);
    const through = { 'x-forwarded-for': '203.0.113.7' };
    expect(await manages(office, { ...through, 'x-forwarded-proto': 'https' })).toBe(403);
    // Nor may others come unencrypted, which it says by saying nothing.
    expect(await manages(office, through)).toBe(426);
  });
});
