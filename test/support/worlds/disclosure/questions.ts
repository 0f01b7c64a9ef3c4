import { blocksFor } from '../../../../server/federation/sharing/digest.ts';
import type { HttpCall } from '../../harness/served-parts.ts';
import type { Seeded } from '../../data/seeded.ts';
import type { Model, ModelShare } from './model.ts';

/** Something that a partner asks the office for. */
export interface Question {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: HttpCall['body'];
}

/** Comparisons that try columns of any name, shared or not, with values that stand anywhere. */
export function someQuery(model: Model, moduleID: string, random: Seeded): string {
  const list = model.lists.find((each) => each.moduleID === moduleID);
  const names = list?.fields.map(({ name }) => name) ?? [];
  const values = model.lists.flatMap(({ rows }) => rows.flatMap((row) => Object.values(row.values).flat()));
  if (names.length === 0 || values.length === 0) return '';
  const [name, value] = [random.pick(names), random.pick(values)];
  return random.pick([
    `${name} = '${value}'`,
    `${name} != '${value}'`,
    `${name} LIKE '${value.slice(0, 1 + random.below(4))}%'`,
    `${name} IS NULL`,
    `NOT (${name} > '${value}')`,
    value.slice(0, 5),
    `${name} < '${value}' OR ${random.pick(names)} LIKE '%${value.slice(-4)}'`,
  ]);
}

export function someSort(model: Model, moduleID: string, random: Seeded): string {
  const names = model.lists.find((each) => each.moduleID === moduleID)?.fields.map(({ name }) => name) ?? [];
  const column = random.pick(['id', 'createdAt', 'updatedAt', ...names, ...names]);
  return `${column}${random.pick(['', ' ASC', ' DESC'])}`;
}

/** A question in some dialect about one shared list, often one that makes no sense. */
export function someQuestion(model: Model, share: ModelShare, random: Seeded): Question {
  const { nodeID, exposureID: m, moduleID } = share;
  const asked = new URLSearchParams();
  if (random.happens(0.4)) asked.set('query', someQuery(model, moduleID, random));
  if (random.happens(0.4)) asked.set('sort', someSort(model, moduleID, random));
  const paged = new URLSearchParams(asked);
  const isByPage = random.happens(0.5);
  if (isByPage) paged.set('page', String(random.pick([1, 1, 2, 999])));
  paged.set(isByPage ? 'perPage' : 'limit', String(random.pick([1, 2, 3, 1000])));
  const since = random.pick(['', 'after=0', 'after=2020-01-01T00:00:00Z', 'after=1700000000']);
  const live = new URLSearchParams(asked);
  if (random.happens(0.5)) live.set('limit', String(random.pick([1, 2, 500])));
  const footbridge = `/federation/footbridge/modules/${m}`;
  const fields = model.lists.flatMap((list) => (list.moduleID === moduleID ? list.fields : []));
  const recordIDs = model.lists.flatMap(({ rows }) => rows.flatMap(({ recordID }) => recordID || []));
  const blocks = blocksFor(recordIDs.length);
  const digest = { fields: fields.filter(() => random.happens(0.4)).map(({ name }) => name), blocks };
  const get = (path: string): Question => ({ method: 'GET', path });
  return random.pick<Question>([
    get(
      `/federation/nodes/${nodeID}/modules/${m}/records?${since.replace('after', 'lastSync')}&${paged.toString()}`,
    ),
    get(`/federation/exposed/records/${m}?${since}&${paged.toString()}`),
    get(`/exposed/modules/${m}/records?${since}&${paged.toString()}`),
    get(`/federation/nodes/${nodeID}/modules/${m}/records/?${live.toString()}`),
    get(`${footbridge}/changes?after=0&limit=${random.pick([1, 3, 100])}&marks=${random.below(3)}`),
    get(`${footbridge}/changes?after=0&limit=100`),
    { method: 'POST', path: `${footbridge}/rows`, body: { recordIDs: [...recordIDs, '123456789012345678'] } },
    { method: 'POST', path: `${footbridge}/digest`, body: digest },
    { method: 'POST', path: `${footbridge}/digest`, body: { ...digest, block: 0 } },
    get(`/federation/exposed/modules/${m}?shape=${random.pick(['1', '2'])}`),
    get(
      random.pick([
        '/federation/exposed/modules',
        '/federation/exposed/records',
        '/federation/exposed/modules?after=0',
      ]),
    ),
    get(`/federation/nodes/${nodeID}/modules/exposed`),
    get(`/federation/nodes/${nodeID}/modules/exposed/records`),
    get(`/federation/nodes/${nodeID}/modules/${m}/exposed`),
    get(`/compose/namespace/`),
  ]);
}
