import { z } from 'zod';
import type { LabProgram } from './lab.ts';
import { until } from './until.ts';
import { addRow, share, type End, type Pair } from './towns.ts';

/** How often the answers that the windows show are read, and how often a new row probes the way to the other office. */
const SAMPLE_MS = 250;
const PROBE_MS = 1_000;
/** A row that takes longer than this does not flow. */
const FLOWS_MS = 2_000;
/** A screen may show for so long that rows flow after they stopped: a long poll of 50 s and 10 s for its answer. */
const DETECTED_MS = 60_000;
/** A screen may show for so long that rows do not flow after they began to. */
const NOTICED_MS = 2_000;
/** A route is open for so long before the rows that waited have come over it. */
const COMING_MS = 8_000;
/** The state and the rows of one sample are read within this. */
const SAMPLED_MS = 1_000;

const sampleLine = z.object({
  at: z.number(),
  took: z.number(),
  answers: z.tuple([
    z.object({
      state: z.string(),
      line: z.string(),
      reason: z.string(),
      route: z.object({ kind: z.string() }).optional(),
    }),
    z.object({ total: z.number() }),
  ]),
});
interface Sample {
  readonly at: number;
  readonly state: string;
  readonly line: string;
  readonly reason: string;
  readonly route: string | undefined;
  /** Rows of the other office that have arrived. */
  readonly arrived: number;
}

interface Side {
  readonly name: string;
  readonly end: End;
  /** The list in which rows of the other office arrive. */
  readonly received: string;
  readonly program: LabProgram;
  readonly samples: Sample[];
}

/** A time during which a screen showed what was not so. */
export interface Untruth {
  readonly office: string;
  readonly shown: string;
  readonly seconds: number;
}

/** What the screens of both offices showed, and what really was so. */
export interface Watched {
  /** Ends the watching. Returns what the screens showed for longer than it was so. */
  end(): Promise<{ readonly untruths: readonly Untruth[]; readonly story: readonly string[] }>;
}

/** Watches the screens of both offices, and finds out by rows of its own whether rows flow. */
export async function watchScreens({ a, b }: Pair): Promise<Watched> {
  const [there, back] = [await share(a, b, 'Orders'), await share(b, a, 'Deliveries')];
  const watch = (name: string, end: End, received: string): Side => {
    const program = end.office.sample(
      SAMPLE_MS,
      `/app/partners/${end.partner}`,
      `/app/lists/${received}/rows?offset=0&limit=1`,
    );
    const side: Side = { name, end, received, program, samples: [] };
    void collect(side);
    return side;
  };
  const sides = [watch('A', a, back.received), watch('B', b, there.received)] as const;
  const sent = { fromA: [] as number[], fromB: [] as number[] };
  await until('the screens are read', () =>
    Promise.resolve(sides.every(({ samples }) => samples.length > 0)),
  );
  let isOver = false;
  const probe = async (from: End, own: string, times: number[]): Promise<void> => {
    while (!isOver) {
      await addRow(from.office, own, `Order ${1_000 + times.length}`);
      times.push(Date.now());
      await new Promise((done) => setTimeout(done, PROBE_MS));
    }
  };
  const probing = [probe(a, there.own, sent.fromA), probe(b, back.own, sent.fromB)];
  return {
    async end() {
      isOver = true;
      await Promise.all(probing);
      await Promise.all(sides.map(({ program }) => program.stop()));
      const [atA, atB] = [stopsOf(sides[0], sent.fromB), stopsOf(sides[1], sent.fromA)];
      return {
        untruths: [...judge(sides[0], atA, atB), ...judge(sides[1], atB, atA)],
        story: sides.flatMap((side) => tell(side)),
      };
    },
  };
}

async function collect({ program, samples }: Side): Promise<void> {
  try {
    for (;;) {
      const line = sampleLine.safeParse(await program.next());
      if (!line.success) continue;
      const { at, took, answers } = line.data;
      const [{ route, ...partner }, { total }] = answers;
      samples.push({ at: at + took, ...partner, route: route?.kind, arrived: total });
    }
  } catch {
    // The program has ended.
  }
}

/** The lists have two rows from the start. */
const ROWS_BEFORE = 2;

/** A time in which rows of one direction did not flow. */
interface Stop {
  /** The last moment at which they may have flowed. */
  readonly from: number;
  /** Some row has waited since then. */
  readonly certain: number;
  readonly to: number;
}

/** The times in which rows did not arrive at this office, each as long as a row that took too long waited. */
function stopsOf({ samples }: Side, sent: readonly number[]): Stop[] {
  return sent.flatMap((certain, index) => {
    const to = samples.find(({ arrived }) => arrived > index + ROWS_BEFORE)?.at ?? Infinity;
    return to - certain > FLOWS_MS ? [{ from: (sent[index - 1] ?? certain) - SAMPLE_MS, certain, to }] : [];
  });
}

/**
 * Holds one screen against what was so. It may say that all is well until {@link DETECTED_MS} after rows of either
 * direction stopped, and that the partner is not reached until {@link NOTICED_MS} after they flow again. Nobody has to do
 * anything here, and no program has ended: a screen that says so is wrong at any time.
 */
function judge({ name, samples }: Side, coming: readonly Stop[], going: readonly Stop[]): Untruth[] {
  const found = new Map<string, number>();
  for (const [index, { at, state, line, reason, route }] of samples.entries()) {
    const stepMs = at - (samples[index - 1]?.at ?? at);
    const note = (shown: string): void => void found.set(shown, (found.get(shown) ?? 0) + stepMs);
    const isStopped = [...coming, ...going].some(({ from, to }) => from <= at && at <= to + NOTICED_MS);
    const isLong = (stops: readonly Stop[], arrivingMs: number): boolean =>
      stops.some(({ certain, to }) => certain + DETECTED_MS < at && at <= to - arrivingMs);
    if (state === 'needs-you' || state === 'error' || reason.includes('its program'))
      note(`${state} (${reason})`);
    else if (line === 'silent' && !isStopped) note(`${state} (${reason}) while rows flow`);
    if (isLong([...coming, ...going], SAMPLED_MS) && state === 'up-to-date') note(`${state} while rows wait`);
    // The route is that of our calls, which fetch what comes.
    if (isLong(coming, COMING_MS) && route !== undefined && route !== 'none')
      note(`route ${route} while rows wait`);
  }
  return [...found].map(([shown, ms]) => ({ office: name, shown, seconds: ms / 1_000 }));
}

/** What a screen showed, line by line. */
function tell({ name, samples }: Side): string[] {
  const [first] = samples;
  let before = '';
  return samples.flatMap((sample) => {
    const { at, state, line, reason, route = 'none' } = sample;
    const text = `${state}/${line} [${route}] ${reason}`;
    if (text === before) return [];
    before = text;
    const seconds = ((at - (first?.at ?? at)) / 1_000).toFixed(1);
    return [`${name} ${seconds} s: ${text}`];
  });
}
