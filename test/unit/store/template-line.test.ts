import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { systemClock } from '../../../server/base/clock.ts';
import { createOperationReader } from '../../../server/store/engine/operation.ts';
import { openStore, type DiskStore } from '../../../server/store/engine/open-store.ts';
import { valueJSON } from '../../../server/store/engine/stored-blocks.ts';
import { storedValueOf } from '../../../server/store/engine/record-ref.ts';
import { fillTemplate } from '../../../server/store/engine/template.ts';
import { formatTemplateLine, TemplateRef } from '../../../server/store/engine/template-line.ts';
import { salvageTable } from '../../../server/store/recovery/salvage.ts';
import { restoreBackup } from '../../../server/store/recovery/restore-backup.ts';
import { systemDisk } from '../../../server/store/files/disk.ts';
import type { Partition, Table, TemplateEntries } from '../../../server/store/store.ts';
import { runsOf, seedOf } from '../../support/data/luck.ts';
import { temporaryFolderInMemory } from '../../support/harness/temporary-folder.ts';

interface Customer {
  readonly recordID: string;
  readonly Name: string;
  readonly City: string;
}
const customers: Table<Customer> = { name: 'row', indexes: { city: ({ City }) => City } };
const ids = Array.from({ length: 20 }, (_, at) => String(412_380 + at));
const nameAt = (at: number): string =>
  ['Zoë "Fisk"\nAS', 'Fjord\\fisk",', '', 'Gdańsk 🐟'][at] ?? `Fjordfisk ${at}`;
const cityAt = (at: number): string => ['Bergen', 'Gdańsk'][at % 2] ?? '';
const rawOf = (text: string): string => JSON.stringify(text).slice(1, -1);
const TEMPLATE = ['{"recordID":"', '","Name":"', '","City":"', '"}'];
const arriving: TemplateEntries = {
  keys: ids,
  template: TEMPLATE,
  texts: ids.map((id, at) => [id, rawOf(nameAt(at)), rawOf(cityAt(at))].join('","')),
  indexes: ids.map((_, at) => ({ city: cityAt(at) })),
};
const all = ids.map((recordID, at) => [recordID, { recordID, Name: nameAt(at), City: cityAt(at) }]);
const shown = async (part: Partition): Promise<unknown[]> =>
  (await part.page(customers, { limit: 100 })).map(({ key, value }) => [key, value]);

async function office(): Promise<{ folder: string; store: DiskStore; part: Partition }> {
  const { path: folder, remove } = await temporaryFolderInMemory();
  onTestFinished(remove);
  const store = await openStore({ dataDir: folder, clock: systemClock });
  onTestFinished(() => store.close());
  const part = await store.partition('list-1');
  await part.transaction((tx) => tx.putFromTemplate(customers, arriving));
  return { folder, store, part };
}

const newest = async (folder: string, name: RegExp): Promise<string> => {
  const at = join(folder, 'store', 'list-1');
  return join(
    at,
    (await readdir(at))
      .filter((each) => name.test(each))
      .sort()
      .at(-1) ?? '',
  );
};
const linesOf = async (folder: string, name: RegExp): Promise<string[]> =>
  (await readFile(await newest(folder, name), 'utf8')).split('\n').filter((line) => line.startsWith('['));

