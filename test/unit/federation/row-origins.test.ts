import { createHmac, createSecretKey, randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createHmacFunction, openRowOrigins } from '../../../server/federation/sharing/row-origins.ts';
import type { Row } from '../../../server/lists/definitions/model.ts';
import { makeList, testLists, values } from '../../support/harness/lists.ts';

const CITIES = ['Oslo', 'Bergen', 'Tromsø', 'Bodø', 'Ålesund'];

async function rowsOf(home: Awaited<ReturnType<typeof testLists>>): Promise<Row[]> {
  const { rows } = await makeList(home);
  return rows.createMany(
    CITIES.map((City) => values({ City })),
    '7',
  );
}

it('names each row otherwise, and the same after a restart and whatever becomes of it', async () => {
  const home = await testLists();
  const rows = await rowsOf(home);
  const origins = await openRowOrigins(await home.store.partition('system'));
  const names = rows.map((row) => origins.get(row).id);
  expect(new Set(names).size).toBe(CITIES.length);
  const again = await home.reopen();
  const later = await openRowOrigins(await again.store.partition('system'));
  expect(rows.map((row) => later.get({ ...row, values: {}, updatedAt: '2031-01-01T00:00:00.000Z' }))).toEqual(
    names.map((id) => ({ id, at: '2031-01-01T00:00:00.000Z' })),
  );
});

it('names rows by the HMAC by which they were named before, whatever their ids and the key', () => {
  const anyID = fc.oneof(
    fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }).map(String),
    fc.string({ unit: 'binary' }),
  );
  const anyKey = fc.uint8Array({ minLength: 32, maxLength: 32 });
  fc.assert(
    fc.property(anyKey, fc.array(anyID, { minLength: 1, maxLength: 9 }), (bytes, ids) => {
      const key = createSecretKey(bytes);
      const nameOf = createHmacFunction(key);
      for (const id of [...ids, '9'.repeat(20), '9'.repeat(21)])
        expect(nameOf(id)).toBe(createHmac('sha256', key).update(id).digest('base64url'));
    }),
    { numRuns: 500 },
  );
  const nameOf = createHmacFunction(createSecretKey(randomBytes(32)));
  // A shorter one behind a longer one.
  expect(nameOf('12345678901234567890')).not.toBe(nameOf('1'));
});

it('cannot name a row that it was not given', async () => {
  // Two offices with rows of the same numbers: whoever knows the number, as many can be guessed, has not the name.
  const [one, other] = [await testLists(), await testLists()];
  const [row] = await rowsOf(one);
  const names = await Promise.all(
    [one, other].map(
      async ({ store }) => (await openRowOrigins(await store.partition('system'))).get(row!).id,
    ),
  );
  expect(new Set(names).size).toBe(2);
  for (const name of names) expect(name).toMatch(/^[A-Za-z0-9_-]{22}$/);
});
