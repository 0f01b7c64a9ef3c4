import { expect, it } from 'vitest';
import { viewersByColumn } from '../../../renderer/places/lists/grid/column-viewers.ts';

it('names each partner that sees a column, and no column that nobody sees', () => {
  const shared = [
    { nodeID: '1', partner: 'Harbour Office', sees: ['11', '12'], chosenBy: ['13'] },
    { nodeID: '2', partner: 'Kerr & Blom', sees: ['12'], chosenBy: [] },
  ];
  const viewers = viewersByColumn(shared, (nodeID) => (nodeID === '1' ? 'plum' : undefined));
  expect([...viewers]).toEqual([
    ['11', [{ partner: 'Harbour Office', colour: 'plum' }]],
    [
      '12',
      [
        { partner: 'Harbour Office', colour: 'plum' },
        { partner: 'Kerr & Blom', colour: undefined },
      ],
    ],
  ]);
});
