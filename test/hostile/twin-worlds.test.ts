import { afterEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import {
  GUESSED,
  naming,
  twinWorld,
  type Naming,
  type TwinWorld,
} from '../support/worlds/disclosure/twin-world.ts';
import { rowsOf } from '../../server/base/incoming-row.ts';
import { readRowGroup } from '../../server/base/row-group.ts';
import type { HttpAnswer } from '../support/harness/served-parts.ts';
import { runsOf, seedOf } from '../support/data/luck.ts';
import { seeded, type Seeded } from '../support/data/seeded.ts';
import { BEHIND_A_PROXY } from '../support/reading/reader.ts';

/**
 * Two offices of which a partner sees the same, and which differ in everything else: in columns that are not shared, in
 * rows that came from the partner, that went before the list was shared, came and went in between or were gone when they
 * came, in rows that do not meet the condition of the share, and in other lists.
 * To whatever the partner asks, both give the same answer, byte by byte.
 */

/** Rounds of one step each; more by FOOTBRIDGE_RUNS, the same again by FOOTBRIDGE_SEED as a failure names it. */
const RUNS = runsOf(1000, 40);
const SEED = seedOf(1_871);
const STEPS_OF_A_WORLD = 40;

let worlds: readonly TwinWorld[] = [];
afterEach(async () => {
  for (const world of worlds) await world.close();
  worlds = [];
});

/** Two offices side by side, with what the partner remembers of each. */
interface Side {
  readonly world: TwinWorld;
  readonly names: Naming;
  place: Place;
  cursor: string;
}
interface Place {
  readonly after: number;
  readonly epoch?: string;
  readonly state?: string;
}

/** Headers but those of the moment; how long the answer is, is looked at with its names replaced. */
function headersOf(answer: HttpAnswer): unknown {
  return [...answer.headers].filter(([name]) => !['date', 'content-length', 'keep-alive'].includes(name));
}

async function ask(
  { world, names }: Side,
  method: string,
  path: string,
  body?: object,
): Promise<{ told: unknown; answer: HttpAnswer }> {
  const accept = path.endsWith('/records/') ? '' : 'application/json';
  const { token, office } = world;
  const headers = { accept, 'accept-encoding': 'gzip', ...BEHIND_A_PROXY };
  const answer = await office.call(method, path, { token, headers, ...(body ? { body } : {}) });
  const parsed = ungrouped(JSON.parse(answer.text.replaceAll(office.origin, 'http://oslo.example')));
  return { told: [answer.status, headersOf(answer), names.plain(parsed)], answer };
}

const groupedPage = z.looseObject({
  response: z.looseObject({ grouped: z.literal(true), set: z.array(z.unknown()).length(1) }),
});

/** The answer with rows in the place of a row group, whose ids differ in the two worlds. */
function ungrouped(answer: unknown): unknown {
  const page = groupedPage.safeParse(answer);
  if (!page.success) return answer;
  const { response } = page.data;
  const { columns } = readRowGroup(response.set[0], () => true, { valuesPerRow: 500, nameLength: 200 });
  const rows = rowsOf(columns);
  return { response: { ...response, set: rows } };
}

const changesPage = z.object({
  response: z.object({
    epoch: z.string(),
    state: z.string(),
    next: z.number(),
    more: z.boolean(),
    marks: z.array(z.number()).default([]),
  }),
});

const changesPath = (moduleID: string, limit: number, place: Place, more = ''): string =>
  `/federation/footbridge/modules/${moduleID}/changes?marks=2&limit=${limit}&after=${place.after}` +
  (place.epoch === undefined ? '' : `&epoch=${place.epoch}`) +
  (place.state === undefined ? '' : `&state=${encodeURIComponent(place.state)}`) +
  more;

/** The change feed from a place to its end, and each page that it names; where it ends last. */
async function readChanges(
  side: Side,
  moduleID: string,
  limit: number,
  from: Place,
  form = '',
): Promise<{ told: unknown[]; place: Place }> {
  const told: unknown[] = [];
  let place = from;
  for (let more = true; more;) {
    const { told: page, answer } = await ask(side, 'GET', changesPath(moduleID, limit, place, form));
    told.push(page);
    if (answer.status !== 200) return { told, place: { after: 0 } };
    const { response } = changesPage.parse(answer.body);
    const { epoch, state, next, marks } = response;
    const [end, further] = marks;
    if (end !== undefined && further !== undefined) {
      const ahead = { epoch, state, after: end };
      told.push(
        (await ask(side, 'GET', changesPath(moduleID, limit, ahead, `${form}&until=${further}`))).told,
      );
    }
    place = { epoch, state, after: next };
    ({ more } = response);
  }
  return { told, place };
}

const news = z.object({ response: z.object({ cursor: z.string() }) });

/** What the long poll says without waiting. */
async function askForNews(side: Side): Promise<unknown> {
  const path = `/federation/footbridge/wait?timeout=0&since=${encodeURIComponent(side.cursor)}`;
  const { told, answer } = await ask(side, 'GET', path);
  side.cursor = news.parse(answer.body).response.cursor;
  return told;
}

/** Everything that the partner asks after one step, in the same words on both sides. */
async function everything(side: Side, moduleID: string, random: Seeded): Promise<unknown[]> {
  const { world } = side;
  const { nodeID } = world;
  const records = `/federation/exposed/records/${moduleID}`;
  const onwards = await readChanges(side, moduleID, 1 + random.below(4), side.place);
  side.place = onwards.place;
  const told = [await askForNews(side), ...onwards.told];
  for (const form of ['', '&groups=1'])
    told.push(
      ...(await readChanges(side, moduleID, random.pick([1, 2, 3, 5, 1000]), { after: 0 }, form)).told,
    );
  const limit = random.pick([1, 2, 3, 1000]);
  const since = random.pick(['', '&after=0', '&after=2026-09-01T07:00:00Z']);
  const sort = random.pick(['id', 'createdAt', 'updatedAt DESC', 'Name', 'Name DESC']);
  const query = encodeURIComponent(random.pick(['', "Name LIKE 'B%'", 'Name IS NULL']));
  for (const asked of [
    `${records}?limit=${limit}&sort=${sort}${since}`,
    `${records}?page=${random.pick([1, 2, 9])}&perPage=${limit}${since}&query=${query}`,
    `/federation/nodes/${nodeID}/modules/${moduleID}/records/`,
    '/federation/exposed/records',
    `/federation/exposed/modules/${moduleID}`,
    `/federation/exposed/modules/${moduleID}?marked=1`,
  ])
    told.push((await ask(side, 'GET', asked)).told);
  const base = `/federation/footbridge/modules/${moduleID}`;
  const some = world.seen().filter(() => random.happens(0.3));
  for (const recordIDs of [[...some, '123456789012345678'], GUESSED, [...some, ...GUESSED]])
    told.push((await ask(side, 'POST', `${base}/rows`, { recordIDs })).told);
  const blocks = random.pick([1, 4]);
  told.push((await ask(side, 'POST', `${base}/digest`, { fields: ['Name'], blocks })).told);
  told.push((await ask(side, 'POST', `${base}/digest`, { fields: ['Name'], blocks, block: 0 })).told);
  return told;
}

describe('what a partner is told', () => {
  it(
    `is the same whatever is true beside it (${RUNS} steps, seed ${SEED})`,
    { timeout: 60_000 + RUNS * 4_000 },
    async () => {
      const random = seeded(SEED);
      for (let done = 0; done < RUNS;) {
        // Every other world, the first one too, shares under a condition.
        const seed = 2 * random.below(2 ** 30) + ((done / STEPS_OF_A_WORLD) % 2 === 0 ? 1 : 0);
        const made = [1, 2].map(() => twinWorld(seed, random.below(2 ** 31)));
        worlds = await Promise.all(made);
        const sides = worlds.map((world): Side => ({
          world,
          names: naming(),
          place: { after: 0 },
          cursor: '',
        }));
        for (let at = 0; at < STEPS_OF_A_WORLD && done < RUNS; at++, done++) {
          const did = [];
          for (const { world } of sides) did.push(await world.step());
          expect(new Set(did).size).toBe(1);
          const chance = random.below(2 ** 31);
          const told: unknown[] = [];
          for (const side of sides) {
            const moduleID = side.world.shared();
            if (moduleID === undefined) side.place = { after: 0 };
            else told.push(await everything(side, moduleID, seeded(chance)));
          }
          const [one, other] = told;
          expect(one, `step ${done + 1} of seed ${SEED}: ${did[0] ?? ''}`).toEqual(other);
        }
        for (const world of worlds) await world.close();
        worlds = [];
      }
    },
  );
});
