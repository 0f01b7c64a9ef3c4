import { describe, expect, it } from 'vitest';
import { recordValues } from '../../../server/http/interface/compose/bodies.ts';
import { processorTime } from '../../support/reading/processor-time.ts';

describe('the values of a record', () => {
  it('are gathered by name, in the order in which they were sent', () => {
    const values = [
      { name: 'tags', value: 'b' },
      { name: 'name', value: 'Ada' },
      { name: 'tags', value: 'a' },
      { name: 'note' },
      { name: 'tags', value: null },
    ];
    expect(recordValues({ values })).toEqual({ tags: ['b', 'a', ''], name: ['Ada'], note: [''] });
  });

  it('named like what every object has are columns like others', () => {
    const found = recordValues({ values: [{ name: '__proto__', value: 'x' }] });
    expect(Object.keys(found)).toEqual(['__proto__']);
    expect(Object.getPrototypeOf(found)).toBe(Object.prototype);
  });

  it('are read in a time that grows with the body, as many as fit into one', () => {
    // Copying what was gathered before for each entry took half a minute here.
    const values = Array.from({ length: 37_000 }, () => ({ name: 'tags', value: 'a' }));
    let read: unknown;
    expect(processorTime(() => (read = recordValues({ values })))).toBeLessThan(2000);
    expect(read).toEqual({ tags: Array.from({ length: 37_000 }, () => 'a') });
  });
});
