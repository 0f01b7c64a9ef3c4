import { afterEach, describe, expect, it } from 'vitest';
import { customers } from '../support/data/office-lists.ts';
import { ringOffices, type RingOffices } from '../support/worlds/ring-offices.ts';

type Name = 'Oslo' | 'Bergen' | 'Turku' | 'Vaasa';
const COLUMNS = ['CompanyName', 'City', 'Remark'] as const;

/** Rows of an office's own, no two alike. */
function rowsFor(seed: number, rows = 6): Record<string, string>[] {
  return customers({ rows, seed }).rows.map((row) =>
    Object.fromEntries(COLUMNS.map((column) => [column, row[column] ?? ''])),
  );
}

const byKey = (rows: readonly Record<string, string>[]): Record<string, Record<string, string>> =>
  Object.fromEntries(rows.map((row) => [row.CompanyName ?? '', row]));

let ring: RingOffices<Name>;
afterEach(() => ring.close());

describe('three offices that all share with each other', () => {
  it('have each row once, with its changes, and without what its office deleted', async () => {
    ring = await ringOffices<Name>(['Oslo', 'Bergen', 'Turku'], COLUMNS);
    const names: readonly Name[] = ['Oslo', 'Bergen', 'Turku'];
    const own = new Map(names.map((name, at) => [name, rowsFor(at + 1)]));
    for (const [name, rows] of own) for (const row of rows) await ring.add(name, row);
    for (const from of names) for (const to of names) if (from !== to) await ring.flow(from, to);
    await ring.settle();
    const rows = [...own.values()].flat();
    for (const at of names) expect(await ring.shown(at), at).toEqual(byKey(rows));

    const [changed, gone] = own.get('Oslo')!;
    await ring.change('Oslo', changed!.CompanyName!, { City: 'Narvik' });
    await ring.change('Oslo', gone!.CompanyName!);
    await ring.settle();
    const left = byKey(
      rows.filter((row) => row !== gone).map((row) => (row === changed ? { ...row, City: 'Narvik' } : row)),
    );
    for (const at of names) expect(await ring.shown(at), at).toEqual(left);
  });
});

describe('two offices of three that have the rows of each other as well', () => {
  it('keep what the third one made when it leaves both at once', { tags: 'nightly-orders' }, async () => {
    ring = await ringOffices<Name>(['Oslo', 'Bergen', 'Turku'], COLUMNS);
    const names: readonly Name[] = ['Oslo', 'Bergen', 'Turku'];
    const made = rowsFor(33);
    for (const row of made) await ring.add('Bergen', row);
    for (const from of names) for (const to of names) if (from !== to) await ring.flow(from, to);
    await ring.settle();
    await Promise.all([
      ring.disconnect('Bergen', 'Oslo', 'keep'),
      ring.disconnect('Bergen', 'Turku', 'keep'),
    ]);
    await ring.settle();
    for (const at of names) expect(await ring.shown(at), at).toEqual(byKey(made));
  });
});

describe('an office that has the same rows from two others', () => {
  const diamond = async (): Promise<Record<string, string>[]> => {
    ring = await ringOffices<Name>(['Oslo', 'Bergen', 'Turku', 'Vaasa'], COLUMNS);
    const rows = rowsFor(9);
    for (const row of rows) await ring.add('Oslo', row);
    await ring.flow('Oslo', 'Bergen');
    await ring.flow('Oslo', 'Turku');
    await ring.flow('Bergen', 'Vaasa');
    await ring.flow('Turku', 'Vaasa');
    await ring.settle();
    return rows;
  };

  it('shows each once, follows the newest word of either, and lets go of what both have deleted', async () => {
    const [changed, gone, ...others] = await diamond();
    expect(await ring.shown('Vaasa')).toEqual(byKey([changed!, gone!, ...others]));
    const { partner, also } = (await ring.cameFrom('Vaasa', changed!.CompanyName!))!;
    expect([partner, ...(also ?? [])].sort()).toEqual(['Bergen', 'Turku']);
    await ring.change('Oslo', changed!.CompanyName!, { Remark: 'moved to the harbour' });
    await ring.change('Oslo', gone!.CompanyName!);
    await ring.settle();
    const left = byKey([{ ...changed!, Remark: 'moved to the harbour' }, ...others]);
    for (const at of ['Oslo', 'Bergen', 'Turku', 'Vaasa'] as const)
      expect(await ring.shown(at), at).toEqual(left);
  });

  it(
    'keeps what one of them throws away or stops sending, and shows the other’s',
    { tags: 'nightly-orders' },
    async () => {
      const [first, second, ...others] = await diamond();
      await ring.change('Bergen', first!.CompanyName!);
      await ring.change('Turku', second!.CompanyName!);
      await ring.settle();
      expect(await ring.shown('Vaasa')).toEqual(byKey([first!, second!, ...others]));

      // Only the one that the other does not bring any more would go.
      expect(await ring.wouldGo('Vaasa', 'Bergen')).toBe(1);
      await ring.disconnect('Vaasa', 'Bergen', 'remove');
      await ring.settle();
      expect(await ring.shown('Vaasa')).toEqual(byKey([first!, ...others]));
      await ring.change('Oslo', first!.CompanyName!, { City: 'Hammerfest' });
      await ring.settle();
      expect(await ring.shown('Vaasa')).toEqual(byKey([{ ...first!, City: 'Hammerfest' }, ...others]));
      await ring.disconnect('Vaasa', 'Turku', 'remove');
      expect(await ring.shown('Vaasa')).toEqual({});
    },
  );

  it(
    'follows one of them once the other is not received any more, and both again when it is',
    { tags: 'nightly-orders' },
    async () => {
      const [changed, ...others] = await diamond();
      await ring.flow('Oslo', 'Vaasa');
      await ring.settle();
      expect(await ring.cameFrom('Vaasa', changed!.CompanyName!)).toMatchObject({ partner: 'Oslo' });
      await ring.unmatch('Vaasa', 'Oslo');
      await ring.change('Oslo', changed!.CompanyName!, { City: 'Alta' });
      await ring.settle();
      const now = byKey([{ ...changed!, City: 'Alta' }, ...others]);
      expect(await ring.shown('Vaasa')).toEqual(now);
      await ring.flow('Oslo', 'Vaasa');
      await ring.settle();
      expect(await ring.shown('Vaasa')).toEqual(now);
      expect(await ring.cameFrom('Vaasa', changed!.CompanyName!)).toMatchObject({ partner: 'Oslo' });
      await ring.disconnect('Vaasa', 'Bergen', 'remove');
      await ring.disconnect('Vaasa', 'Turku', 'remove');
      await ring.settle();
      expect(await ring.shown('Vaasa')).toEqual(now);
    },
  );

  it(
    'follows another one where the first had let go before it came',
    { tags: 'nightly-orders' },
    async () => {
      ring = await ringOffices<Name>(['Oslo', 'Bergen', 'Turku', 'Vaasa'], COLUMNS);
      const [changed, ...others] = rowsFor(21);
      for (const row of [changed!, ...others]) await ring.add('Oslo', row);
      await ring.flow('Oslo', 'Vaasa');
      await ring.settle();
      await ring.unmatch('Vaasa', 'Oslo');
      await ring.flow('Oslo', 'Bergen');
      await ring.flow('Bergen', 'Vaasa');
      await ring.change('Oslo', changed!.CompanyName!, { City: 'Alta' });
      await ring.settle();
      expect(await ring.shown('Vaasa')).toEqual(byKey([{ ...changed!, City: 'Alta' }, ...others]));
    },
  );
});
