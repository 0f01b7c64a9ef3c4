import { afterAll, expect, it, vi } from 'vitest';
import type { ArrivedRow, ListColumn } from '../../../server/contract/app/lists.ts';
import { arrivedLines } from '../../../renderer/places/home/arrived.ts';
import { translators } from '../../support/reading/translators.ts';
import { createFormat } from '../../../renderer/text/format.ts';

const column = (name: string, label = name, kind: ListColumn['kind'] = 'String'): ListColumn => ({
  fieldID: name,
  kind,
  name,
  label,
  isMulti: false,
  isRequired: false,
  options: {},
});
const columns = [column('Company'), column('City', 'Town'), column('Amount', 'Amount', 'Number')];
vi.stubGlobal('navigator', { languages: [] });
afterAll(() => vi.unstubAllGlobals());
const wording = { t: translators.de, format: createFormat('de') };
const told = (rows: readonly ArrivedRow[]): string[] =>
  arrivedLines(rows, columns, wording).map(({ row, more, cell }) =>
    [row, more, ...(cell ? [cell.column, cell.was, cell.now, cell.own ? 'own' : ''] : [])].join('|'),
  );

it('says each changed cell as old → new in the words of the language, the row once, and what tells new rows apart', () => {
  const values = { Company: ['Herbaciarnia Zieliński'], City: ['Zgierz'], Amount: ['12.5'] };
  expect(
    told([
      {
        recordID: '1',
        did: 'changed',
        values,
        columns: [
          { name: 'City', was: ['Łódź'], now: ['Zgierz'], own: false },
          { name: 'Amount', was: [], now: ['12.5'], own: true },
          { name: 'Of a column that is gone', was: ['a'], now: ['b'], own: false },
        ],
      },
      {
        recordID: '4',
        did: 'changed',
        values,
        columns: [
          { name: 'Of a column that is gone', was: ['a'], now: ['b'], own: false },
          { name: 'City', was: [], now: ['Zgierz'], own: false },
        ],
      },
      { recordID: '2', did: 'new', values, columns: [] },
      { recordID: '3', did: 'removed', values: {}, columns: [] },
    ]),
  ).toEqual([
    'Herbaciarnia Zieliński||Town|Łódź|Zgierz|',
    '||Amount|leer|12,5|own',
    'Herbaciarnia Zieliński||Town|leer|Zgierz|',
    'Herbaciarnia Zieliński|Zgierz, 12,5',
    'Zeile ohne Namen|',
  ]);
});