describe('entries that share a template', () => {
  it('are one line in journal and snapshot, and two once one between them changes', async () => {
    const { folder, store, part } = await office();
    expect(await linesOf(folder, /^journal/)).toHaveLength(1);
    expect(await shown(part)).toEqual(all);
    expect(await part.lastSeq()).toBe(20);
    await store.compact('list-1');
    expect(await linesOf(folder, /^snapshot/)).toHaveLength(1);
    const [, , , , , , , , seventh = ''] = ids;
    const put = (key: string): Promise<void> =>
      part.transaction((tx) => tx.put(customers, key, { recordID: key, Name: 'Havfisk', City: 'Oslo' }));
    await put(seventh);
    await store.compact('list-1');
    const lines = await linesOf(folder, /^snapshot/);
    expect(lines.map((line) => /^\[(\d+),"(\+?row)","(\d+)"/.exec(line)?.slice(1))).toEqual([
      ['1', '+row', ids[0]],
      ['21', 'row', seventh],
      ['10', '+row', ids[9]],
    ]);
    const whole = all.map((each) =>
      each[0] === seventh ? [seventh, { recordID: seventh, Name: 'Havfisk', City: 'Oslo' }] : each,
    );
    await store.release('list-1');
    expect(await shown(await store.partition('list-1'))).toEqual(whole);
  });

  it('are found by what changed and by their indexes', async () => {
    const { part } = await office();
    const [, , , seventh = ''] = ids;
    await part.transaction((tx) =>
      tx.put(customers, seventh, { recordID: seventh, Name: 'Havfisk', City: 'Oslo' }),
    );
    const changed = await part.changesSince(customers, { afterSeq: 18 }, 9);
    expect(changed.map(({ key, seq }) => [key, seq])).toEqual([
      [ids[18], 19],
      [ids[19], 20],
      [seventh, 21],
    ]);
    const found = (await part.find(customers, 'city', 'Bergen')).map(({ key }) => key);
    expect(found).toEqual(ids.filter((_, at) => at % 2 === 0));
  });

  it('are deleted, amended and read as other entries are', async () => {
    const { store, part } = await office();
    const [first = '', second = ''] = ids;
    await part.transaction((tx) => {
      tx.delete(customers, first);
      tx.amend(customers, second, { recordID: second, Name: 'Skjell', City: 'Ålesund' });
    });
    const expected = [[second, { recordID: second, Name: 'Skjell', City: 'Ålesund' }], ...all.slice(2)];
    for (const again of [false, true]) {
      if (again) await store.compact('list-1');
      const opened = again ? await store.release('list-1').then(() => store.partition('list-1')) : part;
      expect(await shown(opened)).toEqual(expected);
      expect((await opened.changesSince(customers, { afterSeq: 0 }, 1)).map(({ seq }) => seq)).toEqual([2]);
    }
  });

  it('come as texts to callers that read all entries, also once one is changed', async () => {
    const { part } = await office();
    const read = async (): Promise<unknown[]> => {
      const values: unknown[] = [];
      for await (const block of part.stored(customers))
        for (const [at, key] of block.keys.entries()) {
          const stored = block.bytes.toString('utf8', block.starts[at], block.ends[at]);
          const template = block.templates?.[at];
          expect(template ? fillTemplate(template, stored) : stored).toBe(block.json(at));
          values.push([key, JSON.parse(block.json(at)), template !== undefined]);
        }
      return values;
    };
    expect(await read()).toEqual(all.map((each) => [...each, true]));
    const changed = { recordID: ids[9] ?? '', Name: 'Skjell', City: 'Ålesund' };
    await part.transaction((tx) => tx.put(customers, changed.recordID, changed));
    expect(await read()).toEqual(
      all.map((each) => (each[0] === ids[9] ? [each[0], changed, false] : [...each, true])),
    );
  });

  it('come out of a backup', async () => {
    const { folder, store } = await office();
    const file = join(folder, 'office.backup');
    expect((await store.backup(file)).entries).toBeGreaterThanOrEqual(20);
    const { path: elsewhere, remove } = await temporaryFolderInMemory();
    onTestFinished(remove);
    await restoreBackup(file, elsewhere, { clock: systemClock });
    const restored = await openStore({ dataDir: elsewhere, clock: systemClock });
    onTestFinished(() => restored.close());
    expect(await shown(await restored.partition('list-1'))).toEqual(all);
  });

  it('lose only damaged ones where their line is damaged', async () => {
    const { folder, store } = await office();
    await store.close();
    const salvage = async (change: (text: string) => string): Promise<[unknown[], number | undefined]> => {
      const file = await newest(folder, /^journal/);
      const whole = await readFile(file, 'utf8');
      const damaged = change(whole);
      expect(damaged === whole).toBe(change === same);
      await writeFile(file, damaged);
      const found = await salvageTable(systemDisk, join(folder, 'store', 'list-1'), 'row', 'all');
      await writeFile(file, whole);
      return [[...(found?.byKey ?? [])].map(([key, { value }]) => [key, value]), found?.damagedLines];
    };
    const same = (text: string): string => text;
    expect(await salvage(same)).toEqual([all, 0]);
    const cut = await salvage((text) => text.replace('Fjordfisk 7"', 'Fjordfisk 7\0'));
    expect(cut).toEqual([all.filter(([key]) => key !== ids[7]), 1]);
    const torn = await salvage((text) => text.replace('Fjordfisk 5"', 'Fjordfisk 5\n'));
    // The rest of the line has no template, and its fourteen entries and a piece of one are lost.
    expect(torn).toEqual([all.slice(0, 5), 1 + 15]);
    expect(await salvage((text) => text.replace('{"template"', '{"templat\0"'))).toEqual([[], 20]);
  });

  it('get lines of their own where they would not be read back from one', async () => {
    const { folder, part } = await office();
    const names = ids.map((id) => `x${id}`);
    const put = (some: Partial<TemplateEntries>, prefix: string): Promise<void> =>
      part.transaction((tx) =>
        tx.putFromTemplate(customers, {
          ...arriving,
          keys: names.map((name) => prefix + name),
          texts: names.map((name) => `${prefix}${name}","Torsk","Bodø`),
          ...some,
        }),
      );
    await put({}, 'a');
    expect(await linesOf(folder, /^journal/)).toHaveLength(2);
    // Not rising.
    const falling = names.toReversed().map((name) => `b${name}`);
    await put({ keys: falling, texts: falling.map((key) => `${key}","Torsk","Bodø`) }, 'b');
    // A text is a member's name.
    await put({ template: ['{"recordID":"', '","Name":"","', '":1,"City":"', '"}'] }, 'c');
    expect(await linesOf(folder, /^journal/)).toHaveLength(2 + 2 * 20);
    expect((await part.get(customers, `b${names[0]}`))?.City).toBe('Bodø');
  });
});

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 6 }),
  fc.constantFrom(
    '',
    '"',
    '\\',
    '\\"',
    '",',
    '","',
    '"],["',
    '\n',
    '\u2028',
    '\u007f',
    '\ud800',
    '😀',
    'Gdańsk',
  ),
);
const line = fc.record({
  keys: fc
    .uniqueArray(fc.nat(9999), { minLength: 1, maxLength: 9 })
    .map((keys) => keys.sort((a, b) => a - b).map(String)),
  texts: fc.array(fc.tuple(text, text), { minLength: 9, maxLength: 9 }),
  seq: fc.integer({ min: 1, max: 2 ** 40 }),
  constant: text,
});
type Line = typeof line extends fc.Arbitrary<infer T> ? T : never;

