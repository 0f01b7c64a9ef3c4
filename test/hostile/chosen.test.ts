import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { parseQuery } from '../../server/lists/query/query.ts';
import { parseSort } from '../../server/lists/query/sort.ts';
import { systemClock } from '../../server/base/clock.ts';
import { byName, rightAnswer, rightDigests } from '../support/worlds/disclosure/answers.ts';
import { anyEdit, applied, fieldInput, newField, type EditDeps } from '../support/worlds/disclosure/edits.ts';
import { createMarks } from '../support/worlds/disclosure/marks.ts';
import {
  allowedTo,
  chosenFields,
  withKnown,
  type Allowed,
  type Model,
  type ModelShare,
} from '../support/worlds/disclosure/model.ts';
import { someQuery, someQuestion, someSort, type Question } from '../support/worlds/disclosure/questions.ts';
import {
  pairOffices,
  startHttpOffice,
  type HttpAnswer,
  type HttpOffice,
} from '../support/harness/served-parts.ts';
import { runsOf, seedOf } from '../support/data/luck.ts';
import { quickCaller } from '../support/partners/quick-call.ts';
import { seeded } from '../support/data/seeded.ts';

/** Rounds of one change each; more by FOOTBRIDGE_RUNS, the same again by FOOTBRIDGE_SEED as a failure names it. */
const RUNS = runsOf(2000, 60);
const SEED = seedOf(31_415);
const READERS = 2;
/** Statuses that a right or a senseless question gets; none of them is the program's own fault. */
const PROPER = [200, 400, 403, 404, 409, 410];

let now = Date.UTC(2026, 10, 20, 12);
const random = seeded(SEED);
/** Readers draw from a line of their own: how often they ask is a matter of time, what changes is one of the seed alone. */
const curious = seeded(SEED + 1);
const marks = createMarks(random);
const freed: string[] = [];
const caller = quickCaller();
let office: HttpOffice;
const partners: { readonly office: HttpOffice; readonly nodeID: string; readonly token: string }[] = [];

beforeAll(async () => {
  const clock = { ...systemClock, now: () => now };
  office = await startHttpOffice('Oslo', { clock, inMemory: true });
  for (const name of ['Bergen', 'Malmö']) {
    const other = await startHttpOffice(name, { clock, inMemory: true });
    const { idA, idB } = await pairOffices(office, other);
    partners.push({ office: other, nodeID: idA, token: await other.federation.tokens.tokenFor(idB) });
  }
  // Between any two writes others get their turn, so that whatever is half done is seen half done.
  await letOthersIn('system');
});
afterAll(async () => {
  caller.close();
  for (const each of [office, ...partners.map((partner) => partner.office)]) await each.close();
});

async function letOthersIn(name: string): Promise<void> {
  const partition = await office.store.partition(name);
  const transaction = partition.transaction.bind(partition);
  partition.transaction = async (body) => {
    const result = await transaction(body);
    for (let turns = 0; turns < 6; turns++) await turn();
    return result;
  };
}

async function startModel(): Promise<Model> {
  const { namespaceID } = await office.lists.defaultNamespace();
  const made: Model['lists'][number][] = [];
  for (const name of ['Customers', 'Orders']) {
    const fields = [newField(marks), newField(marks), newField(marks)];
    const module = await office.lists.createModule(namespaceID, { name, fields: fields.map(fieldInput) });
    const ids = module.fields.map(({ fieldID }) => fieldID);
    const known = fields.map((field, at) => ({ ...field, fieldID: ids[at] ?? '' }));
    made.push({ moduleID: module.moduleID, fields: known, rows: [] });
    await office.lists.rows(module.moduleID);
    await letOthersIn(`list-${module.moduleID}`);
  }
  return { lists: made, shares: [] };
}

/** What was allowed at each moment, the latest last: a change that is on its way may be seen or not. */
const moments: ReadonlyMap<string, Allowed>[] = [];
const momentOf = (model: Model): ReadonlyMap<string, Allowed> =>
  new Map(partners.map(({ nodeID }) => [nodeID, allowedTo(model, nodeID)]));

/** All that an answer says beside its body; none of them is made of rows but for the body's length. */
const HEADERS = [
  ...[
    'cache-control',
    'connection',
    'content-encoding',
    'content-length',
    'content-type',
    'date',
    'keep-alive',
  ],
  ...['transfer-encoding', 'vary', 'x-powered-by'],
];

const ECHO = /"(?:query|sort)":"(?:[^"\\]|\\.)*"/g;

