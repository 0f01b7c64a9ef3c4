import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { makeSamples } from '../../../scripts/make-samples.ts';

describe('the sample lists', () => {
  it.each(Object.entries(makeSamples()))('%s is what the script makes, byte for byte', (name, text) => {
    expect(readFileSync(new URL(`../../../samples/${name}`, import.meta.url), 'utf8')).toBe(text);
  });

  it('have a key column without doubles', () => {
    const lines = makeSamples()['customers.csv'].split('\n').slice(1, -1);
    const ids = lines.map((line) => line.split(',')[0]);
    expect(new Set(ids).size).toBe(ids.length);
  });
});
