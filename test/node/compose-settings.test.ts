import { expect, it, onTestFinished } from 'vitest';
import type { ListDetail } from '../../server/contract/app/lists.ts';
import { startNode } from '../support/harness/node.ts';

it('what a Corteza script keeps with a list and its columns is not in the window, and outlasts a change there', async () => {
  const office = await startNode('Berlin', { remoteManagement: true });
  onTestFinished(() => office.stop());
  const list = await office.list('Orders', ['Number', 'Amount']);
  const address = `/app/lists/${list}`;
  const { namespaceID } = await office.app<ListDetail>('GET', address);
  const path = `/compose/namespace/${namespaceID}/module/${list}`;
  interface Module {
    readonly fields: readonly { readonly options: object }[];
  }
  const module = await office.app<Module>('GET', path);
  const hint = { hint: { view: 'net, in euros' } };
  const fields = module.fields.map((field) => ({ ...field, options: { ...field.options, ...hint } }));
  const crates = { kind: 'Number', name: 'Crates' };
  await office.app('POST', path, { ...module, fields: [...fields, crates], meta: { description: 'Sales' } });

  // Fails where the answer holds more than its contract says.
  const shown = await office.app<ListDetail>('GET', address);
  // The window sends no decimals where a column shows none.
  const renamed = shown.fields.map((field) => ({ ...field, label: `${field.label} (2026)`, options: {} }));
  await office.app('PATCH', address, { fields: renamed });
  const after = await office.app<Module>('GET', path);
  expect(after).toMatchObject({ meta: { description: 'Sales' } });
  expect(after.fields.map(({ options }) => options)).toEqual([
    expect.objectContaining(hint),
    expect.objectContaining(hint),
    { precision: 0 },
  ]);
});
