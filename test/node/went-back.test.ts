import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { goingBack, type GoingBack } from '../support/worlds/going-back.ts';

let offices: GoingBack;

const range = (text: string, town: string, count: number): string[] =>
  Array.from({ length: count }, (_, at) => `${text} ${String(at).padStart(2, '0')},${town}`);
const atOslo = (): Promise<string[]> => offices.oslo.shown();
const atBergen = (): Promise<string[]> => offices.bergen.shown();

beforeEach(async () => {
  offices = await goingBack(range('Strand', 'Oslo', 12));
});
afterEach(() => offices.close());

describe('R8: the folder of the one who shares goes back as a whole, and it writes on', () => {
  beforeEach(async () => {
    const { oslo } = offices;
    await oslo.copy();
    // Five rows and a change that the partner gets, and that are gone a moment later.
    await oslo.add(range('Lost', 'Hamar', 5));
    await oslo.change('Strand 03', 'Moss');
    await offices.sync();
    expect(await atBergen()).toEqual(await atOslo());
    await oslo.putBack();
    // As many changes again, under the numbers that the partner knows already.
    await oslo.add(range('After', 'Skien', 9));
    await offices.sync();
  });

  it('what was written since arrives, and what is gone waits here and is told at both', async () => {
    const { oslo, bergen } = offices;
    expect(await atOslo()).toHaveLength(21);
    expect(await atBergen()).toHaveLength(26);
    expect((await atBergen()).filter((row) => row.startsWith('After'))).toHaveLength(9);
    expect(await atBergen()).toContain('Strand 03,Moss');
    expect((await offices.offer()).brake).toMatchObject({ removes: 5, older: 1, wentBack: 6 });
    expect((await bergen.node.node.overview()).inbox).toMatchObject([{ kind: 'went-back', rows: 6 }]);
    expect(await bergen.says()).toMatch(/went back .* 6 rows that you have are missing or older/);
    await expect
      .poll(() => oslo.says(), { timeout: 20_000 })
      .toMatch(/Your data went back .* still has 6 rows/);
  });

  it('both are equal once the partner takes over what is there', async () => {
    await offices.decide(true);
    expect(await atBergen()).toEqual(await atOslo());
    expect(await atBergen()).toContain('Strand 03,Oslo');
    await offices.sync();
    expect((await offices.offer()).brake).toBeUndefined();
    expect(await atBergen()).toEqual(await atOslo());
  });

  it('what is gone can be given back as a file, with what came from there and nothing else', async () => {
    const { oslo, bergen } = offices;
    // What was changed here is no business of the other office.
    await bergen.change('Lost 02', 'Voss');
    const file = await offices.waitingFile();
    expect(file.replace('\uFEFF', '').trim().split('\r\n').sort()).toEqual(
      ['Name,Town', ...range('Lost', 'Hamar', 5), 'Strand 03,Moss'].sort(),
    );
    await oslo.node.app('POST', `/app/import?moduleID=${oslo.list}`, file);
    await offices.sync();
    await offices.decide(true);
    expect(await atBergen()).toEqual(await atOslo());
    expect((await atOslo()).filter((row) => row.startsWith('Lost'))).toHaveLength(5);
  });

  it(
    'what the partner keeps stays kept, and it is said that they differ',
    { tags: 'nightly-orders' },
    async () => {
      const { oslo, bergen } = offices;
      await offices.decide(false);
      await offices.sync();
      expect(await atBergen()).toHaveLength(26);
      expect(await bergen.says()).toMatch(/You kept 6 rows/);
      // The next word on a row counts again.
      await oslo.change('Strand 03', 'Lillehammer');
      await offices.sync();
      expect(await atBergen()).toContain('Strand 03,Lillehammer');
      expect(await atBergen()).toHaveLength(26);
    },
  );

  it(
    'what is kept stays kept when the list is read from the beginning for another reason',
    { tags: 'nightly-orders' },
    async () => {
      const { oslo, bergen } = offices;
      await offices.decide(false);
      await oslo.node.app('PUT', `/app/partners/${oslo.partner}/shares/${oslo.list}`, { fields: ['Town'] });
      await offices.sync();
      await oslo.node.app('PUT', `/app/partners/${oslo.partner}/shares/${oslo.list}`, {
        fields: ['Name', 'Town'],
      });
      await offices.sync();
      expect(await atBergen()).toHaveLength(26);
      expect(await atBergen()).toContain('Strand 03,Moss');
      expect(await bergen.says()).toMatch(/You kept 6 rows|changed/);
    },
  );
});

