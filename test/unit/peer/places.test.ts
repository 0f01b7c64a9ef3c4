import { describe, expect, it } from 'vitest';
import { Semaphore } from '../../../server/base/concurrency/semaphore.ts';

const nobody = (): void => undefined;
const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Takes a place and notes when it has it. */
function taking(places: Semaphore, name: string, log: string[]): Promise<{ release: () => void }> {
  const place = places.acquire({ preempt: nobody });
  void place.then(() => log.push(name));
  return place;
}

describe('places for large answers', () => {
  it('are given in order, and never more than there are', async () => {
    const places = new Semaphore(1);
    const log: string[] = [];
    const first = await taking(places, 'first', log);
    const second = taking(places, 'second', log);
    const third = taking(places, 'third', log);
    await settled();
    expect(log).toEqual(['first']);
    first.release();
    first.release();
    await settled();
    expect(log).toEqual(['first', 'second']);
    (await second).release();
    await third;
    expect(log).toEqual(['first', 'second', 'third']);
  });

  it('go to the next when one that waits leaves, and come back when one that holds does', async () => {
    const places = new Semaphore(1);
    const holder = new AbortController();
    const impatient = new AbortController();
    await places.acquire({ signal: holder.signal, preempt: nobody });
    const left = places.acquire({ signal: impatient.signal, preempt: nobody });
    const next = places.acquire({ preempt: nobody });
    impatient.abort();
    await expect(left).rejects.toThrow();
    holder.abort();
    (await next).release();
    await expect(places.acquire({ signal: holder.signal, preempt: nobody })).rejects.toThrow();
  });

  it('are asked back from whom they come in too slowly for, once somebody waits and not before', async () => {
    const places = new Semaphore(2, 0);
    const asked: string[] = [];
    const slow = await places.acquire({ preempt: () => void asked.push('slow') });
    const working = await places.acquire({ preempt: () => void asked.push('working') });
    working.bodyReceived();
    await settled();
    expect(asked).toEqual([]);
    const next = places.acquire({ preempt: nobody });
    await settled();
    expect(new Set(asked)).toEqual(new Set(['slow']));
    slow.release();
    await next;
  });
});
