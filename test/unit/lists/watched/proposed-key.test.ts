import { expect, it } from 'vitest';
import { withTable } from '../../../../server/lists/reading/read-in-worker.ts';
import type { Rows } from '../../../../server/lists/rows/rows.ts';
import { proposeKey } from '../../../../server/lists/watched/proposed-key.ts';
import { makeList, testLists, text, values } from '../../../support/harness/lists.ts';

it('S7: looks in the rows at no columns any more of which two rows say the same', async () => {
  const { module, rows } = await makeList(await testLists(), [text('Aa'), text('Bb'), text('Cc')]);
  await rows.createMany(
    Array.from({ length: 50 }, () => values({ Aa: '1', Bb: '1', Cc: '1' })),
    '0',
  );
  let looks = 0;
  const watched: Pick<Rows, 'scan'> = {
    async *scan(options) {
      for await (const page of rows.scan(options))
        yield page.map((row) => ({
          ...row,
          values: new Proxy(row.values, {
            get(all, name) {
              looks++;
              return Reflect.get(all, name) as unknown;
            },
          }),
        }));
    },
  };
  // The first with the second, and the second with the third, tell these lines apart.
  const bytes = Buffer.from('Aa,Bb,Cc\n1,1,1\n1,2,1\n2,1,2\n');
  expect(await withTable(bytes, {}, (file) => proposeKey(module, watched, file, {}))).toEqual([]);
  expect(looks).toBeLessThan(20);
});
