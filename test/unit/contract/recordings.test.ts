import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { errorBody } from '../../../server/contract/common.ts';
import type { FieldInput } from '../../../server/lists/definitions/inputs.ts';
import type { FieldDescriptor } from '../../../server/lists/definitions/model.ts';
import { startHttpOffice, type HttpAnswer, type HttpOffice } from '../../support/harness/served-parts.ts';
import { createIdMap, differences, recordings, type Exchange } from '../../support/partners/recordings.ts';

const exchanges = recordings('server-2022.3');
const exchangeOf = (step: string): Exchange => {
  const found = exchanges.find((each) => each.step === step);
  if (!found) throw new Error(`no recording of ${step}`);
  return found;
};

let office: HttpOffice;
let ourToken = '';
let list: { moduleID: string; namespaceID: string };
const ids = createIdMap();

const column = z.object({ kind: z.string(), name: z.string(), label: z.string(), isMulti: z.boolean() });
const record = z.object({ values: z.array(z.object({ name: z.string(), value: z.string().default('') })) });

beforeAll(async () => {
  office = await startHttpOffice('Server A', {
    calls: {
      handshake: ({ baseURL }) => Promise.resolve({ footbridge: false, baseURL }),
      complete: ({ baseURL }, { token }) => {
        ourToken = token;
        return Promise.resolve(baseURL);
      },
      goodbye: () => Promise.resolve(),
    },
  });
  const exposed = z.object({ fields: z.array(column) }).parse(exchangeOf('expose').request.body);
  const recorded = z
    .object({ response: z.object({ set: z.array(record) }) })
    .parse(exchangeOf('records').response.body).response.set;
  list = await office.list(
    'Contacts',
    exposed.fields as FieldInput[],
    recorded.map(({ values }) => {
      const columns: Record<string, string[]> = {};
      for (const { name, value } of values) (columns[name] ??= []).push(value);
      return columns;
    }),
  );
  const { moduleID, namespaceID } = list;
  for (const id of ['523396897214365797', '523396897349042278', '523396524123226213'])
    ids.learn(id, moduleID);
  for (const id of ['523396897180745829', '523396897314963558', '523396524105859173'])
    ids.learn(id, namespaceID);
});
afterAll(() => office.close());

/** Asks us what the recording asked a live server. */
async function replay({ request }: Exchange, token: string | undefined): Promise<HttpAnswer> {
  return office.call(request.method, ids.translate(request.path), {
    token,
    body: request.body === undefined ? undefined : ids.translate(request.body),
    headers: request.accept === 'none' ? { accept: '*/*' } : {},
  });
}

const admin = (): string => office.userToken('admin');

const REAL_USER = 'createdBy: "0" → "1"';
const NODE_ID_A = '523396898791424101';
const NODE_ID_B = '523396899009462374';
let uri = '';

interface Step {
  readonly step: string;
  readonly before?: () => Promise<void> | void;
  readonly token: () => string | undefined;
  readonly status?: number;
  /** What we answer otherwise, on purpose; each line has its reason above it. */
  readonly intended?: readonly string[];
  readonly after?: (answer: HttpAnswer) => void;
}

/** Live servers say no with status 200; we never do (docs/live-servers.md: What a wrong answer does to them). */
const refused = (step: string, status: number, token: Step['token'], more: Partial<Step> = {}): Step => ({
  step,
  status,
  token,
  ...more,
});
const nobody = (): undefined => undefined;
const peer = (): string => ourToken;

