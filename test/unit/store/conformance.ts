import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Partition, Store, Table } from '../../../server/store/store.ts';

interface Thing {
  readonly name: string;
  readonly at?: number;
  readonly tag?: string;
}

const things: Table<Thing> = {
  name: 'things',
  indexes: { tag: (thing) => thing.tag, name: (thing) => thing.name },
  stamp: (thing) => thing.at ?? 0,
};
const others: Table<{ n: number }> = { name: 'others' };

/** How a suite gets at an implementation: `open` opens the same store again after `close`. */
export interface StoreMaker {
  make(): Promise<{ open: () => Promise<Store>; remove: () => Promise<void> }>;
}

/** What every implementation of `Store` must keep to (docs/architecture.md: The store). */
export function describeStoreConformance(name: string, maker: StoreMaker): void {
  describe(`Store conformance: ${name}`, () => {
    let place: Awaited<ReturnType<StoreMaker['make']>>;
    let store: Store;
    let part: Partition;

    beforeEach(async () => {
      place = await maker.make();
      store = await place.open();
      part = await store.partition('p');
    });
    afterEach(async () => {
      await store.close();
      await place.remove();
    });
    const reopen = async (): Promise<void> => {
      await store.close();
      store = await place.open();
      part = await store.partition('p');
    };
    const put = (key: string, value: Thing): Promise<void> =>
      part.transaction((tx) => {
        tx.put(things, key, value);
      });
    const keysOf = (entries: readonly { key: string }[]): string[] => entries.map(({ key }) => key);

    it('gives back what was put, also after closing and opening', async () => {
      const value = { name: 'Zoë "☃" \n \u2028 \ud83d\ude00', at: 1, tag: 'ä' };
      await put('k"\\ ü', value);
      await put('1', { name: 'one' });
      for (const again of [false, true]) {
        if (again) await reopen();
        expect(await part.get(things, 'k"\\ ü')).toEqual(value);
        expect(await part.getMany(things, ['1', 'none', 'k"\\ ü'])).toEqual([
          { name: 'one' },
          undefined,
          value,
        ]);
        expect(await part.count(things)).toBe(2);
        expect(await part.get(others, '1')).toBeUndefined();
      }
    });

    it('finds a key by its place, for which no entry is read', async () => {
      const keys = Array.from({ length: 1300 }, (_, at) => String(at * 7));
      await part.transaction((tx) => {
        for (const key of keys) tx.put(things, key, { name: key });
        tx.delete(things, '70');
      });
      const left = keys.filter((key) => key !== '70');
      for (const place of [0, 9, 10, 511, 650, 1200, left.length - 1])
        expect(await part.keyAt(things, place)).toBe(left[place]);
      expect(await part.keyAt(things, left.length)).toBeUndefined();
      expect(await part.keyAt(others, 0)).toBeUndefined();
    });

    it('keeps keys like those of Object.prototype apart from what every object has', async () => {
      expect(await part.get(things, '__proto__')).toBeUndefined();
      expect(await part.get({ name: 'constructor' }, 'toString')).toBeUndefined();
      await put('__proto__', { name: 'x' });
      await reopen();
      expect(await part.get(things, '__proto__')).toEqual({ name: 'x' });
      expect(await part.get(things, 'constructor')).toBeUndefined();
    });

    it('gives entries by their keys, each with its room, and large ones as often as they are looked at', async () => {
      const long = 'x'.repeat(200_000);
      await put('a', { name: 'a' });
      await put('b', { name: long });
      for (const again of [false, true]) {
        if (again) await reopen();
        const [b, none, a] = await part.entries(things, ['b', 'none', 'a']);
        expect([b?.key, none, a?.value.name]).toEqual(['b', undefined, 'a']);
        expect([b?.value.name === long, b?.value.name === long]).toEqual([true, true]);
        expect(b?.bytes).toBeGreaterThan(200_000);
        expect(b?.seq).toBeGreaterThan(a?.seq ?? Infinity);
      }
    });

    it('takes what is written out already as what is put: read, found by its indexes, told as a change', async () => {
      const value = { name: 'k"\\ ü: Zoë "☃" \u2028 \ud83d\ude00', tag: 'ä' };
      await put('put', value);
      const seq = await part.lastSeq();
      await part.transaction(async (tx) => {
        const [key, name] = ['k"\\ ü', ': Zoë "☃" \u2028 \ud83d\ude00'].map((text) =>
          JSON.stringify(text).slice(1, -1),
        );
        tx.putFromTemplate(things, {
          keys: ['k"\\ ü'],
          template: ['{"name":"', '', '","tag":"ä"}'],
          texts: [`${key}","${name}`],
          indexes: [{ tag: value.tag, name: value.name }],
        });
        expect(await tx.get(things, 'k"\\ ü')).toEqual(value);
        expect(keysOf(await tx.find(things, 'tag', 'ä'))).toEqual(['put', 'k"\\ ü']);
      });
      for (const again of [false, true]) {
        if (again) await reopen();
        expect(await part.get(things, 'k"\\ ü')).toEqual(value);
        expect(keysOf(await part.find(things, 'name', value.name))).toEqual(['put', 'k"\\ ü']);
        expect(keysOf(await part.changesSince(things, { afterSeq: seq }, 9))).toEqual(['k"\\ ü']);
      }
      await put('k"\\ ü', { name: 'other' });
      expect(keysOf(await part.find(things, 'tag', 'ä'))).toEqual(['put']);
    });

    it('does not let a value be changed by whoever put it or got it', async () => {
      const value = { name: 'before' };
      await part.transaction(async (tx) => {
        tx.put(things, '1', value);
        value.name = 'after';
        expect((await tx.get(things, '1'))?.name).toBe('before');
      });
      expect((await part.get(things, '1'))?.name).toBe('before');
    });

    it('stores null, numbers, texts and lists, and refuses undefined', async () => {
      const any: Table<unknown> = { name: 'any' };
      await part.transaction((tx) => {
        for (const [i, value] of [null, 0, '', [], [1, [2]], false].entries()) tx.put(any, String(i), value);
      });
      await reopen();
      expect(await part.getMany(any, ['0', '1', '2', '3', '4', '5'])).toEqual([
        null,
        0,
        '',
        [],
        [1, [2]],
        false,
      ]);
      await expect(part.transaction((tx) => tx.put(any, 'u', undefined))).rejects.toThrow(TypeError);
    });

    it('pages in key order, shorter keys first, in both directions', async () => {
      await part.transaction((tx) => {
        for (const key of ['10', '9', '100', '2', 'a', 'B', '11']) tx.put(things, key, { name: key });
      });
      const order = ['2', '9', 'B', 'a', '10', '11', '100'];
      expect(keysOf(await part.page(things, { limit: 100 }))).toEqual(order);
      expect(keysOf(await part.page(things, { limit: 3 }))).toEqual(order.slice(0, 3));
      expect(keysOf(await part.page(things, { after: 'B', limit: 2 }))).toEqual(['a', '10']);
      expect(keysOf(await part.page(things, { after: '3', limit: 1 }))).toEqual(['9']);
      expect(keysOf(await part.page(things, { limit: 2, reverse: true }))).toEqual(['100', '11']);
      expect(keysOf(await part.page(things, { after: '10', limit: 9, reverse: true }))).toEqual(
        order.slice(0, 4).reverse(),
      );
      expect(await part.page(things, { after: '100', limit: 5 })).toEqual([]);
      expect(await part.page(things, { limit: 0 })).toEqual([]);
    });

    it('gives all entries as they are stored, as of one moment, in key order', async () => {
      const values = new Map<string, { name: string; at?: number }>(
        ['10', '9', 'ü"\\', 'a', 'k\n', '7'].map((key, at) => [key, { name: `Łódź "${key}" \n☃`, at }]),
      );
      for (const [key, value] of values) await put(key, value);
      await part.transaction((tx) => {
        for (let at = 0; at < 3000; at++) {
          values.set(String(1000 + at), { name: 'x'.repeat(200 + (at % 7)) });
          tx.put(things, String(1000 + at), { name: 'x'.repeat(200 + (at % 7)) });
        }
        tx.put(others, 'n', { n: 1 });
        tx.delete(things, '7');
      });
      values.delete('7');
      for (const again of [false, true]) {
        if (again) await reopen();
        const shown: [string, unknown][] = [];
        for await (const { keys, bytes, starts, ends } of part.stored(things)) {
          if (shown.length === 0) await put('1000', { name: 'later' });
          for (const [at, key] of keys.entries())
            shown.push([key, JSON.parse(bytes.toString('utf8', starts[at], ends[at]))]);
        }
        const order = (await part.page(things, { limit: 10_000 })).map(({ key }) => key);
        expect(shown).toEqual(order.map((key) => [key, values.get(key)]));
        values.set('1000', { name: 'later' });
      }
    });

    it('numbers every change, gives changes in their order, and forgets an earlier place of the same entry', async () => {
      expect(await part.lastSeq()).toBe(0);
      for (const key of ['a', 'b', 'c']) await put(key, { name: key });
      const first = await part.changesSince(things, { afterSeq: 0 }, 10);
      expect(keysOf(first)).toEqual(['a', 'b', 'c']);
      await put('a', { name: 'again' });
      const seqs = (await part.changesSince(things, { afterSeq: 0 }, 10)).map(({ seq }) => seq);
      expect(seqs).toEqual([...seqs].sort((a, b) => a - b));
      expect(new Set(seqs).size).toBe(3);
      for (const again of [false, true]) {
        if (again) await reopen();
        const changes = await part.changesSince(things, { afterSeq: first[1]?.seq ?? 0 }, 10);
        expect(keysOf(changes)).toEqual(['c', 'a']);
        expect(changes[1]?.value.name).toBe('again');
        expect(await part.lastSeq()).toBe(changes[1]?.seq);
        expect(keysOf(await part.changesSince(things, { afterSeq: 0 }, 2))).toEqual(['b', 'c']);
        expect(await part.changesSince(things, { afterSeq: await part.lastSeq() }, 10)).toEqual([]);
      }
    });

    it('numbers run on over all tables and deletions, and after opening again', async () => {
      await put('a', { name: 'a' });
      await part.transaction((tx) => tx.put(others, 'n', { n: 1 }));
      const before = await part.lastSeq();
      await part.transaction((tx) => tx.delete(things, 'a'));
      expect(await part.lastSeq()).toBeGreaterThan(before);
      const last = await part.lastSeq();
      await reopen();
      expect(await part.lastSeq()).toBe(last);
      await put('b', { name: 'b' });
      expect((await part.changesSince(things, { afterSeq: last }, 1))[0]?.seq).toBeGreaterThan(last);
    });

    it('finds changes since a time, that time included', async () => {
      for (const at of [10, 20, 20, 30]) await put(`${at}-${await part.lastSeq()}`, { name: 'x', at });
      const since = async (sinceTime: number): Promise<(number | undefined)[]> =>
        (await part.changesSince(things, { sinceTime }, 10)).map(({ value }) => value.at);
      expect(await since(0)).toEqual([10, 20, 20, 30]);
      expect(await since(20)).toEqual([20, 20, 30]);
      expect(await since(21)).toEqual([30]);
      expect(await since(31)).toEqual([]);
      await expect(part.changesSince(others, { sinceTime: 1 }, 1)).rejects.toThrow(TypeError);
    });

    it('finds by an index what is there now: after changes, deletions and opening again', async () => {
      await put('2', { name: 'b', tag: 'red' });
      await put('10', { name: 'c', tag: 'red' });
      await put('1', { name: 'a', tag: 'blue' });
      await put('3', { name: 'none' });
      expect(keysOf(await part.find(things, 'tag', 'red'))).toEqual(['2', '10']);
      await put('2', { name: 'b', tag: 'blue' });
      expect(keysOf(await part.find(things, 'tag', 'red'))).toEqual(['10']);
      await part.transaction((tx) => tx.delete(things, '1'));
      for (const again of [false, true]) {
        if (again) await reopen();
        expect(keysOf(await part.find(things, 'tag', 'blue'))).toEqual(['2']);
        const many = await part.findMany(things, 'name', ['none', 'a', 'c', 'none']);
        expect(many.map((entry) => entry?.key)).toEqual(['3', undefined, '10', '3']);
      }
      await expect(part.find(things, 'other', 'x')).rejects.toThrow(TypeError);
    });

    it('keeps an index right under many entries with one text', async () => {
      const keys = Array.from({ length: 1500 }, (_, i) => String((i * 7919) % 1500));
      await part.transaction((tx) => {
        for (const key of keys) tx.put(things, key, { name: key, tag: 'all' });
      });
      expect(await part.find(things, 'tag', 'all')).toHaveLength(1500);
      await part.transaction((tx) => {
        for (const key of keys.slice(0, 1000)) tx.put(things, key, { name: key, tag: 'some' });
        for (const key of keys.slice(1000, 1200)) tx.delete(things, key);
      });
      const left = keys.slice(1200).sort((a, b) => Number(a) - Number(b));
      expect(keysOf(await part.find(things, 'tag', 'all'))).toEqual(left);
      expect((await part.findMany(things, 'tag', ['all']))[0]?.key).toBe(left[0]);
    });

    it('shows a transaction its own changes, by key and by index, and nobody else before they are durable', async () => {
      await put('1', { name: 'one', tag: 'x' });
      await part.transaction(async (tx) => {
        tx.put(things, '2', { name: 'two', tag: 'x' });
        tx.put(things, '3', { name: 'three', tag: 'x' });
        tx.delete(things, '1');
        tx.put(things, '3', { name: 'three', tag: 'y' });
        expect(await tx.get(things, '1')).toBeUndefined();
        expect((await tx.getMany(things, ['2', '3'])).map((one) => one?.tag)).toEqual(['x', 'y']);
        expect(keysOf(await tx.find(things, 'tag', 'x'))).toEqual(['2']);
        expect((await tx.findMany(things, 'tag', ['y', 'x', 'z'])).map((one) => one?.key)).toEqual([
          '3',
          '2',
          undefined,
        ]);
        expect(keysOf(await part.find(things, 'tag', 'x'))).toEqual(['1']);
        expect(await part.count(things)).toBe(1);
      });
      expect(keysOf(await part.page(things, { limit: 9 }))).toEqual(['2', '3']);
    });

    it('answers what was there when it was asked, though the transaction writes before it has the answer', async () => {
      await put('1', { name: 'one', tag: 'x' });
      await part.transaction(async (tx) => {
        tx.put(things, '2', { name: 'two', tag: 'x' });
        const asked = [tx.get(things, '1'), tx.get(things, '2'), tx.get(things, '3')] as const;
        tx.delete(things, '1');
        tx.put(things, '2', { name: 'changed', tag: 'y' });
        tx.put(things, '3', { name: 'three', tag: 'x' });
        expect((await Promise.all(asked)).map((thing) => thing?.name)).toEqual(['one', 'two', undefined]);
        expect(keysOf(await tx.find(things, 'tag', 'x'))).toEqual(['3']);
      });
    });

    it('lets nothing remain of a transaction that throws', async () => {
      await put('1', { name: 'one', tag: 'x' });
      const last = await part.lastSeq();
      const failing = part.transaction((tx) => {
        tx.put(things, '2', { name: 'two', tag: 'x' });
        tx.delete(things, '1');
        throw new Error('no');
      });
      await expect(failing).rejects.toThrow('no');
      for (const again of [false, true]) {
        if (again) await reopen();
        expect(keysOf(await part.find(things, 'tag', 'x'))).toEqual(['1']);
        expect(await part.lastSeq()).toBe(last);
      }
    });

    it('runs transactions one after the other, each on top of the one before', async () => {
      let inside = 0;
      await Promise.all(
        Array.from({ length: 50 }, () =>
          part.transaction(async (tx) => {
            expect(++inside).toBe(1);
            const { n } = (await tx.get(others, 'n')) ?? { n: 0 };
            await Promise.resolve();
            tx.put(others, 'n', { n: n + 1 });
            inside--;
          }),
        ),
      );
      expect(await part.get(others, 'n')).toEqual({ n: 50 });
      await reopen();
      expect(await part.get(others, 'n')).toEqual({ n: 50 });
    });

    it('runs one alone when all before it is durable, and nothing else before it is', async () => {
      const before = Array.from({ length: 5 }, (_, n) =>
        part.transaction((tx) => tx.put(others, `before ${n}`, { n })),
      );
      const alone = part.transaction(async (tx) => {
        const found = await part.count(others);
        tx.put(others, 'alone', { n: found });
        return found;
      }, 'alone');
      const behind = part.transaction(() => part.get(others, 'alone'));
      await Promise.all(before);
      expect(await alone).toBe(5);
      expect(await behind).toEqual({ n: 5 });
    });

    it('gives the result of the body, and refuses the transaction afterwards', async () => {
      let kept: Parameters<Parameters<Partition['transaction']>[0]>[0] | undefined;
      expect(
        await part.transaction((tx) => {
          kept = tx;
          return 42;
        }),
      ).toBe(42);
      expect(() => kept?.put(others, 'late', { n: 1 })).toThrow();
      await expect(kept?.get(others, 'late')).rejects.toThrow();
    });

    it('gives nothing of a partition while it is dropped, and calls nothing damaged', async () => {
      const old = await store.partition('going');
      await old.transaction((tx) => tx.put(things, 'a', { name: 'Łódź 17', at: 1, tag: 'ü' }));
      const dropped = new AbortController();
      const dropping = store.drop('going').then(() => dropped.abort());
      const problems: unknown[] = [];
      while (!dropped.signal.aborted) {
        const seen = await store.partition('going').catch((error: unknown) => error);
        if (seen instanceof Error) problems.push((seen as { code?: unknown }).code);
        else expect(await (seen as Partition).get(things, 'a').catch(() => undefined)).toBeUndefined();
        await new Promise(setImmediate);
      }
      await dropping;
      expect(new Set(problems)).toEqual(new Set(['closed']));
      expect(store.notices()).toEqual([]);
      expect(await (await store.partition('going')).get(things, 'a')).toBeUndefined();
    });

    it('writes an entry in another form without telling anybody who follows the changes', async () => {
      for (const key of ['a', 'b', 'c']) await put(key, { name: `Åre ${key}`, tag: 'old' });
      const seqs = async (): Promise<[string, number][]> =>
        (await part.changesSince(things, { afterSeq: 0 }, 10)).map(({ key, seq }) => [key, seq]);
      const before = await seqs();
      const entry = await part.get(things, 'a');
      await part.transaction((tx) => {
        tx.amend(things, 'a', { ...entry, name: 'amended', tag: 'new' });
        tx.amend(things, 'nobody', { ...entry, name: 'not there' });
      });
      for (const again of [false, true]) {
        if (again) await reopen();
        expect(await seqs()).toEqual(before);
        expect(await part.get(things, 'a')).toMatchObject({ name: 'amended' });
        expect((await part.find(things, 'tag', 'new')).map(({ key }) => key)).toEqual(['a']);
        expect((await part.find(things, 'tag', 'old')).map(({ key }) => key)).toEqual(['b', 'c']);
        expect(await part.count(things)).toBe(3);
      }
      await put('d', { name: 'later' });
      expect((await seqs()).map(([key]) => key)).toEqual(['a', 'b', 'c', 'd']);
    });

    it('gives back the memory of a partition that is not used, which is there again when it is', async () => {
      await put('1', { name: 'Łódź' });
      const held = part;
      await Promise.all([store.release('p'), store.release('p'), store.release('never-was')]);
      await expect(held.get(things, '1')).rejects.toMatchObject({ code: 'closed' });
      part = await store.partition('p');
      expect(await part.get(things, '1')).toEqual({ name: 'Łódź' });
      // Whoever comes while it is given back waits for it, and finds what was written last.
      const writing = put('2', { name: 'Gdańsk' });
      const releasing = store.release('p');
      await writing;
      part = await store.partition('p');
      await releasing;
      expect(await part.count(things)).toBe(2);
      expect(await store.partitions()).toEqual(['p']);
    });

    it('keeps partitions apart, lists and drops them', async () => {
      await put('1', { name: 'one' });
      const second = await store.partition('b_2-x');
      expect(await second.count(things)).toBe(0);
      await second.transaction((tx) => tx.put(things, '1', { name: 'other' }));
      expect(await store.partitions()).toEqual(['b_2-x', 'p']);
      expect(await store.partition('p')).toBe(part);
      await store.drop('b_2-x');
      await store.drop('never-was');
      expect(await store.partitions()).toEqual(['p']);
      await reopen();
      expect(await store.partitions()).toEqual(['p']);
      expect(await (await store.partition('b_2-x')).count(things)).toBe(0);
      expect(await part.count(things)).toBe(1);
      for (const bad of ['', '..', 'a/b', 'a b', '.x', 'é']) {
        await expect(store.partition(bad)).rejects.toThrow(TypeError);
      }
    });

    it('rejects every call after it was closed', async () => {
      const pending = put('1', { name: 'one' });
      await store.close();
      await pending;
      await expect(part.get(things, '1')).rejects.toMatchObject({ code: 'closed' });
      await expect(put('2', { name: 'two' })).rejects.toMatchObject({ code: 'closed' });
      await expect(store.partition('p')).rejects.toMatchObject({ code: 'closed' });
      await expect(store.partitions()).rejects.toMatchObject({ code: 'closed' });
      await store.close();
      store = await place.open();
      part = await store.partition('p');
      expect(await part.get(things, '1')).toEqual({ name: 'one' });
    });
  });
}
