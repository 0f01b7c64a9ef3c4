import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type NodeOffice, pairNodes, receiveInto, rowsOf, startNode } from '../support/harness/node.ts';

type Name = 'a' | 'b' | 'c';
let office: Record<Name, NodeOffice>;
let list: Record<Name, string>;
/** Who receives from whom: the sender's id at the receiver. */
const sources: { at: Name; partner: string }[] = [];

/** `from` shares its list with `to`, which receives into its own. */
async function flow(from: Name, to: Name): Promise<void> {
  const { atInviter, atInvited } = await pairNodes(office[from], office[to]);
  await office[from].app('PUT', `/app/partners/${atInviter}/shares/${list[from]}`, { fields: ['Name'] });
  await receiveInto({ office: office[to], partner: atInvited, list: list[to] }, ['Name']);
  sources.push({ at: to, partner: atInvited });
}

/** Everybody asks everybody, so often that a change has gone all the way round; answers what the last round moved. */
async function settle(): Promise<number> {
  let moved = 0;
  for (let round = 0; round < 5; round++) {
    moved = 0;
    for (const { at, partner } of sources) {
      const path = `/app/partners/${partner}/sync`;
      const counts = await office[at].app<Record<string, number>>('POST', path);
      moved += (counts.created ?? 0) + (counts.updated ?? 0) + (counts.deleted ?? 0);
    }
  }
  return moved;
}

const names = async (at: Name): Promise<string[]> =>
  (await rowsOf(office[at], list[at])).map(({ Name: text }) => text ?? '').sort();
const add = (at: Name, name: string): Promise<{ recordID: string }> =>
  office[at].app('POST', `/app/lists/${list[at]}/rows`, { values: { Name: [name] } });

beforeEach(async () => {
  sources.length = 0;
  office = { a: await startNode('A'), b: await startNode('B'), c: await startNode('C') };
  list = {
    a: await office.a.list('Customers', ['Name']),
    b: await office.b.list('Customers', ['Name']),
    c: await office.c.list('Customers', ['Name']),
  };
});
afterEach(() => Promise.all(Object.values(office).map((each) => each.stop())));

describe('a chain of offices', () => {
  it('passes rows on with their changes and deletions, and never back to where they passed', async () => {
    await flow('a', 'b');
    await flow('b', 'c');
    await flow('c', 'a');
    const { recordID } = await add('a', 'from A');
    const { recordID: second } = await add('a', 'from A, to be removed');
    await add('b', 'from B');
    await add('c', 'from C');
    expect(await settle()).toBe(0);
    const all = ['from A', 'from A, to be removed', 'from B', 'from C'];
    for (const at of ['a', 'b', 'c'] as const) expect(await names(at), at).toEqual(all);

    await office.a.app('PATCH', `/app/lists/${list.a}/rows/${recordID}`, { values: { Name: ['changed'] } });
    await office.a.app('DELETE', `/app/lists/${list.a}/rows/${second}`);
    expect(await settle()).toBe(0);
    for (const at of ['a', 'b', 'c'] as const)
      expect(await names(at), at).toEqual(['changed', 'from B', 'from C']);
  });

  it('of two that share with each other sends nothing back', async () => {
    await flow('a', 'b');
    await flow('b', 'a');
    await add('a', 'from A');
    await add('b', 'from B');
    expect(await settle()).toBe(0);
    for (const at of ['a', 'b'] as const) expect(await names(at), at).toEqual(['from A', 'from B']);
    // What a user changes in a received row is an edit of that office, and stays there.
    const received = (await rowsOf(office.b, list.b)).find(({ Name: text }) => text === 'from A');
    const path = `/app/lists/${list.b}/rows/${received?.recordID}`;
    await office.b.app('PATCH', path, { values: { Name: ['changed at B'] } });
    expect(await settle()).toBe(0);
    expect(await names('a')).toEqual(['from A', 'from B']);
    expect(await names('b')).toEqual(['changed at B', 'from B']);
  });
});
