import { expect, it } from 'vitest';
import { createColumnNamer } from '../../../server/app/sharing-log.ts';

type Deps = Parameters<typeof createColumnNamer>[0];
const column = (name: string, label: string): object => ({ fieldID: name, name, label, kind: 'String' });

it('calls the columns that left as people call them, now or when they were shared, and else by their names', async () => {
  const asked: unknown[] = [];
  const deps = {
    federation: {
      exposures: {
        listEver: (nodeID: string) => {
          asked.push(nodeID);
          return Promise.resolve([
            {
              moduleID: '70',
              composeModuleID: '7',
              fields: [column('ship_to', 'Ship to'), column('note', '')],
            },
            { moduleID: '80', composeModuleID: 'gone', fields: [column('due', 'Due on')] },
          ]);
        },
      },
    },
    lists: {
      modules: () =>
        Promise.resolve([
          { moduleID: '7', fields: [column('ship_to', 'Deliver to'), column('qty', 'Count')] },
        ]),
    },
  } as unknown as Deps;
  const called = await createColumnNamer(deps, '1');
  const words = [
    ['70', 'ship_to'],
    ['70', 'qty'],
    ['70', 'note'],
    ['80', 'due'],
    ['80', 'never'],
    ['90', 'ship_to'],
  ].map(([exposure = '', name = '']) => called(exposure, name));
  expect(words).toEqual(['Deliver to', 'Count', 'note', 'Due on', 'never', 'ship_to']);
  // What was withdrawn has left all the same.
  expect(asked).toEqual(['1']);
});
