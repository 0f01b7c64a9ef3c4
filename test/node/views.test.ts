import { expect, it, onTestFinished } from 'vitest';
import type { ListDetail } from '../../server/contract/app/lists.ts';
import type { ListView, ListViews } from '../../server/contract/app/views.ts';
import { backupOf, type NodeOffice, putBack, startNode } from '../support/harness/node.ts';

const AS_LIST = { order: [], hidden: [], widths: {}, frozen: 0 };
const GERMANY = { name: 'Germany', filters: [], search: 'Köln', columns: AS_LIST };

async function office(): Promise<{ node: NodeOffice; list: string }> {
  const node = await startNode('Oslo');
  onTestFinished(() => node.stop());
  return { node, list: await node.list('Customers', ['Name', 'City'], [{ Name: 'Öhl', City: 'Köln' }]) };
}
/** The status of a call by who may only read, or else. */
async function statusFor(
  { node, ready }: NodeOffice,
  role: 'viewer' | 'editor',
  [method, path]: readonly [string, string],
  body?: unknown,
): Promise<number> {
  const answer = await fetch(new URL(path, ready.window), {
    method,
    headers: { authorization: `Bearer ${node.userToken(role, 60_000)}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return answer.status;
}

it('lets a viewer choose a view and change none; an editor changes them', async () => {
  const { node, list } = await office();
  const { viewID } = await node.app<ListView>('POST', `/app/lists/${list}/views`, GERMANY);
  const changes = [
    [['POST', `/app/lists/${list}/views`], { ...GERMANY, name: 'Other' }],
    [['PUT', `/app/lists/${list}/views/${viewID}`], GERMANY],
    [['PUT', `/app/lists/${list}/columns`], AS_LIST],
    [['DELETE', `/app/lists/${list}/views/${viewID}`], undefined],
    [['POST', `/app/lists/${list}/views/${viewID}/restore`], undefined],
  ] as const;
  expect(await statusFor(node, 'viewer', ['GET', `/app/lists/${list}/views`])).toBe(200);
  for (const [call, body] of changes) expect(await statusFor(node, 'viewer', call, body)).toBe(403);
  for (const [call, body] of changes) expect(await statusFor(node, 'editor', call, body)).toBe(200);
});

it('refuses what is no view, and leaves those that there are', async () => {
  const { node, list } = await office();
  const views = `/app/lists/${list}/views`;
  const filter = { fieldID: '1', operator: 'is', value: 'x' };
  const wrong = [
    {},
    { ...GERMANY, name: ' ' },
    { ...GERMANY, columns: { ...AS_LIST, frozen: -1 } },
    { ...GERMANY, columns: { ...AS_LIST, widths: { '7': 1000 } } },
    { ...GERMANY, filters: [{ ...filter, operator: 'drop' }] },
    { ...GERMANY, filters: [filter, filter] },
  ];
  for (const body of wrong) expect(await statusFor(node, 'editor', ['POST', views], body)).toBe(400);
  const unknown = { ...GERMANY, filters: [filter] };
  expect(await statusFor(node, 'editor', ['POST', views], unknown)).toBe(422);
  expect(await statusFor(node, 'editor', ['GET', '/app/lists/999/views'])).toBe(404);
  expect((await node.app<ListViews>('GET', views)).views).toEqual([]);
});

it('R7: has views and columns in a backup, and back out of it', async () => {
  const { node, list } = await office();
  const { fields } = await node.app<ListDetail>('GET', `/app/lists/${list}`);
  const hidden = { ...AS_LIST, hidden: [fields[1]?.fieldID ?? ''] };
  const { viewID } = await node.app<ListView>('POST', `/app/lists/${list}/views`, GERMANY);
  const before = await node.app<ListViews>('PUT', `/app/lists/${list}/columns`, hidden);
  const backup = await backupOf(node);
  await node.app('DELETE', `/app/lists/${list}/views/${viewID}`);
  await node.app('PUT', `/app/lists/${list}/columns`, AS_LIST);
  await putBack(node, backup);
  expect(await node.app<ListViews>('GET', `/app/lists/${list}/views`)).toEqual(before);
});
