import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { findElectron, obtainElectron } from '../../main/shell/electron-binary.ts';
import { electronProgram } from '../../main/shell/launch-plan.ts';

/** A project folder whose Electron has not been downloaded, and a download site that behaves as told. */
let root: string;
let server: Server;
let behave: RequestListener;
let asked: string[];
const said: string[] = [];
beforeEach(async () => {
  [asked, said.length] = [[], 0];
  root = await mkdtemp(join(tmpdir(), 'footbridge-obtain-'));
  const electron = join(root, 'node_modules', 'electron');
  await mkdir(electron, { recursive: true });
  await writeFile(join(electron, 'package.json'), '{"name":"electron","version":"45.4.1"}');
  await writeFile(join(electron, 'checksums.json'), `{"electron-v45.4.1-linux-x64.zip":"${'0'.repeat(64)}"}`);
  server = createServer((req, res) => {
    asked.push(req.url ?? '');
    behave(req, res);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  vi.stubEnv('ELECTRON_MIRROR', `http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  vi.stubEnv('electron_config_cache', join(root, 'cache'));
  vi.stubEnv('ELECTRON_OVERRIDE_DIST_PATH', undefined);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
  await rm(root, { recursive: true, force: true });
});

const obtain = (patienceMs = 300): Promise<string | undefined> =>
  obtainElectron(root, (line) => said.push(line), {
    firstByteMs: patienceMs,
    nextByteMs: patienceMs,
    unpackMs: 1000,
  });

it('gives up on a site that takes the request and says nothing', async () => {
  behave = () => undefined;
  const began = performance.now();
  // The request has to get there in this time as well.
  expect(await obtain(2000)).toBeUndefined();
  expect(performance.now() - began).toBeLessThan(15_000);
  expect(asked).toHaveLength(1);
  expect(said.at(-1)).toMatch(/could not be downloaded \(nothing came\)/);
});

it('gives up on a download that stops in the middle', async () => {
  behave = (_req, res) => {
    res.writeHead(200, { 'content-length': '1000000' });
    res.write('x'.repeat(1000));
  };
  expect(await obtain()).toBeUndefined();
  expect(said.at(-1)).toMatch(/nothing came/);
});

/** All of it takes longer than the patience, each piece a sixth of it: a busy machine may hold a piece up for long. */
it('does not give up on one that is slow but goes on, and takes only what has the right checksum', async () => {
  behave = (_req, res) => {
    res.writeHead(200, { 'content-length': '8' });
    let sent = 0;
    const drip = setInterval(() => {
      res.write('x');
      if (++sent === 8) {
        clearInterval(drip);
        res.end();
      }
    }, 500);
  };
  expect(await obtain(3000)).toBeUndefined();
  expect(said.at(-1)).toMatch(/could not be downloaded \((?!nothing came)/);
  expect(said.filter((line) => line.includes('%')).length).toBeGreaterThan(4);
});

it('says at once that a site has no such thing, or is not there', async () => {
  behave = (_req, res) => res.writeHead(404).end();
  expect(await obtain(20_000)).toBeUndefined();
  expect(said.at(-1)).toMatch(/404/);
  vi.stubEnv('ELECTRON_MIRROR', 'http://127.0.0.1:9/');
  expect(await obtain(20_000)).toBeUndefined();
});

it('downloads nothing where the user names a folder, and looks only there', async () => {
  vi.stubEnv('ELECTRON_OVERRIDE_DIST_PATH', join(root, 'runtime'));
  expect(await obtain()).toBeUndefined();
  expect(asked).toEqual([]);
  const program = electronProgram(process.platform, join(root, 'runtime'));
  await mkdir(dirname(program), { recursive: true });
  await writeFile(program, '');
  expect(findElectron(root)).toBe(program);
});
