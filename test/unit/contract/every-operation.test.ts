import { afterAll, beforeAll, expect, it } from 'vitest';
import { errorBody } from '../../../server/contract/common.ts';
import { openApiDocument } from '../../../server/contract/openapi/document.ts';
import type { Operation } from '../../../server/contract/openapi/operation.ts';
import { OPERATIONS } from '../../../server/contract/openapi/operations.ts';
import type { HttpCall, HttpOffice } from '../../support/harness/served-parts.ts';
import { readOpenApi } from '../../support/reading/openapi.ts';
import { startWorld, type World } from './world.ts';
import {
  parametersOf,
  rightQueries,
  wrongBodies,
  wrongIDs,
  wrongQueries,
  type Wrong,
} from './wrong-requests.ts';

/**
 * Every operation of the interface with everything that its description rules out: each is answered with the
 * status that it states, and changes nothing in the whole store.
 */
const openApi = readOpenApi(JSON.parse(JSON.stringify(openApiDocument(OPERATIONS, '0.0.0'))));

let world: World;
let right: Readonly<Record<string, string>>;
/** Where `moduleID` is not the exposure. */
let modules: Readonly<Record<string, string>>;
beforeAll(async () => {
  world = await startWorld();
  const { module, moduleID } = await world.exposed();
  const mapped = (await world.mapped()).moduleID;
  const { rows } = await (await world.a.lists.rows(module.moduleID)).list({ limit: 1 });
  right = {
    nodeID: world.idB,
    moduleID,
    namespaceID: module.namespaceID,
    recordID: rows[0]?.recordID ?? '',
    fieldID: module.fields[0]?.fieldID ?? '',
  };
  const ofOffers = ['readShared', 'setMapping', 'readMapping', 'removeMapping'];
  const ofLists = OPERATIONS.filter(({ path }) => path.startsWith('/compose')).map(({ id }) => id);
  modules = Object.fromEntries([
    ...ofOffers.map((id): [string, string] => [id, mapped]),
    ...[...ofLists, 'exposeModule2'].map((id): [string, string] => [id, module.moduleID]),
  ]);
  // The first use of a token is written down.
  for (const token of [world.tokenB, world.tokenC])
    await world.a.call('GET', '/federation/exposed/modules', { token });
});
afterAll(() => world.close());

/** The number of the last change in each part of the store: nothing at all can be written without moving one. */
async function everyLastChange({ store }: HttpOffice): Promise<Record<string, number>> {
  const found: Record<string, number> = {};
  for (const name of await store.partitions()) found[name] = await (await store.partition(name)).lastSeq();
  return found;
}

function addressOf({ id, path }: Operation, wrong: Wrong): string {
  const known = { ...right, moduleID: modules[id] ?? right.moduleID, ...wrong.inPath };
  const filled = parametersOf(path).reduce(
    (text, name) => text.replace(`{${name}}`, known[name as keyof typeof known] ?? ''),
    path,
  );
  // Lists of live servers end with a slash; only with it are their parameters read as theirs.
  return wrong.query === undefined ? filled : `${filled}?${wrong.query}`;
}

function tokenFor({ who }: Operation): string | undefined {
  if (who === 'anyone') return undefined;
  return who.startsWith('partner') ? world.tokenB : world.a.userToken('admin');
}

