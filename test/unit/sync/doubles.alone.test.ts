import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import type { Row } from '../../../server/lists/definitions/model.ts';
import { countDuplicates } from '../../../server/sync/compare/duplicates.ts';
import { minuteTime, values } from '../../support/harness/lists.ts';

const TURKU = '902';
const COLUMNS = ['Name', 'City'];

setFlagsFromString('--expose-gc');
const gc = runInNewContext('gc') as () => void;

describe('rows that a partner brings a second time', () => {
  it('are counted in the memory that our own rows take, however many the partner sends', async () => {
    const pages = 120;
    let most = 0;
    function row(number: number, text: string): Row {
      const at = minuteTime(5);
      return {
        recordID: String(number),
        ...{ createdAt: at, createdBy: '0', updatedAt: at, updatedBy: '0' },
        values: values({ Name: text }),
      };
    }
    async function* scan(): AsyncGenerator<Row[]> {
      yield [row(1, 'customer 0')];
      for (let page = 0; page < pages; page++) {
        yield Array.from({ length: 250 }, (_, at) => {
          const number = page * 250 + at;
          const made = row(number + 2, `customer ${number}${number === 0 ? '' : ' street '.repeat(500)}`);
          const way = {
            nodeID: TURKU,
            recordID: `9${number}`,
            receivedAt: made.updatedAt,
            via: [],
            edited: [],
          };
          return { ...made, received: { ...made, ...way } };
        });
        if (page % 40 === 39) {
          gc();
          most = Math.max(most, process.memoryUsage().heapUsed);
        }
        await Promise.resolve();
      }
    }
    gc();
    const before = process.memoryUsage().heapUsed;
    expect(await countDuplicates({ scan }, { nodeID: TURKU, installation: undefined }, COLUMNS)).toBe(1);
    expect((most - before) / 1024 / 1024).toBeLessThan(15);
  });
});
