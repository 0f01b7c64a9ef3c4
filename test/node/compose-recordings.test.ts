import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { composeApp, type ComposeApp } from '../support/harness/compose-app.ts';
import { readRecording, type Exchange } from '../support/partners/recording.ts';

const folder = new URL('../../../shared/protocol/recordings/', import.meta.url);
const read = async (name: string): Promise<Exchange[]> =>
  readRecording(await readFile(new URL(name, folder), 'utf8'));

const identified = z.looseObject({ response: z.record(z.string(), z.unknown()) });
const values = z.array(z.object({ name: z.string(), value: z.string().optional() }));

/** Members that Corteza has and we leave out: rights and settings of things that we do not have. */
const LEFT_OUT = {
  namespace: ['canGrant', 'canManageNamespace', 'canCreateChart', 'canCreatePage'],
  module: ['canGrant'],
  record: ['canGrant'],
};

/** The user who made the recording, as whom the test calls. */
const CALLER = ['523396881913479269', '77'] as const;

/** Makes what the recording made, and gives our ids for the recorded ones. */
async function makeLists({ call }: ComposeApp): Promise<Map<string, string>> {
  const ids = new Map<string, string>([CALLER]);
  for (const { title, request, response } of await read('01-compose-namespace-module-2022.3.http')) {
    if (request.method !== 'POST') continue;
    const kind = title.includes('namespace') ? 'namespace' : 'module';
    const answer = await call('POST', ourPath(request.path, ids), withOurIDs(request.body, ids));
    expect(answer.status, title).toBe(200);
    const ours = identified.parse(answer.body).response;
    const theirs = identified.parse(response.body).response;
    const missing = Object.keys(theirs).filter((name) => !(name in ours));
    expect(missing, title).toEqual(LEFT_OUT[kind]);
    ids.set(String(theirs[`${kind}ID`]), String(ours[`${kind}ID`]));
  }
  return ids;
}

function ourPath(path: string, ids: ReadonlyMap<string, string>): string {
  return path.replace(/^(\/api)?\/compose/, '').replace(/\d{15,}/g, (id) => ids.get(id) ?? id);
}

function withOurIDs(body: unknown, ids: ReadonlyMap<string, string>): unknown {
  return JSON.parse(JSON.stringify(body).replace(/\d{15,}/g, (id) => ids.get(id) ?? id)) as unknown;
}

describe('recordings of a live server', () => {
  if (!existsSync(folder)) {
    console.warn('The recordings are not beside this project: they were not replayed.');
    it.skip('are not there');
    return;
  }

  it('namespaces, modules and records are answered member by member as they were', async () => {
    const app = await composeApp();
    const ids = await makeLists(app);
    const exchanges = (await read('02-compose-records-2022.3.http')).filter(
      ({ request }) => request.method === 'POST' && request.path.endsWith('/record/'),
    );
    expect(exchanges.length).toBeGreaterThan(50);
    for (const { title, request, response } of exchanges) {
      const answer = await app.call('POST', ourPath(request.path, ids), withOurIDs(request.body, ids));
      const theirs = identified.safeParse(response.body);
      if (!theirs.success) {
        // A second, empty entry of a single-value column: theirs is an error, for us it is no value.
        expect(JSON.stringify(response.body), title).toContain('more than one value');
        continue;
      }
      // No files are kept here.
      const hasFile = JSON.stringify(request.body).includes('"doc"');
      expect(answer.status, title).toBe(hasFile ? 422 : 200);
      if (hasFile) continue;
      const ours = identified.parse(answer.body).response;
      expect(Object.keys(theirs.data.response).filter((name) => !(name in ours))).toEqual(LEFT_OUT.record);
      const recorded = values.parse(withOurIDs(theirs.data.response.values, ids));
      expect(sorted(values.parse(ours.values)), title).toEqual(sorted(recorded));
      ids.set(String(theirs.data.response.recordID), String(ours.recordID));
    }

    const [list] = (await read('02-compose-records-2022.3.http')).slice(-1);
    const { response } = identified.parse(
      (await app.call('GET', ourPath(list?.request.path ?? '', ids))).body,
    );
    const recorded = identified.parse(list?.response.body).response;
    const filter = z.record(z.string(), z.unknown());
    expect(Object.keys(filter.parse(response.filter)).sort()).toEqual(
      Object.keys(filter.parse(recorded.filter)).sort(),
    );
    expect(filter.parse(response.filter)).toMatchObject({ query: '', deleted: 0, limit: 3, incTotal: true });
  });
});

type Values = z.infer<typeof values>;

/** By column: columns come in their own order there, several values of one keep theirs. */
function sorted(list: Values): Values {
  return [...list].sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0));
}
