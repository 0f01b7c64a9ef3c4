import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createKeyIndex, type KeyIndex } from '../../../../server/lists/csv/key-index.ts';
import { english } from '../../../../server/words/said.ts';
import { runsOf } from '../../../support/data/luck.ts';
import { makeList, testLists, text } from '../../../support/harness/lists.ts';

/** Returns how to index the keys of a list without rows. */
async function newList(): Promise<() => Promise<KeyIndex>> {
  const { module, rows } = await makeList(await testLists(), [text('ID')]);
  return () => createKeyIndex(rows, module.fields);
}

it('finds each key that a file repeats, and no other', async () => {
  const key = fc.oneof(
    fc.string({ unit: 'binary', minLength: 1, maxLength: 6 }),
    fc.constantFrom('Ā', '\u0000\u0001', '\u00e9', 'e\u0301', '\ud800', '\udc00', '\ufffd', 'K-1', 'Ł-1'),
  );
  const indexed = await newList();
  await fc.assert(
    fc.asyncProperty(fc.array(key, { maxLength: 60 }), async (all) => {
      const keys = await indexed();
      const seen = new Set<string>();
      for (const ID of all) {
        const plain =
          ID.normalize('NFC')
            .replace(/[ \u00a0\u202f]+/g, ' ')
            .trim() || ID;
        expect('problem' in keys.claimKey({ ID: [ID] })).toBe(seen.has(plain));
        seen.add(plain);
      }
    }),
    { numRuns: runsOf(60, 20) },
  );
});

it('finds the row of a number however its fraction is written, but of texts the same one only', async () => {
  const fields = [text('Sum', { kind: 'Number' }), text('Version')];
  const { module, rows } = await makeList(await testLists(), fields);
  const { recordID } = await rows.create({ Sum: ['12.5'], Version: ['1.5'] }, '7');
  const index = await createKeyIndex(rows, module.fields);
  expect(index.claimKey({ Sum: ['12.50'], Version: ['1.5'] })).toMatchObject({ recordID });
  const again = index.claimKey({ Sum: ['12.500'], Version: ['1.5'] });
  expect('problem' in again && english(again.problem)).toMatch(/earlier line already. As numbers, /);
  expect(index.claimKey({ Sum: ['12.50'], Version: ['1.50'] })).toMatchObject({ recordID: undefined });
  // What is kept of a followed file goes by the key as the file has it, also that of earlier versions.
  expect(index.keyOf({ Sum: ['12.50'], Version: ['1'] })).toBe('["12.50","1"]');
  expect(index.claimKey({ Sum: ['3.10'], Version: ['1'] })).toMatchObject({ key: '["3.10","1"]' });
});

it('finds the row of a text that a database pads with blanks, and of an email in any case', async () => {
  const fields = [text('Article'), text('Mail', { kind: 'Email' })];
  const { module, rows } = await makeList(await testLists(), fields);
  const { recordID } = await rows.create({ Article: ['K-1'], Mail: ['anna@ulm.de'] }, '7');
  const [article, mail] = module.fields.map((field) => createKeyIndex(rows, [field]));
  expect((await article)?.claimKey({ Article: ['K-1     '] })).toMatchObject({ recordID });
  expect((await article)?.claimKey({ Article: ['k-1'] })).toMatchObject({ recordID: undefined });
  expect((await mail)?.claimKey({ Mail: ['Anna@Ulm.DE'] })).toMatchObject({ recordID });
});

it.each([
  ['Mu\u0308ller', 'M\u00fcller'],
  ['A 17', 'A\u00a017'],
])(
  'finds the row of a text that looks the same, though its letters or blanks are others: %j, %j',
  async (one, other) => {
    for (const [stored, read] of [
      [one, other],
      [other, one],
    ]) {
      const { rows, module } = await makeList(await testLists());
      const { recordID } = await rows.create({ Name: [stored ?? ''] }, '7');
      const index = await createKeyIndex(rows, module.fields.slice(0, 1));
      expect(index.claimKey({ Name: [read ?? ''] })).toMatchObject({ recordID });
      expect(index.claimKey({ Name: [stored ?? ''] })).toHaveProperty('problem');
    }
  },
);

it('finds the row whose key an earlier version stored with the marks of its digits', async () => {
  const { module, rows } = await makeList(await testLists(), [text('Article')]);
  for (const stored of ['="01067"', "'01099", "K'1"]) {
    const { recordID } = await rows.create({ Article: [stored] }, '7');
    const read = stored.replace(/[=']|"/g, stored.startsWith('K') ? '$&' : '');
    const index = await createKeyIndex(rows, module.fields);
    expect(index.claimKey({ Article: [read] }), stored).toEqual({ recordID, key: read });
  }
});

it('says of rows with equal numbers for keys that they may be meant as texts', async () => {
  const { module, rows } = await makeList(await testLists(), [text('Invoice', { kind: 'Number' })]);
  for (const Invoice of ['2026.1', '2026.10']) await rows.create({ Invoice: [Invoice] }, '7');
  const line = (await createKeyIndex(rows, module.fields)).claimKey({ Invoice: ['2026.1'] });
  expect('problem' in line && english(line.problem)).toMatch(/all but one .* change the column to text/);
});

it('keeps no string of the keys of a large file', async () => {
  setFlagsFromString('--expose-gc');
  const gc = runInNewContext('gc') as () => void;
  const heapMB = (): number => {
    gc();
    return process.memoryUsage().heapUsed / 1e6;
  };
  const keys = await (await newList())();
  const before = heapMB();
  const count = 200_000;
  let again = 0;
  for (let at = 0; at < count; at++) if ('problem' in keys.claimKey({ ID: [`K-${at}`] })) again++;
  expect(again).toBe(0);
  expect(heapMB() - before).toBeLessThan(4);
  expect(keys.claimKey({ ID: ['K-0'] })).toHaveProperty('problem');
  expect(keys.claimKey({ ID: [`K-${count - 1}`] })).toHaveProperty('problem');
});

it('finds the row of a text of which another program has made several blanks one', async () => {
  const { module, rows } = await makeList(await testLists(), [text('Name')]);
  const { recordID } = await rows.create({ Name: ['Kern  &\u00a0 Co'] }, '7');
  const index = await createKeyIndex(rows, module.fields);
  expect(index.claimKey({ Name: ['Kern & Co'] })).toMatchObject({ recordID });
  // Two lines that differ in blanks alone never go into one row without a word.
  expect(index.claimKey({ Name: ['Kern  & Co'] })).toHaveProperty('problem');
  expect(index.claimKey({ Name: ['Kern\n& Co'] })).toMatchObject({ recordID: undefined });
});
