import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Offer } from '../../server/contract/app/sharing.ts';
import { atNight, sampleOf, seedOf } from '../support/data/luck.ts';
import {
  BOUND,
  SHARED,
  toldOffices,
  type SharedColumn,
  type ToldOffices,
  type ToldSide,
} from '../support/worlds/told-offices.ts';

/**
 * All the ways in which the columns that a partner sees change. Whatever happens meanwhile, neither side says that it
 * is up to date while they differ (the offices check that at each step), and at last they are equal.
 */

let offices: ToldOffices;
beforeAll(async () => {
  offices = await toldOffices();
  await offices.heal();
}, 120_000);
afterAll(() => offices.close());

const giver = (): ToldSide => offices.sides[1];
const taker = (): ToldSide => offices.sides[0];
const FEW: readonly SharedColumn[] = ['CustomerID', 'CompanyName', 'Remark'];
const LONG = BOUND + 1_000;

/** What rows hold and are called changes in columns that may be away; hardly anything is lost, so that no brake holds it. */
async function meanwhile(): Promise<void> {
  made++;
  await offices.edit(giver(), made, 'City', `Überlingen ${made}`);
  await offices.edit(giver(), made + 1, 'Remark', `“Küçük” ${made}`);
  await offices.callAgent(giver(), made, 'Name', `Łucja ${made}`);
  await offices.callAgent(giver(), made, 'Phone', `+48 22 ${made}`);
  await offices.add(giver(), 2);
  // So few that they come to no brake in all of these.
  if (made % 3 === 0) await offices.remove(giver(), made + 2, 1);
}
let made = 0;

/** Has it happen while the taker looks at each step, or sees only what comes of it. */
const WAYS = {
  'looks meanwhile': { before: () => undefined, between: () => offices.pass(LONG), after: () => undefined },
  'looks only afterwards': {
    before: () => offices.weather(giver(), 'cut'),
    between: () => offices.pass(1_000),
    after: () => offices.weather(giver(), 'clear'),
  },
  'looks only after a start of the giver': {
    before: () => offices.weather(giver(), 'cut'),
    between: () => offices.restart(giver(), false),
    after: () => offices.weather(giver(), 'clear'),
  },
};

/** By what happens to the columns: how they change, and how they come back. */
const CHANGES: Record<string, readonly [go: () => Promise<unknown>, back: () => Promise<unknown>]> = {
  'a column is taken out and given back': [
    () => offices.share(giver(), FEW),
    () => offices.share(giver(), SHARED),
  ],
  'two columns take each other’s name, and again': [
    () => offices.swap(giver(), 'City', 'Remark'),
    () => offices.swap(giver(), 'City', 'Remark'),
  ],
  'rows are shown by another column, and by the first again': [
    () => offices.pin(giver(), 'Phone'),
    () => offices.pin(giver(), 'Name'),
  ],
  'the share is ended and begun again': [
    () => offices.unshare(giver()),
    () => offices.share(giver(), SHARED),
  ],
  'the share is ended, begun with fewer columns, and gets the others': [
    async () => {
      await offices.unshare(giver());
      await offices.share(giver(), FEW);
    },
    () => offices.share(giver(), SHARED),
  ],
  'fewer columns are matched, and all again': [
    () => offices.match(taker(), FEW),
    () => offices.match(taker()),
  ],
  'the match is ended and made again': [() => offices.unmatch(taker()), () => offices.match(taker())],
  'a column that receives goes, and another of its name is matched': [
    () => followed(() => changeReceiving((fields) => fields.filter(({ name }) => name !== 'City'))),
    async () => {
      const city = { name: 'City', label: 'City', kind: 'String', isMulti: false };
      await changeReceiving((fields) => [...fields, city]);
      await offices.match(taker());
    },
  ],
  'two columns that receive take each other’s name, and again': [swapReceiving, swapReceiving],
};