async function expectAllRefused(operation: Operation, wrongs: readonly Wrong[]): Promise<void> {
  const described = openApi.operations.find(({ operationId }) => operationId === operation.id);
  const before = await everyLastChange(world.a);
  for (const wrong of wrongs) {
    const { method } = operation;
    const answer = await world.a.call(method.toUpperCase(), addressOf(operation, wrong), {
      token: tokenFor(operation),
      ...wrong.call,
    });
    expect([wrong.what, answer.status, answer.status === wrong.status ? '' : answer.text]).toEqual([
      wrong.what,
      wrong.status,
      '',
    ]);
    const { error } = errorBody.strict().parse(answer.body);
    expect(error.message).not.toMatch(/undefined|\[object|at \w+ \(/);
    expect([wrong.what, wrong.status in (described?.responses ?? {})]).toEqual([wrong.what, true]);
  }
  expect(await everyLastChange(world.a)).toEqual(before);
}

/** The first example of a body, as it is sent. */
function rightBody({ body, bodyType }: Operation): HttpCall {
  if (!body) return {};
  const { example } = body[0] ?? {};
  return bodyType === undefined
    ? { body: example }
    : { body: example, headers: { 'content-type': bodyType } };
}

/** Statuses of an id that nobody has, where it is not 404. */
const UNKNOWN: Readonly<Record<string, number>> = {
  // The list to be shared is named in the path, and not there: understood, but impossible.
  'exposeModule2 moduleID': 422,
  // Strangers are not told which partners there are.
  'handshake nodeID': 401,
};

const those = (wanted: (operation: Operation) => boolean): { id: string; operation: Operation }[] =>
  OPERATIONS.filter(wanted).map((operation) => ({ id: operation.id, operation }));

it.each(those(({ path }) => path.includes('{')))(
  '$id refuses ids that are none, and ids that nobody has',
  async ({ operation }) => {
    const { id, path, who } = operation;
    const unknown = parametersOf(path).map((name): Wrong => ({
      what: `${name} 77`,
      inPath: { [name]: '77' },
      // A partner’s token opens its own address only.
      status: name === 'nodeID' && who.startsWith('partner') ? 403 : (UNKNOWN[`${id} ${name}`] ?? 404),
    }));
    await expectAllRefused(operation, withRightBody(operation, [...wrongIDs(operation), ...unknown]));
  },
);

it.each(those(({ query = [] }) => query.length > 0))(
  '$id refuses parameters that it does not describe so',
  async ({ operation }) => {
    await expectAllRefused(operation, withRightBody(operation, wrongQueries(operation)));
  },
);

it.each(those(({ method, query = [] }) => method === 'get' && query.length > 0))(
  '$id takes each value that it describes for a parameter',
  async ({ operation }) => {
    const refused: [query: string, text: string][] = [];
    for (const query of rightQueries(operation)) {
      const wrong = { what: query, query, status: 400 };
      const token = tokenFor(operation);
      const answer = await world.a.call('GET', addressOf(operation, wrong), { token });
      // Other codes are of rules that two parameters have together, or a column that is not there.
      if (answer.text.includes('"request.malformed"')) refused.push([query, answer.text]);
    }
    expect(refused).toEqual([]);
  },
);

it.each(those(({ body }) => body !== undefined))(
  '$id refuses bodies that are broken, mistyped or too large',
  async ({ operation }) => {
    await expectAllRefused(operation, wrongBodies(operation));
  },
);

it.each(those(({ who }) => who !== 'anyone'))(
  '$id refuses nobody, and whoever may not',
  async ({ operation }) => {
    const { who, path } = operation;
    const isOwn = who.startsWith('partner') && !path.includes('{nodeID}');
    const refused: [what: string, token: string | undefined, status: number][] = [
      ['nobody', undefined, 401],
      ['a made-up token', 'abc', 401],
      ...(isOwn ? [] : [['another partner', world.tokenC, 403] as [string, string, number]]),
      ...lesser(who).map((role): [string, string, number] => [role, world.a.userToken(role), 403]),
    ];
    const wrongs = refused.map(([what, token, status]) => ({ what, status, call: { token } }));
    await expectAllRefused(operation, withRightBody(operation, wrongs));
  },
);

const withRightBody = (operation: Operation, wrongs: readonly Wrong[]): Wrong[] =>
  wrongs.map((wrong) => ({ ...wrong, call: { ...rightBody(operation), ...wrong.call } }));

function lesser(who: Operation['who']): ('viewer' | 'editor')[] {
  if (who === 'admin') return ['viewer', 'editor'];
  return who === 'editor' ? ['viewer'] : [];
}
