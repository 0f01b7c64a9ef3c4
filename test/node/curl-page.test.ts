import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { beforeAll, describe, expect, it } from 'vitest';

const root = new URL('../../', import.meta.url);
const BETWEEN = '\n====\n';

/** What each block of the page printed, by the heading that it stands under; several blocks one after the other. */
let printed: Map<string, string>;

function blocks(): { heading: string; command: string }[] {
  const page = readFileSync(new URL('docs/curl.md', root), 'utf8');
  return page.split(/^## /m).flatMap((section) => {
    const heading = section.split('\n', 1)[0] ?? '';
    return [...section.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, command = '']) => ({ heading, command }));
  });
}

async function freePorts(count: number): Promise<string[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  const ports = await Promise.all(
    servers.map(async (server) => {
      await new Promise((done) => server.once('listening', done));
      return String((server.address() as AddressInfo).port);
    }),
  );
  await Promise.all(servers.map((server) => new Promise((done) => server.close(done))));
  return ports;
}

/** Runs the commands of the page as a newcomer does: one after the other in one shell, with nothing set before. */
async function runPage(): Promise<Map<string, string>> {
  const [PORT_A, PORT_B, PORT_C] = await freePorts(3);
  const all = blocks();
  const script = [
    'set -eo pipefail',
    // What a failed command leaves running must not outlive the test.
    "trap 'kill $(jobs -p) 2>/dev/null || true' EXIT",
    ...all.map(({ command }) => `${command}\nprintf '${BETWEEN.replaceAll('\n', '\\n')}'`),
  ].join('\n');
  const shell = spawn('bash', ['-c', script], {
    cwd: root,
    env: { PATH: process.env.PATH, HOME: process.env.HOME, PORT_A, PORT_B, PORT_C },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let [out, faults] = ['', ''];
  shell.stdout.on('data', (part: Buffer) => (out += part.toString()));
  shell.stderr.on('data', (part: Buffer) => (faults += part.toString()));
  const code = await new Promise((done) => shell.once('close', done));
  const outputs = out.split(BETWEEN);
  const failed = all[outputs.length - 1]?.heading ?? 'the end';
  expect(code, `${failed}: ${outputs.at(-1)}\n${faults}`).toBe(0);
  const byHeading = new Map<string, string>();
  for (const [at, { heading }] of all.entries())
    byHeading.set(heading, (byHeading.get(heading) ?? '') + (outputs[at] ?? ''));
  return byHeading;
}

const under = (heading: string): string => {
  const found = printed.get(heading);
  if (found === undefined) throw new Error(`docs/curl.md has nothing under “${heading}”.`);
  return found;
};

// Whoever runs this file alone builds first; `npm test` does.
describe.skipIf(!existsSync(new URL('dist/cli.js', root)))(
  'docs/curl.md, from the first line to the last',
  () => {
    beforeAll(async () => {
      printed = await runPage();
    }, 120_000);

    it('starts two nodes', () => {
      expect(under('Start two nodes')).toBe('{"status":"ok"}'.repeat(2));
    });

    it.each(['Shape 1: the six steps', 'Shape 2: the six steps'])(
      '%s: each says that it is done',
      (heading) => {
        expect(under(heading)).toMatch(/^\{\}\{\}/);
      },
    );

    it('ends the handshake with both sides paired', () => {
      expect(under('Shape 1: the six steps').match(/"status":"paired"/g)).toHaveLength(2);
    });

    it.each([
      ['Shape 1: share, match, sync', 1],
      // The same list received the row over the first pair already: it is the same row, whichever way it comes.
      ['Shape 2: share, match, sync', 1],
    ])('%s: the row arrives at B, and is there once', (heading, rows) => {
      const listed = under(heading)
        .split(/(?=\{"response":)/)
        .find((answer) => answer.includes('"recordID"'));
      expect(listed?.match(/"value":"Fjord Fish"/g)).toHaveLength(rows);
    });

    it('lets curl be node B: the handshake by hand, then every feed of both shapes with the node token', () => {
      const said = under('Be node B yourself');
      expect(said).toContain('"query":"after=1600109447"');
      expect(said).toMatch(
        /"rel":"Account","href":"http:\/\/127\.0\.0\.1:\d+\/federation\/exposed\/modules\/\d+\?after=/,
      );
      expect(said).toMatch(
        /"rel":"Account","href":"http:\/\/127\.0\.0\.1:\d+\/federation\/exposed\/records\/\d+\?after=/,
      );
      expect(said.match(/"value":"Fjord Fish"/g)).toHaveLength(3);
    });

    it('lets curl be node A: the completion by hand, and B is paired', () => {
      expect(under('Be node A yourself')).toMatch(/^\{\}\{\}.*"status":"paired"/);
    });

    it('takes it all back', () => {
      expect(under('Take it all back')).toMatch(/^\{\}\{\}\{\}/);
    });
  },
);

it('docs/curl.md is run only after a build', () => {
  if (!existsSync(new URL('dist/cli.js', root)))
    console.log('docs/curl.md was not run: dist/cli.js is not built. Run `npm run build` first.');
  expect(blocks().length).toBeGreaterThan(10);
});
