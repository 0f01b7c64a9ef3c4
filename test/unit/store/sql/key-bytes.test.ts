import fc from 'fast-check';
import { expect, it } from 'vitest';
import { compareKeys } from '../../../../server/base/sorted-list.ts';
import { keyBytes, keyOf } from '../../../../server/store/sql/key-bytes.ts';

const key = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.bigInt({ min: 0n, max: 2n ** 64n }).map(String),
  // What no text of a database can hold.
  fc.constantFrom('', '\u0000', '\ud800', 'a\udc00', '\uffff', '😀', 'é'),
);

it('keys stand in a database in the order of the store, and come back as they were', () => {
  fc.assert(
    fc.property(key, key, (a, b) => {
      expect(Math.sign(Buffer.compare(keyBytes(a), keyBytes(b)))).toBe(Math.sign(compareKeys(a, b)));
      expect(keyOf(keyBytes(a))).toBe(a);
    }),
  );
});