interface Receiving {
  readonly name: string;
  readonly label: string;
  readonly kind: string;
  readonly isMulti: boolean;
}
async function changeReceiving(
  change: (fields: readonly Receiving[]) => readonly Receiving[],
): Promise<void> {
  const path = `/app/lists/${taker().received}`;
  const { fields } = await taker().office.app<{ fields: Receiving[] }>('GET', path);
  await taker().office.app('PATCH', path, { fields: change(fields) });
}
function swapReceiving(): Promise<void> {
  const names: Readonly<Record<string, string>> = { City: 'Remark', Remark: 'City' };
  const swapped = (fields: readonly Receiving[]): Receiving[] =>
    fields.map((field) => ({ ...field, name: names[field.name] ?? field.name }));
  return followed(() => changeReceiving(swapped));
}
/** Until the matches have followed their columns, which they do right behind them, as nobody can look in between. */
async function followed(change: () => Promise<void>): Promise<void> {
  const matches = async (): Promise<string> => {
    const offers = await taker().office.app<Offer[]>('GET', `/app/partners/${taker().partner}/offers`);
    return JSON.stringify(offers.map((offer) => offer.matches));
  };
  const before = await matches();
  await change();
  await expect.poll(matches, { timeout: 20_000, interval: 5 }).not.toBe(before);
}

const SEED = seedOf(2);
/** Every other change in one of the ways to look at it; each change in all of them in the nightly run. */
describe.each(
  sampleOf(Object.entries(CHANGES), 2).map(
    ([name, change], at) => [name, change, sampleOf(Object.entries(WAYS), 3, SEED + at)] as const,
  ),
)('when %s', (_, [go, back], ways) => {
  it.each(ways)(
    'a taker that %s has all that came',
    async (_way, { before, between, after }) => {
      before();
      await go();
      await between();
      await meanwhile();
      await between();
      await back();
      after();
      await offices.pass(1_000);
      await offices.pass(LONG);
      await expect.poll(upToDate, { timeout: 20_000 }).toBe('up-to-date');
      expect(await offices.state(taker())).toBe('up-to-date');
    },
    60_000,
  );
});

/** Time passes until it is well, at most as often as anybody would wait. */
async function upToDate(): Promise<string> {
  const state = await offices.state(taker());
  if (state !== 'up-to-date') await offices.pass(LONG);
  return state;
}

/** What takes values away from so many rows that they wait for a yes. */
const LOSSES: Record<string, () => Promise<void>> = {
  'values are emptied': () => offices.editMany(giver(), 50, 'City', () => ''),
  'rows are removed': () => offices.remove(giver(), 0, 50),
  'rows go to the bin that others refer to': async () => {
    for (let agent = 0; agent < 5; agent++) await offices.binAgent(giver(), agent, true);
  },
};

const DECISIONS = [
  ['their removal is taken', true],
  ['they are kept', false],
] as const;
describe.each(
  sampleOf(Object.entries(LOSSES), 2).map(
    ([name, lose], at) => [name, lose, sampleOf(DECISIONS, 2, SEED + at)] as const,
  ),
)('when %s and wait', (_, lose, decisions) => {
  it.each(decisions)(
    'and their columns go and come back, both are equal once %s',
    async (_word, isTaken) => {
      // So many that sixty are left of them, and that fifty are much.
      await offices.add(giver(), atNight(10, 20));
      for (let agent = 0; agent < 6; agent++) await offices.binAgent(giver(), agent, false);
      await offices.editMany(giver(), 60, 'City', (row) => `Brno-${made}-${row}`);
      await offices.heal();
      await lose();
      await offices.pass(LONG);
      expect(await offices.state(taker())).toBe('needs-you');
      await offices.share(giver(), FEW);
      await offices.pass(LONG);
      await meanwhile();
      await offices.share(giver(), SHARED);
      await offices.pass(LONG);
      expect(await offices.state(taker())).toBe('needs-you');
      await offices.decide(taker(), isTaken);
      await offices.pass(LONG);
      // What our user kept is another thing than equal, and never said to be.
      expect(await offices.state(taker())).toBe(isTaken ? 'up-to-date' : 'needs-you');
      await offices.share(giver(), FEW);
      await offices.pass(LONG);
      await offices.share(giver(), SHARED);
      await offices.pass(LONG);
      await offices.heal();
    },
    120_000,
  );
});