function written({ keys, texts, seq, constant }: Line): Buffer {
  const template = [
    `{"via":[${JSON.stringify(constant)}],"recordID":"`,
    '","Name":["',
    '","',
    '"],"same":1}',
  ];
  const each = keys.map((key, at) => [key, ...(texts[at] ?? []).map(rawOf)].join('","'));
  return Buffer.from(formatTemplateLine(seq, 'row', { keys, template, texts: each }).trimEnd());
}

const lineSchema = z.tuple([
  z.int().positive(),
  z.string().startsWith('+'),
  z.string(),
  z.strictObject({ template: z.array(z.string()).min(2), texts: z.array(z.array(z.string())).min(1) }),
]);
type Read = readonly (readonly [seq: number, key: string, json: string])[];

/** Reads a line by its documentation (docs/store.md), slowly and without the code of the engine. */
function slowRead(bytes: Buffer): Read | undefined {
  const found = lineSchema.safeParse(jsonOf(bytes.toString()));
  if (!found.success || !Buffer.from(JSON.stringify(found.data)).equals(bytes)) return undefined;
  const [seq, , firstKey, { template, texts }] = found.data;
  const marked = jsonOf(template.join('\ue000'));
  if (marked === undefined || marksIn(marked) !== template.length - 1) return undefined;
  const keys = texts.map(([key = '']) => key);
  const rise = keys.every((key, at) => {
    const before = keys[at - 1];
    return (
      before === undefined || before.length < key.length || (before.length === key.length && before < key)
    );
  });
  const isRight = texts.every((each) => each.length === template.length - 1);
  const isPlain = keys.every((key) => /^[ -~]*$/.test(key) && rawOf(key) === key);
  if (!rise || !isRight || !isPlain || keys[0] !== firstKey) return undefined;
  return texts.map((each, at) => [
    seq + at,
    keys[at] ?? '',
    template.map((piece, place) => piece + (place < each.length ? rawOf(each[place] ?? '') : '')).join(''),
  ]);
}

