import { expect, it } from 'vitest';
import { fileNameOf, isReservedName } from '../../../server/base/file-names.ts';

it.each([
  ['Kunden 2026', 'Kunden 2026'],
  ['京都 – Büro', '京都  Büro'],
  ['../../etc/x', 'etcx'],
  ['CON', '_CON'],
  ['nul.', '_nul'],
  ['aux ', '_aux'],
  ['LPT9', '_LPT9'],
  ['Console', 'Console'],
  ['\u202e???', '_'],
])('a list called %j is saved as a file of a name that is one on every system', (name, file) => {
  expect(fileNameOf(name)).toBe(file);
  expect(isReservedName(`${file}.csv`)).toBe(false);
});

it.each(['CON', 'con.csv', 'PRN.tar.csv', 'AUX .csv', 'Com²', 'lpt1.xlsx', 'a:b.csv', 'a.csv.', 'a.csv '])(
  '%j is no file to Windows',
  (name) => {
    expect(isReservedName(name)).toBe(true);
  },
);
