import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { withDeadline } from '../../../server/base/deadline.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

describe('a deadline', () => {
  it('is kept, whatever memory is collected meanwhile', async () => {
    let hasAborted = false;
    withDeadline(300, new AbortController().signal).addEventListener('abort', () => (hasAborted = true));
    for (let round = 0; round < 5; round++) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      collect();
    }
    await expect.poll(() => hasAborted).toBe(true);
  });

  it('ends early with the other signal, and for its reason', () => {
    const ending = new AbortController();
    const signal = withDeadline(60_000, ending.signal);
    ending.abort(new Error('the office closes'));
    expect(signal.reason).toEqual(new Error('the office closes'));
    expect(withDeadline(60_000, ending.signal).aborted).toBe(true);
  });
});