function jsonOf(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}

/** Counts the marks in strings that are values; none for a mark in a member's name. */
function marksIn(value: unknown): number {
  if (typeof value === 'string') return value.split('\ue000').length - 1;
  if (typeof value !== 'object' || value === null) return 0;
  return Object.entries(value).reduce(
    (sum, [name, each]) => (name.includes('\ue000') ? NaN : sum + marksIn(each)),
    0,
  );
}

/** Reads a line as the engine does, as a file's first one and after another with the same template. */
function engineRead(bytes: Buffer, before: Buffer | undefined): Read | undefined {
  const read = createOperationReader();
  if (before) expect(read(before, 0, before.length)).toBeDefined();
  return read(bytes, 0, bytes.length)?.map(({ slot }) => {
    if (!(slot instanceof TemplateRef)) return [slot.seq, slot.key, 'in a line of its own'];
    const json = valueJSON(slot);
    expect(JSON.stringify(storedValueOf(slot))).toBe(JSON.stringify(JSON.parse(json)));
    return [slot.seq, slot.key, json];
  });
}

describe('a line of entries that share a template', () => {
  it('is read as a slow reader reads it, and as it was written', () => {
    fc.assert(
      fc.property(line, (one) => {
        const bytes = written(one);
        const read = engineRead(bytes, undefined);
        expect(read).toEqual(slowRead(bytes));
        expect(
          read?.map(([seq, key, json]) => [seq, key, (JSON.parse(json) as { Name: unknown }).Name]),
        ).toEqual(
          one.keys.map((key, at) => [
            one.seq + at,
            key,
            one.texts[at]?.map((each) => JSON.parse(JSON.stringify(each)) as string),
          ]),
        );
      }),
      { numRuns: runsOf(400, 150), seed: seedOf(611) },
    );
  });

  it('gives the values that parsing gives, whatever the names of members', () => {
    for (const name of ['__proto__', '\\u005f_proto__', 'constructor', '12', 'a\\"b']) {
      const template = ['{"recordID":"', `","${name}":{"City":["`, '","x"]},"3":null,"2":[1,{}],"1":true}'];
      const texts = ids.map((id) => `${id}","Bergen`);
      const bytes = Buffer.from(formatTemplateLine(7, 'row', { keys: ids, template, texts }));
      const slots = createOperationReader()(bytes, 0, bytes.length - 1)?.map(({ slot }) => slot) ?? [];
      expect(slots).toHaveLength(20);
      for (const slot of slots) {
        const value = storedValueOf(slot);
        expect(JSON.stringify(value)).toBe(JSON.stringify(JSON.parse(valueJSON(slot))));
        expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
      }
    }
  });

  it('is refused unless it is exactly as written, whatever byte changes', () => {
    const byte = fc.oneof(fc.constantFrom(...Buffer.from('"\\,[]{}:0n+u')), fc.nat(255));
    const change = fc.record({
      place: fc.nat(),
      byte,
      kind: fc.constantFrom('replace', 'insert', 'remove', 'swap'),
    });
    let refused = 0;
    fc.assert(
      fc.property(
        line,
        fc.array(change, { minLength: 1, maxLength: 3 }),
        fc.boolean(),
        (one, changes, isSecond) => {
          const whole = written(one);
          let bytes = Buffer.from(whole);
          for (const { place, byte, kind } of changes) {
            const at = place % bytes.length;
            const [front, rest] = [bytes.subarray(0, at), bytes.subarray(at + (kind === 'insert' ? 0 : 1))];
            if (kind === 'swap') bytes = Buffer.concat([rest, front]);
            else bytes = Buffer.concat([front, ...(kind === 'remove' ? [] : [Buffer.of(byte)]), rest]);
          }
          const expected = slowRead(bytes);
          const read = engineRead(bytes, isSecond ? whole : undefined);
          if (read?.some(([, , json]) => json === 'in a line of its own') === true) {
            expect(bytes.toString('latin1')).not.toMatch(/^\[\d+,"\+row"/);
            return;
          }
          if (!read) refused++;
          expect(read).toEqual(expected);
        },
      ),
      { numRuns: runsOf(6000, 2000), seed: seedOf(612) },
    );
    expect(refused).toBeGreaterThan(1000);
  });
});
