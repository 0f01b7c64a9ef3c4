import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Papa from 'papaparse';
import { PLACES, PRODUCTS, TITLES, type Place } from './sample-words.ts';

/**
 * Makes the sample lists that ship with the app: customers and orders of a small trading office, put together from word
 * parts; no company or person of these names is meant. The same seed gives the same files.
 */

const SEED = 20260;
const CUSTOMERS = 91;
const ORDERS = 640;

/** Returns a generator of evenly distributed numbers in [0, 1) (mulberry32), always the same for a seed. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function pick<T>(random: () => number, list: readonly T[]): T {
  const found = list[Math.floor(random() * list.length)];
  if (found === undefined) throw new Error('Nothing to pick from.');
  return found;
}

function shuffle<T>(random: () => number, list: readonly T[]): T[] {
  return list
    .map((each) => ({ each, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ each }) => each);
}

const LETTERS = Array.from('ABCDEFGHJKLMNPRSTUWXY');

/** Returns the pattern with digits for `#` and capital letters for `@`. */
const fill = (random: () => number, pattern: string): string =>
  pattern.replace(/[#@]/g, (sign) =>
    sign === '#' ? String(Math.floor(random() * 10)) : pick(random, LETTERS),
  );

const listShops = (): { place: Place; family: string; company: string }[] =>
  PLACES.flatMap((place) =>
    place.families.flatMap((family) =>
      place.shops.map((shop) => ({ place, family, company: shop.replace('*', family) })),
    ),
  );

function makeCustomers(random: () => number): Record<string, string>[] {
  return shuffle(random, listShops())
    .slice(0, CUSTOMERS)
    .map(({ place, family, company }, i) => {
      const number = String(Math.floor(random() * 90) + 1);
      const street = pick(random, place.streets);
      const [city, region] = pick(random, place.cities);
      const phone = fill(random, place.phone);
      return {
        CustomerID: `${family
          .normalize('NFD')
          .replace(/[^A-Za-z]/g, '')
          .slice(0, 3)
          .toUpperCase()}${String(i + 1).padStart(3, '0')}`,
        CompanyName: company,
        ContactName: `${pick(random, place.firstNames)} ${random() < 0.6 ? family : pick(random, place.families)}`,
        ContactTitle: pick(random, TITLES),
        Address: place.numberFirst ? `${number} ${street}` : `${street} ${number}`,
        City: city,
        Region: random() < 0.7 ? region : '',
        PostalCode: fill(random, place.postalCode),
        Country: place.country,
        Phone: phone,
        Fax: random() < 0.4 ? phone.slice(0, -1) + fill(random, '#') : '',
      };
    });
}

const FIRST_DAY = Date.UTC(2025, 0, 2);
const DAY_MS = 86_400_000;
const dayAt = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** Returns the rows of orders.csv, by column name, each of one of these customers. */
function makeOrders(
  random: () => number,
  customers: readonly Record<string, string>[],
): Record<string, string>[] {
  return Array.from({ length: ORDERS }, (_, i) => {
    const ordered = FIRST_DAY + Math.floor(i / 2) * DAY_MS;
    const shipped = random() < 0.9 ? dayAt(ordered + Math.ceil(random() * 20) * DAY_MS) : '';
    const [product, price] = pick(random, PRODUCTS);
    return {
      OrderID: String(10_001 + i),
      CustomerID: pick(random, customers).CustomerID ?? '',
      OrderDate: dayAt(ordered),
      ShippedDate: shipped,
      Product: product,
      Quantity: String(Math.floor(random() * 40) + 1),
      UnitPrice: price,
      Discount: random() < 0.25 ? '0.05' : '0',
      Freight: (random() * 90).toFixed(2),
      Paid: shipped !== '' && random() < 0.85 ? 'yes' : 'no',
    };
  });
}

/** Returns the contents of the sample files by name, as in samples/. */
export function makeSamples(): Record<'customers.csv' | 'orders.csv', string> {
  const random = createRandom(SEED);
  const customers = makeCustomers(random);
  const orders = makeOrders(random, customers);
  const csv = (rows: Record<string, string>[]): string => `${Papa.unparse(rows, { newline: '\n' })}\n`;
  return { 'customers.csv': csv(customers), 'orders.csv': csv(orders) };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const [name, text] of Object.entries(makeSamples())) {
    writeFileSync(join(import.meta.dirname, '../samples', name), text);
  }
}