/** Asks, and looks at every byte that comes back, headers included. */
async function asksAndLooks(
  question: Question,
  { nodeID, token }: (typeof partners)[number],
): Promise<HttpAnswer> {
  const first = Math.max(moments.length - 2, 0);
  const began = isChanging ? first : moments.length - 1;
  const { method, path, body } = question;
  const answer = await caller.call(method, office.origin + path, token, body);
  const sent = `${decodeURIComponent(question.path.replaceAll('+', ' '))} ${JSON.stringify(question.body ?? '')}`;
  // What a refusal says back is what it was asked; an answer says back its question in the filter alone.
  const said = answer.status === 200 ? answer.text.replaceAll(ECHO, '') : answer.text;
  const own = answer.status === 200 ? new Set<string>() : marks.in(sent);
  const told = marks.in([...answer.headers].flat().join('\n') + said);
  const seen = moments.slice(began).map((moment) => moment.get(nodeID));
  const leaked = [...told].filter(
    (mark) =>
      !own.has(mark) &&
      !seen.some((allowed) => allowed?.texts.has(mark) === true || allowed?.ids.has(mark) === true),
  );
  const context = `${question.method} ${question.path} by ${nodeID}: ${answer.status}\n${answer.text.slice(0, 2000)}`;
  expect(leaked, context).toEqual([]);
  for (const name of answer.headers.keys()) expect(HEADERS, `${name}: ${context}`).toContain(name);
  // Where others send rows into the list as well: which, it does not say.
  expect(['no-transform', undefined], context).toContain(answer.headers.get('cache-control') ?? undefined);
  expect(PROPER, context).toContain(answer.status);
  return answer;
}

let isChanging = false;
const recordPage = z.object({
  response: z.object({
    filter: z.object({ count: z.number(), nextPage: z.string().optional() }),
    set: z.array(
      z.object({
        recordID: z.string(),
        values: z.array(z.object({ name: z.string(), value: z.string().optional() })),
      }),
    ),
  }),
});

/** When nothing is on its way, answers are right to the row, in content, order and number. */
async function checkAnswers(
  model: Model,
  share: ModelShare,
  partner: (typeof partners)[number],
): Promise<void> {
  const fields = chosenFields(model, share);
  const base = `/federation/exposed/records/${share.exposureID}?after=0&perPage=1000`;
  const wanted = {
    query: someQuery(model, share.moduleID, random),
    sort: someSort(model, share.moduleID, random),
  };
  for (const { query, sort } of [{ query: '', sort: 'id' }, wanted]) {
    const path = `${base}&${new URLSearchParams({ query, sort }).toString()}`;
    const answer = await asksAndLooks({ method: 'GET', path }, partner);
    if (!isFit(() => [parseQuery(query, fields), parseSort(sort, fields)])) {
      expect(answer.status, path).toBe(400);
      continue;
    }
    // Times of changes are nothing that was chosen, and the model does not know them.
    if (sort.startsWith('updatedAt')) continue;
    const right = rightAnswer(model, share, query, sort);
    expect(answer.status, answer.text).toBe(200);
    const { set, filter } = recordPage.parse(answer.body).response;
    const told = set.map(({ recordID, values }) => ({ recordID, values: byName(values) }));
    expect(told, path).toEqual(right.map(({ recordID, values }) => ({ recordID, values })));
    expect(filter.count, path).toBe(right.length);
  }
  await checkCounts(model, share, partner);
  await checkChanges(model, share, partner);
  const names = fields.map(({ name }) => name);
  const body = { fields: names, blocks: 1, block: 0 };
  const digests = await asksAndLooks(
    { method: 'POST', path: `/federation/footbridge/modules/${share.exposureID}/digest`, body },
    partner,
  );
  const found = z
    .object({ response: z.object({ set: z.array(z.object({ recordID: z.string(), digest: z.string() })) }) })
    .parse(digests.body);
  expect(new Map(found.response.set.map(({ recordID, digest }) => [recordID, digest]))).toEqual(
    rightDigests(model, share, names),
  );
}

/** What a page says of how many rows there are: those that may be known, or with a question those on the page. */
async function checkCounts(
  model: Model,
  share: ModelShare,
  partner: (typeof partners)[number],
): Promise<void> {
  const right = rightAnswer(model, share, '', 'id').length;
  for (const query of ['', someQuery(model, share.moduleID, random)]) {
    const asked = new URLSearchParams({ after: '0', limit: '1', query }).toString();
    const path = `/federation/exposed/records/${share.exposureID}?${asked}`;
    const answer = await asksAndLooks({ method: 'GET', path }, partner);
    if (answer.status === 400) continue;
    const { filter, set } = recordPage.parse(answer.body).response;
    expect(filter.count, path).toBe(query === '' ? right : set.length);
  }
}

const changesPage = z.object({
  response: z.strictObject({
    epoch: z.string().regex(/^[0-9a-f]{32}$/),
    state: z.string(),
    next: z.int(),
    more: z.boolean(),
    total: z.int(),
    marks: z.array(z.int()).optional(),
    // Rows that are told already are about to be called otherwise.
    unsettled: z.literal(true).optional(),
    set: z.array(z.looseObject({ recordID: z.string() })),
  }),
});

