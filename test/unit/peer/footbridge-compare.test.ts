import { expect, it } from 'vitest';
import { createCompareCalls } from '../../../server/peer/dialects/footbridge-compare.ts';
import { PEER_LIMITS } from '../../../server/peer/guard/limits.ts';
import type { Exchange } from '../../../server/peer/transport/exchange.ts';

it('looks at none of the blocks where a comparison names more than anybody asks for, as each may be wrong', async () => {
  let looks = 0;
  const block = Object.defineProperty({}, 'count', {
    enumerable: true,
    get() {
      looks++;
      return undefined;
    },
  });
  const blocks = Array<object>(4097).fill(block);
  const exchange = { limits: PEER_LIMITS, post: () => Promise.resolve({ data: { blocks } }) };
  const calls = createCompareCalls(exchange as unknown as Exchange);
  await expect(calls.digest('1', { fields: ['Name'], blocks: 4 })).rejects.toThrow('answer to a comparison');
  expect(looks).toBe(0);
});
