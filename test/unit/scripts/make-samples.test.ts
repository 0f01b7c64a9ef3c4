import { readFileSync } from 'node:fs';
import Papa from 'papaparse';
import { describe, expect, it } from 'vitest';
import { makeSamples } from '../../../scripts/make-samples.ts';

describe('the sample lists', () => {
  it.each(Object.entries(makeSamples()))('%s is what the script makes, byte for byte', (name, text) => {
    expect(readFileSync(new URL(`../../../samples/${name}`, import.meta.url), 'utf8')).toBe(text);
  });

  it.each([0, 1])('name no customer twice, by number or by name', (column) => {
    const lines = Papa.parse<string[]>(makeSamples()['customers.csv'].trimEnd()).data.slice(1);
    const names = lines.map((line) => line[column]);
    expect(names.length).toBe(91);
    expect(new Set(names).size).toBe(names.length);
  });
});