describe('R8: it goes back to before a change of what it shares', () => {
  it.each([
    ['fewer columns', ['Name', 'Town'], ['Name']],
    ['more columns', ['Name'], ['Name', 'Town']],
  ])('to %s: what is gone waits, and nothing is overwritten', async (_what, fields, later) => {
    const { oslo, bergen } = offices;
    const share = `/app/partners/${oslo.partner}/shares/${oslo.list}`;
    await oslo.node.app('PUT', share, { fields });
    await offices.sync();
    await oslo.copy();
    await oslo.node.app('PUT', share, { fields: later });
    await offices.sync();
    await oslo.add(range('Lost', 'Hamar', 4));
    await oslo.rename('Strand 03', 'Strand 03 B');
    await offices.sync();
    const names = async (): Promise<string[]> => (await atBergen()).map((row) => row.split(',')[0] ?? '');
    expect(await names()).toHaveLength(16);
    await oslo.putBack();
    await oslo.add(range('After', 'Skien', 2));
    await offices.sync();
    expect(await names()).toHaveLength(18);
    expect(await names()).toContain('Strand 03 B');
    expect((await offices.offer()).brake).toMatchObject({ removes: 4, older: 1, wentBack: 5 });
    expect(await bergen.says()).toMatch(/went back .* 5 rows that you have are missing or older/);
  });
});

describe('R8: it goes back, and has written nothing since', () => {
  it('is noticed as well', async () => {
    const { oslo } = offices;
    await oslo.copy();
    await oslo.add(range('Lost', 'Hamar', 3));
    await offices.sync();
    await oslo.putBack();
    await offices.sync();
    expect((await offices.offer()).brake).toMatchObject({ removes: 3, wentBack: 3 });
  });

  it(
    'is not said of one that was only started again, many times and with writes between',
    { tags: 'nightly-orders' },
    async () => {
      const { oslo, bergen } = offices;
      for (const round of [1, 2, 3]) {
        await oslo.restart();
        await oslo.add(range(`Round ${round}`, 'Hamar', round));
        if (round !== 2) await offices.sync();
      }
      expect(await atBergen()).toEqual(await atOslo());
      expect((await offices.offer()).brake).toBeUndefined();
      expect(bergen.node.logged.join()).not.toMatch(/went back/);
    },
  );
});

describe('R8: the folder of the one who receives goes back as a whole', () => {
  it('and it ends equal: with what came, changed and went since, and with what its user had done before', async () => {
    const { oslo, bergen } = offices;
    await bergen.change('Strand 01', 'Bergen');
    await bergen.copy();
    await oslo.add(range('Later', 'Hamar', 4));
    await oslo.change('Strand 02', 'Moss');
    await oslo.change('Strand 01', 'Gjøvik');
    await oslo.remove('Strand 05');
    await offices.sync();
    await oslo.remove('Later 02');
    await offices.sync();
    const before = await atBergen();

    await bergen.putBack();
    expect(await atBergen()).not.toEqual(before);
    await oslo.add(range('At last', 'Skien', 1));
    await offices.sync();
    expect(await atBergen()).toEqual([...before, 'At last 00,Skien'].sort());
    expect(await atBergen()).toContain('Strand 01,Bergen');
    expect(await offices.compare()).toMatchObject({ identical: true });
    expect((await offices.offer()).brake).toBeUndefined();
  });

  it(
    'and rows that its user had kept against the partner’s word are still there',
    { tags: 'nightly-orders' },
    async () => {
      const { oslo, bergen } = offices;
      await oslo.copy();
      await oslo.add(range('Lost', 'Hamar', 5));
      await offices.sync();
      await oslo.putBack();
      await offices.sync();
      await offices.decide(false);
      await bergen.copy();
      await oslo.add(range('Later', 'Skien', 7));
      await offices.sync();
      await bergen.putBack();
      await offices.sync();
      expect(await atBergen()).toEqual([...(await atOslo()), ...range('Lost', 'Hamar', 5)].sort());
      expect(await bergen.says()).toMatch(/You kept 5 rows/);
    },
  );
});