/** By what was chosen, and who reads it: the name of what the change feed follows, which nothing else may change. */
const epochs = new Map<string, string>();

/** Read to its end, the change feed tells of the rows that may be known, and where it stands of nothing else. */
async function checkChanges(
  model: Model,
  share: ModelShare,
  partner: (typeof partners)[number],
): Promise<void> {
  const base = `/federation/footbridge/modules/${share.exposureID}/changes?limit=3&marks=2`;
  const told = new Set<string>();
  const places = new Set([0]);
  const right = rightAnswer(model, share, '', 'id').map(({ recordID }) => recordID);
  let [after, as] = [0, ''];
  for (let more = true; more;) {
    const path = `${base}&after=${after}${as}`;
    const answer = await asksAndLooks({ method: 'GET', path }, partner);
    expect(answer.status, answer.text).toBe(200);
    const page = changesPage.parse(answer.body).response;
    const chosen = chosenFields(model, share).map(({ fieldID, name, kind, isMulti }) => [
      fieldID,
      name,
      kind,
      isMulti,
    ]);
    const key = JSON.stringify([share.exposureID, chosen, share.pins]);
    expect(page.epoch, key).toBe(epochs.get(key) ?? page.epoch);
    epochs.set(key, page.epoch);
    for (const { recordID } of page.set) told.add(recordID);
    // Places tell nothing of each other; but each page is full, and none leads back to where one was before.
    expect(new Set([...places, page.next, ...(page.marks ?? [])]).size).toBe(
      places.size + (page.next === after ? 0 : 1) + (page.marks?.length ?? 0),
    );
    places.add(page.next);
    if (page.more) expect(page.set, path).toHaveLength(3);
    expect(page.total + told.size - page.set.length, path).toBe(right.length);
    ({ next: after, more } = page);
    as = `&${new URLSearchParams({ epoch: page.epoch, state: page.state }).toString()}`;
  }
  expect([...told].sort(), base).toEqual(right.sort());
}

function isFit(parse: () => unknown): boolean {
  try {
    parse();
    return true;
  } catch {
    return false;
  }
}

async function round(before: Model): Promise<Model> {
  const nodeIDs = partners.map(({ nodeID }) => nodeID);
  const edits: EditDeps = { office, random, marks, nodeIDs, freed, now: () => now };
  now += 5;
  const edit = anyEdit(before, edits);
  if (!edit) return before;
  moments.push(momentOf(withKnown(edit.after)));
  isChanging = true;
  const changing = applied(edit, before)
    .then(withKnown)
    .then((after) => {
      moments.push(momentOf(after));
      // An id is looked for from the moment on at which it is known whose it is.
      for (const { rows } of after.lists) for (const { recordID } of rows) marks.know(recordID);
      return after;
    })
    .finally(() => (isChanging = false));
  const known = before.shares.filter(({ exposureID }) => exposureID !== '');
  const readers = partners.flatMap((partner) => {
    const own = known.filter(({ nodeID }) => nodeID === partner.nodeID);
    if (own.length === 0) return [];
    return Array.from({ length: READERS }, async () => {
      do await asksAndLooks(someQuestion(before, curious.pick(own), curious), partner);
      while (isChanging);
    });
  });
  // All of them end before any failure is told, so that nobody reads from an office that has gone.
  await Promise.allSettled([changing, ...readers]);
  const [after] = await Promise.all([changing, ...readers]);
  moments.splice(0, moments.length - 4);
  office.served.length = 0;
  const shared = after.shares.filter(({ deletedAt }) => deletedAt === undefined);
  const share = shared.length === 0 ? undefined : random.pick(shared);
  const partner = partners.find(({ nodeID }) => nodeID === share?.nodeID);
  if (share && partner)
    await checkAnswers(after, share, partner).catch((error: unknown) => {
      throw new Error(`After “${edit.what}”: ${String(error)}`, { cause: error });
    });
  return after;
}

/** Starts over now and then, so that lists do not grow old and full of what is gone. */
const ROUNDS_OF_A_MODEL = 60;

describe('no byte of a value leaves that was not chosen at that moment', () => {
  it(
    `whatever changes while partners read (${RUNS} rounds, seed ${SEED})`,
    { timeout: 60_000 + RUNS * 2_000 },
    async () => {
      for (let done = 0; done < RUNS;) {
        let model = await startModel();
        moments.splice(0, moments.length, momentOf(model));
        for (let at = 0; at < ROUNDS_OF_A_MODEL && done < RUNS; at++, done++) {
          model = await round(model).catch((error: unknown) => {
            throw new Error(`Round ${done + 1} of seed ${SEED}: ${String(error)}`, { cause: error });
          });
        }
        for (const { moduleID } of model.lists) await office.lists.removeModule(moduleID);
        await office.settled();
      }
    },
  );
});
