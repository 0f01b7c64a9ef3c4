import { mkdir, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { strFromU8, unzipSync } from 'fflate';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Settings } from '../../../server/contract/app/settings.ts';
import { createSecretRedactor } from '../../../server/app/support-bundle.ts';
import { createSupportBundle } from '../../../server/app/support-bundle.ts';
import type { DiskStore } from '../../../server/store/engine/open-store.ts';
import { openOwnStore, type OwnStore } from '../../support/harness/parts.ts';
import { SETTINGS } from '../../support/data/settings.ts';

const CANARY = 'canary-Zx81-do-not-sing';
const CANARIES: Settings = {
  ...SETTINGS,
  office: `Office ${CANARY}`,
  publicUrl: `https://user:${CANARY}@bridge.example/`,
  relay: `${CANARY}.relay.example`,
};

let own: OwnStore;
let store: DiskStore;
beforeEach(async () => {
  own = await openOwnStore();
  ({ store } = own);
});
afterEach(async () => {
  await own.close();
});

async function bundle(
  logLines: readonly string[],
  secrets: readonly string[] = [],
): Promise<Record<string, string>> {
  const logDir = join(own.dataDir, 'logs');
  await mkdir(logDir, { recursive: true });
  await writeFile(join(logDir, 'footbridge.1.log'), `${logLines.join('\n')}\n`);
  const zip = await createSupportBundle({
    version: '1.2.3',
    store,
    logDir,
    settings: () => CANARIES,
    collectFacts: () => Promise.resolve({ partners: 2, lists: [{ columns: 3, rows: 10 }] }),
    secrets: () => Promise.resolve(secrets),
  });
  return Object.fromEntries(Object.entries(unzipSync(zip)).map(([name, bytes]) => [name, strFromU8(bytes)]));
}

describe('the support bundle', () => {
  it('says what a helper needs', async () => {
    const files = await bundle([
      JSON.stringify({ level: 50, time: 'now', msg: 'a request failed', path: '/app/x' }),
    ]);
    expect(Object.keys(files).sort()).toEqual([
      'about.json',
      'facts.json',
      'logs/footbridge.1.log',
      'settings.json',
      'store.json',
    ]);
    expect(JSON.parse(files['about.json']!)).toMatchObject({ footbridge: '1.2.3', node: process.version });
    expect(JSON.parse(files['settings.json']!)).toMatchObject({ port: 7420, office: 'given' });
    expect(files['logs/footbridge.1.log']).toContain('a request failed');
    expect(JSON.parse(files['facts.json']!)).toEqual({ partners: 2, lists: [{ columns: 3, rows: 10 }] });
  });

  it('A6: a secret planted in store, settings, logs and addresses is nowhere in it', async () => {
    const rows = await store.partition('list-1');
    await rows.transaction((tx) => tx.put({ name: 'row' }, CANARY, { values: { Name: [CANARY] } }));
    const files = await bundle(
      [
        { msg: 'calling', token: CANARY },
        { msg: 'calling', headers: { authorization: `Bearer ${CANARY}` } },
        { msg: `could not reach https://12:${CANARY}@host/federation` },
        { msg: `GET /?key=${CANARY} was refused` },
        { msg: `sent Authorization: Bearer ${CANARY}, got 401` },
        { msg: `row ${CANARY} did not fit`, row: { Name: CANARY } },
        { msg: 'x', err: { message: `wrong token ${CANARY}`, stack: `Error: ${CANARY}\n    at x` } },
      ].map((line) => JSON.stringify(line)),
      [CANARY],
    );
    for (const [name, text] of Object.entries(files)) expect(`${name} ${text}`).not.toContain(CANARY);
  });

  it('A6: takes no log line that is not of the log’s own making', async () => {
    const files = await bundle([
      'free text with words in it',
      '[1,2]',
      '{"msg":"kept","values":{"Name":["dropped"]}}',
    ]);
    expect(files['logs/footbridge.1.log']).toBe('{"msg":"kept"}');
  });

  it('holds the end of long logs only', async () => {
    const long = Array.from({ length: 60_000 }, (_, at) =>
      JSON.stringify({ msg: `line ${at}`, pad: 'x'.repeat(80) }),
    );
    const text = (await bundle(long))['logs/footbridge.1.log']!;
    expect(text).toContain('line 59999');
    expect(text).not.toContain('"line 0"');
  });
});

describe('scrubbing', () => {
  const scrub = createSecretRedactor([], homedir());

  it.each([
    ['an invite', 'https://123456789012345678:Abcdefghijklmnopqrstuvwxyz012345@host/federation?name=x'],
    ['a JSON Web Token', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl'],
    ['a window link', 'http://127.0.0.1:7421/?key=Sup3rSecret'],
    ['a fingerprint or hash', 'b1946ac92492d2347c6235b4d2611184'],
    ['a key', '-----BEGIN PRIVATE KEY-----\nMIGH\n-----END PRIVATE KEY-----'],
    ['a basic credential', 'Authorization: Basic dXNlcjpwYXNz'],
    ['an e-mail address', 'ada.lovelace@office.example'],
  ])('removes %s', (_name, secret) => {
    expect(scrub(`before ${secret} after`)).toContain('[removed]');
    for (const part of secret
      .split(/[\s/:?@=]+/)
      .filter((each) => /^(Abc|eyJ|Sup|b19|MIGH|dXN|ada)/.test(each)))
      expect(scrub(`before ${secret} after`)).not.toContain(part);
  });

  it.each([
    ['as it is', String.raw`at C:\Users\anna\app`],
    ['in JSON', JSON.stringify({ err: String.raw`at C:\Users\anna\app` })],
    ['in the address of a file', 'at file:///C:/Users/anna/app.js'],
  ])('removes the home folder of Windows %s', (_name, text) => {
    const clean = createSecretRedactor([], String.raw`C:\Users\anna`);
    expect(clean(text)).toContain('~');
    expect(clean(text)).not.toContain('anna');
  });

  it('leaves ids, times and plain words', () => {
    const text =
      '2026-01-01T00:00:00.000Z pull of 204158548916043781 took 12 ms: ECONNREFUSED 192.168.1.2:7420';
    expect(scrub(text)).toBe(text);
  });

  it('removes known secrets wherever they stand, also escaped for an address or JSON', () => {
    fc.assert(
      fc.property(
        fc.string({ minLength: 6, maxLength: 40 }),
        fc.string(),
        fc.string(),
        (secret, before, after) => {
          fc.pre(!'[removed]'.includes(secret) && !`${before}${after}`.includes(secret));
          const clean = createSecretRedactor([secret], '');
          expect(clean(`${before} ${secret} ${after}`)).not.toContain(` ${secret} `);
          expect(clean(`x=${encodeURIComponent(secret)}`)).not.toContain(encodeURIComponent(secret));
        },
      ),
    );
  });
});
