import { describe, expect, it } from 'vitest';
import { decodeRank, encodeRank } from '../../../server/lists/query/rank.ts';
import { parseSort } from '../../../server/lists/query/sort.ts';
import type { Row } from '../../../server/lists/definitions/model.ts';
import { seeded } from '../../support/data/seeded.ts';

describe('a rank', () => {
  it.each(
    sorts().flatMap((sort) => [
      { sort, scope: 'feed' as const },
      { sort, scope: 'compose' as const },
    ]),
  )('stands to others as the order says, and gives its key back: $sort, $scope', ({ sort, scope }) => {
    const order = parseSort(sort, FIELDS, { language: 'de', scope });
    const keys = rows().map((row) => order.keyOf(row));
    const byOrder = keys.toSorted(order.compare);
    const ranked = keys.map((key) => ({ key, rank: encodeRank(order, key) }));
    const byRank = ranked.toSorted((a, b) => Buffer.compare(a.rank, b.rank)).map(({ key }) => key);

    expect(byRank.map(({ recordID }) => recordID)).toEqual(byOrder.map(({ recordID }) => recordID));
    for (const { key, rank } of ranked) expect(decodeRank(order, rank, key.recordID)).toEqual(key);
  });

  it('is small for a text of any length, and made alike of what it gives back', () => {
    const order = parseSort('name DESC, note', FIELDS);
    const key = order.keyOf(row('7', { name: ['Ähre 汉字'.repeat(50_000)], note: ['x'.repeat(9000)] }));
    const rank = encodeRank(order, key);

    expect(rank.length).toBeLessThan(2000);
    expect(encodeRank(order, decodeRank(order, rank, '7'))).toEqual(rank);
  });

  it('orders times by what they say, however they are written', () => {
    const order = parseSort('day', FIELDS);
    const times = [
      '2024-05-01T12:00:00+02:00',
      '2024-05-01T10:30:00Z',
      '2024-05-01T10:00:00.5Z',
      '2024-04-30',
    ];
    const ranks = times.map((time, at) => encodeRank(order, order.keyOf(row(String(at), { day: [time] }))));
    const inOrder = times.map((time, at) => ({ time, rank: ranks[at] ?? Buffer.alloc(0) }));

    expect(inOrder.sort((a, b) => Buffer.compare(a.rank, b.rank)).map(({ time }) => time)).toEqual([
      '2024-04-30',
      '2024-05-01T12:00:00+02:00',
      '2024-05-01T10:00:00.5Z',
      '2024-05-01T10:30:00Z',
    ]);
  });
});

function sorts(): string[] {
  return [
    'id',
    'id DESC',
    'name',
    'name DESC',
    'amount, name DESC',
    'amount DESC, note',
    'done DESC, day DESC',
    'createdAt DESC',
    'note DESC, updatedAt, id DESC',
  ];
}

const FIELDS = [
  { name: 'name', kind: 'String' },
  { name: 'note', kind: 'String' },
  { name: 'amount', kind: 'Number' },
  { name: 'done', kind: 'Bool' },
  { name: 'day', kind: 'DateTime' },
] as const;

const NAMES = [
  'Müller',
  'Muller',
  'müller',
  'Æther',
  'Zoë',
  'zoe',
  'Änne',
  'Anne',
  '',
  '  ',
  '汉字',
  '😀 Laden',
  'İzmir',
  'a',
  'aa',
  'A-a',
  'a a',
  '\u0001',
  'é',
  'e\u0301',
];
const AMOUNTS = [
  '0',
  '-0.5',
  '12',
  '-12',
  '1e3',
  '0.000001',
  '99999999999999999999',
  '-99999999999999999999',
  '3.14',
  '3.1',
  '100',
  '1000',
  'none',
  '',
];

function rows(): Row[] {
  const random = seeded(20_261);
  return Array.from({ length: 700 }, (_, at) =>
    row(
      String(random.pick([7, 80, 900, 448_000_000_000_000_000]) + at),
      {
        ...(random.happens(0.9)
          ? { name: [random.pick(NAMES) + (random.happens(0.5) ? random.pick(NAMES) : '')] }
          : {}),
        ...(random.happens(0.5) ? { note: [random.pick(NAMES)] } : {}),
        ...(random.happens(0.8) ? { amount: [random.pick(AMOUNTS)] } : {}),
        ...(random.happens(0.7) ? { done: [random.pick(['1', '0', ''])] } : {}),
        ...(random.happens(0.8)
          ? { day: [`20${String(10 + random.below(80))}-0${String(1 + (at % 9))}-11`] }
          : {}),
      },
      at,
    ),
  );
}

function row(recordID: string, values: Row['values'], at = 0): Row {
  const time = new Date(Date.UTC(2024, 0, 1) + (at % 400) * 61_000).toISOString();
  return { recordID, createdAt: time, createdBy: '1', updatedAt: time, updatedBy: '1', values };
}
