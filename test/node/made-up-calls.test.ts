import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { seedOf } from '../support/data/luck.ts';
import { officeOf, serveBuilt, userTokenOf, type Served } from '../support/harness/program.ts';
import { temporaryFolder } from '../support/harness/temporary-folder.ts';

const run = promisify(execFile);
const SCHEMATHESIS = 'schemathesis==4.32.5';

/** What is no fault: the code of a finding, what was answered, and why. */
const NO_FAULTS: readonly (readonly [code: string, answer: RegExp, reason: string])[] = [
  [
    'ST202',
    /^400 .*"code":"(?!request\.malformed|path\.id|query\.id|query\.time)/,
    'a rule of two parameters, or of what the office has, is none of a schema',
  ],
  ['ST202', /^400 .*"request\.malformed".*options\.unit: /, 'currencies are a list of the system'],
  ['ST202', /^400 .*"request\.malformed".* two columns have the same /, 'ids within the body are compared'],
  ['ST202', /^429 .*"auth\.too-many"/, 'other calls had wrong credentials on purpose'],
  ['ST401', /^429 .*"auth\.too-many"/, 'other calls had wrong credentials on purpose'],
  ['ST201', /^431 /, 'so long a head is not read'],
  ['ST302', /^404 .*"list\.not-in-bin"/, 'a new list is not in the bin'],
  ['ST204', /^400 .*"path\.id"/, 'a word in the place of an id is refused first'],
];

const failure = z.object({ code: z.string(), operation: z.string(), title: z.string(), message: z.string() });
const check = z.object({ failure_info: z.object({ failure }).nullish() });
const interaction = z.object({
  request: z.object({ method: z.string(), uri: z.string() }),
  response: z
    .object({ status_code: z.number(), content: z.object({ $base64: z.string() }).nullish() })
    .nullish(),
});
const recorder = z.object({
  checks: z.record(z.string(), z.array(check)).default({}),
  interactions: z.record(z.string(), interaction).default({}),
});
const event = z.object({ ScenarioFinished: z.object({ recorder }).optional() });

/** Findings of a report that are faults. */
function faultsIn(report: string): string[] {
  const scenarios = report
    .trim()
    .split('\n')
    .flatMap((line) => event.parse(JSON.parse(line)).ScenarioFinished ?? []);
  const faults = scenarios.flatMap(({ recorder: { checks, interactions } }) =>
    Object.entries(checks).flatMap(([id, each]) =>
      each.flatMap(({ failure_info: info }) => {
        if (!info) return [];
        const { code, operation, title, message } = info.failure;
        const { request, response } = interactions[id] ?? {};
        const body = Buffer.from(response?.content?.$base64 ?? '', 'base64').toString();
        const answer = `${response?.status_code ?? 'no answer'} ${body.slice(0, 500)}`;
        if (NO_FAULTS.some(([known, pattern]) => known === code && pattern.test(answer))) return [];
        const asked = `${request?.method ?? ''} ${request?.uri.slice(0, 300) ?? ''}`;
        return [`${operation}: ${code} ${title}. ${message}\n${asked}\n${answer}`];
      }),
    ),
  );
  return [...new Set(faults)];
}

/** Two paired offices that share a list each with the other; resolves with the first. */
async function pairedOffice(): Promise<Served> {
  const served = await Promise.all([serveBuilt(), serveBuilt()]);
  onTestFinished(async () => {
    for (const each of served) await each.remove();
  });
  const [a, b] = await Promise.all([officeOf(served[0], 'North'), officeOf(served[1], 'Harbour')]);
  const row = (at: number): string => `${at},Customer ${at},Bergen`;
  const rows = Array.from({ length: 60 }, (_, at) => row(at)).join('\n');
  const lists = [
    await a.importCsv('Customers', `No,Name,Town\n${rows}\n`),
    await b.importCsv('Orders', `No,Name,Town\n${rows}\n`),
  ] as const;
  const invite = await a.invite(b);
  const here = await b.accept(invite.uri);
  await a.approve(invite.nodeID);
  const names = lists[0].fields.map(({ name }) => name);
  await a.expose(invite.nodeID, lists[0], names);
  await b.expose(here, lists[1], names);
  await a.syncNow(invite.nodeID);
  const own = await a.createList('Their orders', lists[1].fields);
  await a.mapOffer(invite.nodeID, 'Orders', own, Object.fromEntries(names.map((name) => [name, name])));
  await a.syncNow(invite.nodeID);
  return served[0];
}

/** Installs schemathesis in the folder; resolves with its program, or with why there is none. */
async function schemathesisIn(folder: string): Promise<{ program?: string; reason?: string }> {
  try {
    await run('python3', ['-m', 'venv', folder]);
    await run(join(folder, 'bin/pip'), ['install', '--quiet', SCHEMATHESIS]);
    return { program: join(folder, 'bin/schemathesis') };
  } catch (error) {
    return { reason: error instanceof Error ? error.message : String(error) };
  }
}

it(
  'answers every call that can be made up from its description as it says, on both ports',
  { tags: 'nightly-calls', timeout: 1_800_000 },
  async (test) => {
    const folder = await temporaryFolder();
    onTestFinished(folder.remove);
    const { program, reason } = await schemathesisIn(join(folder.path, 'python'));
    if (program === undefined) {
      console.warn(`NOT RUN: ${SCHEMATHESIS} of PyPI is not there. ${reason ?? ''}`);
      test.skip(`${SCHEMATHESIS} is not there`);
      return;
    }
    const office = await pairedOffice();
    const ports = [
      { base: office.federation, further: [] },
      // Only partners and monitors ask for it.
      { base: new URL(office.window).origin, further: ['--exclude-path', '/healthz'] },
    ];
    const config = join(folder.path, 'schemathesis.toml');
    const statuses = ['2xx', '401', '403', '404', '409', '410', '422', '502', '503'];
    await writeFile(
      config,
      `[checks.positive_data_acceptance]\nexpected-statuses = ${JSON.stringify(statuses)}\n`,
    );
    const seed = seedOf(1);
    for (const { base, further } of ports) {
      const report = join(folder.path, 'report.ndjson');
      const args = [
        ...['--config-file', config, 'run', `${office.federation}/openapi.json`, '--url', base],
        ...['--header', `Authorization: Bearer ${userTokenOf(office)}`, '--seed', String(seed)],
        ...['--phases', 'examples,coverage,fuzzing,stateful', '--max-examples', '25', '--no-shrink'],
        ...['--continue-on-failure', '--suppress-health-check', 'all', '--generation-database', 'none'],
        ...['--report', 'ndjson', '--report-ndjson-path', report, ...further],
      ];
      // Ends with 1 where it found anything; the report has what.
      const { stdout } = await run(program, args, { cwd: folder.path, maxBuffer: 2 ** 28 }).catch(
        (error: unknown) => z.object({ stdout: z.string() }).parse(error),
      );
      expect(stdout).toMatch(/API Links: +[1-9]\d* covered/);
      expect({ seed, faults: faultsIn(await readFile(report, 'utf8')) }).toEqual({ seed, faults: [] });
    }
  },
);
