import { expect, it } from 'vitest';
import type { GridRow, ListColumn } from '../../../server/contract/app/lists.ts';
import { arrivedRows, staysOwn } from '../../../renderer/places/home/arrived.ts';

const column = (name: string): ListColumn => ({
  fieldID: name,
  kind: 'String',
  name,
  label: name,
  isMulti: false,
  isRequired: false,
  options: {},
});
const columns = [column('Company'), column('City'), column('Phone')];
const FROM = Date.parse('2026-11-22T00:00:00Z');
const UNTIL = Date.parse('2026-11-22T10:42:00Z');

function row(
  recordID: string,
  receivedAt: string,
  values: Record<string, string[]>,
  previous?: Record<string, string[]>,
  nodeID = 'berlin',
): GridRow {
  const times = { createdAt: receivedAt, updatedAt: receivedAt };
  const received = { nodeID, partner: 'Berlin office', recordID: `t${recordID}`, updatedAt: receivedAt };
  return {
    recordID,
    values,
    ...times,
    received: { ...received, receivedAt, values, ...(previous ? { previous } : {}), edited: [] },
  };
}

it('tells new rows from changed ones, cell by cell, the latest first, and only those of the partner and time', () => {
  const here = { createdAt: '2026-11-22T09:00:00Z', updatedAt: '2026-11-22T09:00:00Z' };
  const rows = [
    row('1', '2026-11-22T08:00:00Z', { Company: ['Kemp Bakery'], City: ['Whitby'] }),
    row(
      '2',
      '2026-11-22T10:42:00Z',
      { Company: ['Zieliński'], City: ['Zgierz'] },
      {
        Company: ['Zieliński'],
        City: ['Łódź'],
      },
    ),
    row('3', '2026-11-21T23:59:00Z', { Company: ['Of yesterday'] }),
    row('7', '2026-11-22T10:42:01Z', { Company: ['Of a later pull'] }),
    row('4', '2026-11-22T09:00:00Z', { Company: ['Of another'] }, undefined, 'oslo'),
    { recordID: '5', values: { Company: ['Our own'] }, ...here },
    row(
      '6',
      '2026-11-22T09:30:00Z',
      { Company: ['Ashby'], Phone: [] },
      { Company: ['Ashby'], Phone: ['+44 1'] },
    ),
  ];
  const found = arrivedRows(rows, columns, { nodeID: 'berlin', from: FROM, until: UNTIL });
  expect(found.map(({ row: { recordID }, changed }) => [recordID, changed?.map(({ name }) => name)])).toEqual(
    [
      ['2', ['City']],
      ['6', ['Phone']],
      ['1', undefined],
    ],
  );
});

it('knows a value that arrived and is not what the list shows', () => {
  const arrived = row('1', '2026-11-22T08:00:00Z', { Company: ['Kemp'] }, { Company: ['Kemp Bakery'] });
  const changed = { ...arrived, received: arrived.received && { ...arrived.received, edited: ['Company'] } };
  expect([arrived, changed].map((each) => staysOwn(each, column('Company')))).toEqual([false, true]);
  expect(staysOwn(changed, column('City'))).toBe(false);
});
