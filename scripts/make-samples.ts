import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Papa from 'papaparse';

/**
 * Makes the sample lists that ship with the app: customers and orders of a small trading office. Everything in
 * them is put together from word parts; no company or person of these names is meant. The same seed gives the
 * same files, byte for byte.
 */

const SEED = 20260;
const CUSTOMERS = 91;
const ORDERS = 640;

/** A small generator of even numbers in [0, 1) (mulberry32): samples need no better one, but always the same. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const PLACES = [
  {
    country: 'Germany',
    cities: ['Lüneburg', 'Görlitz', 'Emden'],
    code: '+49',
    streets: ['Lindenstraße', 'Am Kai'],
  },
  {
    country: 'France',
    cities: ['Sète', 'Annecy', 'Vannes'],
    code: '+33',
    streets: ['rue des Écoles', 'quai Neuf'],
  },
  { country: 'Sweden', cities: ['Växjö', 'Luleå'], code: '+46', streets: ['Storgatan', 'Hamnvägen'] },
  { country: 'Spain', cities: ['Málaga', 'Cuenca'], code: '+34', streets: ['calle del Río', 'plaza Mayor'] },
  { country: 'Poland', cities: ['Łódź', 'Gdynia'], code: '+48', streets: ['ul. Portowa', 'ul. Długa'] },
  {
    country: 'United Kingdom',
    cities: ['Whitby', 'Truro'],
    code: '+44',
    streets: ['Harbour Row', 'Mill Lane'],
  },
  {
    country: 'Portugal',
    cities: ['Évora', 'Faro'],
    code: '+351',
    streets: ['rua da Praia', 'largo do Poço'],
  },
] as const;
const STEMS = [
  'Nord',
  'Blau',
  'Haven',
  'Kestrel',
  'Olm',
  'Brisa',
  'Tarn',
  'Vela',
  'Marl',
  'Quill',
  'Sable',
  'Thorn',
];
const TRADES = ['Tea', 'Glass', 'Paper', 'Spice', 'Linen', 'Cheese', 'Tools', 'Bakery', 'Books', 'Wool'];
const FORMS = ['& Co.', 'Trading', 'Brothers', 'House', 'Supplies, Ltd.', '"The Original"'];
const FIRST = [
  'Ada',
  'Björn',
  'Chloé',
  'Dario',
  'Elif',
  'Femke',
  'Goran',
  'Hélène',
  'Inês',
  'Jon',
  'Kaja',
  'Łucja',
];
const LAST = [
  'Almén',
  'Brandt',
  'Costa',
  'Dufour',
  'Eklund',
  'Fontaine',
  'Gruber',
  'Hurst',
  'Ibáñez',
  'Jansky',
];
const TITLES = ['Owner', 'Purchasing', 'Accounts', 'Sales', 'Office Manager'];
const PRODUCTS = [
  'Black tea, loose',
  'Honey 500 g',
  'Rye crackers',
  'Olive oil 1 l',
  'Sea salt',
  'Quince jam',
  'Hazelnuts',
];

function pick<T>(random: () => number, list: readonly T[]): T {
  const found = list[Math.floor(random() * list.length)];
  if (found === undefined) throw new Error('Nothing to pick from.');
  return found;
}

const digits = (random: () => number, count: number): string =>
  Array.from({ length: count }, () => Math.floor(random() * 10)).join('');

function makeCustomers(random: () => number): Record<string, string>[] {
  return Array.from({ length: CUSTOMERS }, (_, i) => {
    const place = pick(random, PLACES);
    const company = `${pick(random, STEMS)} ${pick(random, TRADES)} ${pick(random, FORMS)}`;
    const phone = `${place.code} ${digits(random, 3)} ${digits(random, 6)}`;
    return {
      CustomerID: `${company
        .replace(/[^A-Za-z]/g, '')
        .slice(0, 3)
        .toUpperCase()}${String(i + 1).padStart(3, '0')}`,
      CompanyName: company,
      ContactName: `${pick(random, FIRST)} ${pick(random, LAST)}`,
      ContactTitle: pick(random, TITLES),
      Address: `${pick(random, place.streets)} ${Math.floor(random() * 90) + 1}`,
      City: pick(random, place.cities),
      Region: random() < 0.2 ? pick(random, ['North', 'South', 'Coast']) : '',
      PostalCode: digits(random, 5),
      Country: place.country,
      Phone: phone,
      Fax: random() < 0.4 ? phone.slice(0, -1) + digits(random, 1) : '',
    };
  });
}

const FIRST_DAY = Date.UTC(2025, 0, 2);
const DAY_MS = 86_400_000;
const dayAt = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

function makeOrders(
  random: () => number,
  customers: readonly Record<string, string>[],
): Record<string, string>[] {
  return Array.from({ length: ORDERS }, (_, i) => {
    const ordered = FIRST_DAY + Math.floor(i / 2) * DAY_MS;
    const shipped = random() < 0.9 ? dayAt(ordered + Math.ceil(random() * 20) * DAY_MS) : '';
    return {
      OrderID: String(10_001 + i),
      CustomerID: pick(random, customers).CustomerID ?? '',
      OrderDate: dayAt(ordered),
      ShippedDate: shipped,
      Product: pick(random, PRODUCTS),
      Quantity: String(Math.floor(random() * 40) + 1),
      UnitPrice: (random() * 30 + 1).toFixed(2),
      Discount: random() < 0.25 ? '0.05' : '0',
      Freight: (random() * 90).toFixed(2),
      Paid: shipped !== '' && random() < 0.85 ? 'yes' : 'no',
    };
  });
}

/** The files by name, as they lie in samples/. */
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
