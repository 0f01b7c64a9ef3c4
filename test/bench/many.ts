import { z } from 'zod';
import { appCalls } from '../support/harness/program.ts';
import { middle, readable, withSpread, type Measured } from './measured.ts';
import { connect, makeList, openBenchOffice, openDestination, receive, type BenchOffice } from './offices.ts';
import { ORIGIN_CORE, PULLER_CORE } from './pinning.ts';

/** How many partners are pulled at once, with how many rows each; and how many lists one of them offers. */
export interface ManyPlan {
  readonly together: number;
  readonly rows: number;
  readonly crowd: number;
  readonly each: number;
  readonly lists: number;
}

const LOOKS = 11;

/** What many partners at once cost whoever receives from them, and many lists whoever looks at them. */
export async function measureMany({ together, rows, crowd, each, lists }: ManyPlan): Promise<Measured[]> {
  const alone = await pullOfMany(1, together * rows);
  const all = await pullOfMany(together, rows);
  const memory = await pullOfMany(crowd, each);
  const [fewOffered, manyOffered] = [await overviewOf(10), await overviewOf(lists)];
  const total = together * rows;
  const perSecond = (ms: number): string => `${Math.round((total / ms) * 1000).toLocaleString('en')} rows/s`;
  return [
    {
      what: `${together} partners pulled at once, ${rows.toLocaleString('en')} rows each, in all`,
      reference: `one partner with ${total.toLocaleString('en')} rows`,
      ours: perSecond(all.milliseconds),
      theirs: perSecond(alone.milliseconds),
      ratio: alone.milliseconds / all.milliseconds,
      toReach: 'at least 0.9×',
      reached: alone.milliseconds / all.milliseconds >= 0.9,
    },
    {
      what: `memory at the end of ${crowd} pulls at once of ${each.toLocaleString('en')} rows each`,
      reference: '–',
      ours: `${memory.residentMiB.toFixed(0)} MiB; longest stall ${readable(memory.stallMs)}, 99 % below ${readable(memory.stallP99Ms)}`,
      theirs: '–',
      toReach: '350 MiB at most',
      reached: memory.residentMiB <= 350,
    },
    ...(['overview', 'partner'] as const).map((page): Measured => {
      const same = (ms: number): number => ms;
      const ours = middle(manyOffered[page], same);
      return {
        what: `${page === 'overview' ? 'the overview' : "a partner's page and its offers"} with ${lists.toLocaleString('en')} offered lists`,
        reference: 'the same with 10',
        ours: withSpread(manyOffered[page], same, readable),
        theirs: withSpread(fewOffered[page], same, readable),
        toReach: '20 ms at most',
        reached: ours <= 20,
      };
    }),
  ];
}

interface Together {
  readonly milliseconds: number;
  readonly residentMiB: number;
  readonly stallMs: number;
  readonly stallP99Ms: number;
}

/** Pulls lists of so many offices at once: from the user's words until all rows of all are durable. */
async function pullOfMany(partners: number, rows: number): Promise<Together> {
  const destination = await openBenchOffice('Destination', PULLER_CORE);
  const origins: BenchOffice[] = [];
  try {
    const ways: string[] = [];
    for (let at = 0; at < partners; at++) {
      const origin = await openBenchOffice(`Origin ${at}`, ORIGIN_CORE);
      origins.push(origin);
      const list = await makeList(origin, `Customers ${at}`, rows);
      const { here } = await connect(origin, destination, [list]);
      await receive(destination, here, list);
      ways.push(here);
    }
    await destination.watch();
    const start = performance.now();
    const counts = await Promise.all(ways.map((here) => destination.syncNow(here)));
    const milliseconds = performance.now() - start;
    const created = counts.reduce((sum, count) => sum + count.created, 0);
    if (created !== partners * rows) throw new Error(`${created} rows came instead of ${partners * rows}.`);
    return { milliseconds, ...(await destination.end()) };
  } finally {
    await Promise.all([destination, ...origins].map((office) => office.remove()));
  }
}

/** Milliseconds of looks at what the window shows first, where a partner offers so many lists. */
async function overviewOf(lists: number): Promise<{ overview: number[]; partner: number[] }> {
  const origin = await openBenchOffice('Origin', ORIGIN_CORE);
  try {
    const made = [];
    for (let at = 0; at < lists; at++) made.push(await makeList(origin, `List ${at}`, 1));
    const { destination, here } = await openDestination(origin, made);
    try {
      const app = appCalls(destination.served);
      const offers = z.array(z.unknown()).parse(await app('GET', `/app/partners/${here}/offers`));
      if (offers.length !== lists) throw new Error(`${offers.length} lists are offered instead of ${lists}.`);
      const looks = async (...paths: string[]): Promise<number[]> => {
        const took: number[] = [];
        for (let look = 0; look < LOOKS; look++) {
          const start = performance.now();
          for (const path of paths) await app('GET', path);
          took.push(performance.now() - start);
        }
        return took.slice(1);
      };
      return {
        overview: await looks('/app/overview'),
        partner: await looks(`/app/partners/${here}`, `/app/partners/${here}/offers`),
      };
    } finally {
      await destination.remove();
    }
  } finally {
    await origin.remove();
  }
}
