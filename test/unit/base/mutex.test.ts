import { describe, expect, it } from 'vitest';
import { createMutex } from '../../../server/base/concurrency/mutex.ts';
import { seeded } from '../../support/data/seeded.ts';

describe('a mutex', () => {
  it('runs one work at a time, in the order in which they were asked for, whatever becomes of them', async () => {
    const random = seeded(7);
    const inTurn = createMutex();
    const began: number[] = [];
    let running = 0;
    const works = Array.from({ length: 60 }, (_, number) =>
      inTurn(async () => {
        expect(running++).toBe(0);
        began.push(number);
        for (let waits = random.below(4); waits > 0; waits--) await new Promise(setImmediate);
        running--;
        if (number % 3 === 0) throw new Error(`no ${number}`);
        return number;
      }),
    );
    const ended = await Promise.allSettled(works);
    expect(began).toEqual(works.map((_, number) => number));
    expect(ended.map((each) => (each.status === 'fulfilled' ? each.value : String(each.reason)))).toEqual(
      works.map((_, number) => (number % 3 === 0 ? `Error: no ${number}` : number)),
    );
  });

  it('answers a failure to whoever asked, and to nobody else', async () => {
    const inTurn = createMutex();
    const refused = inTurn(() => Promise.reject(new Error('the disk is full')));
    const next = inTurn(() => 'written');
    await expect(refused).rejects.toThrow('the disk is full');
    expect(await next).toBe('written');
  });
});