const steps: readonly Step[] = [
  // Who made a record is known here.
  { step: 'create node', token: admin, intended: [`response.${REAL_USER}`] },
  { step: 'read node', token: admin, intended: [`response.${REAL_USER}`] },
  {
    step: 'generate uri',
    token: admin,
    // The same form, with our own address and the mark of a Footbridge, which others pass over.
    intended: ['response: an address → an address'],
    after({ body }) {
      uri = z.object({ response: z.string() }).parse(body).response;
      expect(uri).toMatch(
        /^http:\/\/\d{18,19}:[A-Za-z0-9]{32}@127\.0\.0\.1:\d+\/federation\?sum=\d+-[\da-f]{8}&name=Server\+A&fb=1&sig=[\w-]{43}&r=$/,
      );
      for (const id of ['523397686179659877', '523396525347307621']) ids.learn(id, new URL(uri).username);
    },
  },
  {
    step: 'create node from uri',
    token: admin,
    intended: [
      `response.${REAL_USER}`,
      // The record is written by its maker alone; the invite is taken in with a second write.
      'response.updatedBy: an id → absent',
      'response.updatedAt: absent → a time',
      // The answer has the same fields whichever way the node is made.
      'response.canManageNode: absent → true',
      'response.canCreateModule: absent → true',
    ],
  },
  { step: 'pair', token: admin },
  refused('handshake, empty', 400, nobody),
  refused('handshake, wrong secret', 401, nobody),
  refused('handshake, unknown id', 401, nobody),
  refused('handshake, id as number', 400, nobody),
  refused('handshake, broken JSON', 400, nobody),
  // Live servers pass over the path; it must name the partner whose invite comes (docs/pairing.md: Transitions).
  refused('handshake, wrong path', 401, nobody, {
    before: () => ids.learn('BCKUmnnFjI6Brg1DWE7glioBCG61mI1T', new URL(uri).password),
  }),
  {
    step: 'confirm',
    async before() {
      const exchange = exchangeOf('handshake, wrong path');
      const { request, response } = exchange;
      const path = request.path.replace('999', '523397686179659877');
      const answer = await replay({ ...exchange, request: { ...request, path } }, undefined);
      expect([answer.status, answer.body]).toEqual([200, response.body]);
    },
    token: admin,
  },
  {
    step: 'read paired node',
    token: admin,
    // Pairing is the partner's doing as much as ours: it does not count as a change by our user.
    intended: [`response.${REAL_USER}`, 'response.updatedBy: an id → absent'],
  },
  // An object without a live mark is answered in shape 1 (docs/interface.md: Base address and shapes).
  {
    step: 'expose',
    token: admin,
    intended: ['response.createdBy: an id → "1"', 'response.canManageModule: true → absent'],
    after: ({ body }) =>
      ids.learn(
        '523396536269406309',
        z.object({ response: z.object({ moduleID: z.string() }) }).parse(body).response.moduleID,
      ),
  },
  refused('expose twice', 409, admin),
  {
    step: 'read exposed',
    token: admin,
    intended: ['response.createdBy: an id → "1"', 'response.canManageModule: true → absent'],
  },
  { step: 'list exposed', token: admin, intended: ['response[0].createdBy: an id → "1"'] },
  {
    step: 'list without selector',
    token: admin,
    // Without a selector it is the interface's list of shared modules.
    intended: ['error: {message} → absent', 'response: absent → {filter,set}'],
  },
  { step: 'list shared, empty', token: admin },
  { step: 'list mapped, empty', token: admin },
  {
    step: 'structure',
    token: peer,
    intended: ['response.set[0].createdBy: an id → "0"'],
  },
  {
    step: 'structure without slash',
    token: peer,
    // A page of HTML helps nobody.
    intended: [': "<!doctype html>" → {response}'],
  },
  { step: 'records index', token: peer },
  {
    step: 'records',
    token: peer,
    intended: [
      // The generated filter tells ids of users.
      'response.filter.query: a filter → ""',
      // There are just two rows, and with Accept: application/json the limit is kept to.
      'response.filter.nextPage: "recorded-cursor" → absent',
      ...ownRow(0),
      ...ownRow(1),
    ],
  },
  {
    step: 'records, no Accept',
    token: peer,
    intended: [
      'response.filter.query: a filter → ""',
      // A live puller never gets past its first page: there is no second one.
      'response.filter.nextPage: "recorded-cursor" → absent',
      ...ownRow(0),
      ...ownRow(1),
    ],
  },
  {
    step: 'list shared',
    token: admin,
    async before() {
      const { fields } = z.object({ fields: z.array(column) }).parse(exchangeOf('expose').request.body);
      const offer = { handle: 'contacts_a', name: 'Contacts of A', fields: fields as FieldDescriptor[] };
      const external = { externalFederationModuleID: ids.translate('523396899731013733') };
      const nodeID = ids.translate(NODE_ID_B);
      await office.federation.shared.reconcile(nodeID, [{ ...offer, ...external }], { complete: true });
    },
    // Our sync engine is no user.
    intended: ['response[0].createdBy: an id → "0"'],
  },
  {
    step: 'read shared',
    token: admin,
    // The interface's own answer: the same address in shape 1.
    intended: [
      'response.nodeID: an id → absent',
      'response.externalFederationModuleID: an id → absent',
      'response.createdBy: an id → absent',
      'response.canMapModule: true → absent',
      'response.updatedAt: absent → a time',
    ],
  },
  refused('read mapping, missing', 404, admin),
  { step: 'create mapping', token: admin },
  { step: 'list mapped', token: admin },
  { step: 'read mapping', token: admin },
];

/** What every row of ours has otherwise. */
function ownRow(at: number): string[] {
  const row = `response.set[${at}]`;
  return [
    // In the order of the columns, not of their names.
    `${row}.values: other order`,
    // Who made a row here is nobody's business there; the field is kept, as an id.
    `${row}.ownedBy: an id → "0"`,
    `${row}.createdBy: an id → "0"`,
    // Always there: a live puller would copy the row at every delivery without it.
    `${row}.updatedAt: absent → a time`,
    `${row}.updatedBy: absent → "0"`,
  ];
}

describe('as a live server answered, so do we', () => {
  it.each(steps)('$step', async ({ step, before, token, status = 200, intended = [], after }) => {
    await before?.();
    const { response } = exchangeOf(step);
    const answer = await replay(exchangeOf(step), token());
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      status,
      'application/json; charset=utf-8',
    ]);
    after?.(answer);
    if (status !== 200) {
      expect(errorBody.safeParse(answer.body).success).toBe(true);
      if (step !== 'handshake, wrong path') expect(response.body).toMatchObject({ error: {} });
      return;
    }
    expect(differences(response.body, answer.body, ids)).toEqual(intended);
  });

  it('uses the pair’s id at node A on every later call, as live servers do', async () => {
    const node = await office.federation.nodes.get(ids.translate(NODE_ID_A));
    expect([node.sharedNodeID, node.dialect]).toEqual([node.nodeID, 'live']);
  });
});
