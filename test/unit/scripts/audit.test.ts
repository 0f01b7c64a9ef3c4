import { spawn } from 'node:child_process';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';

/** Registries on this computer, asked for holes and for nothing else. */
const registries: Server[] = [];
afterEach(() => {
  for (const registry of registries.splice(0)) registry.close();
});

async function startRegistry(advisories: object | undefined): Promise<string> {
  const registry = createServer((req, res) => {
    req.resume().on('end', () => {
      const bulk = req.method === 'POST' && req.url === '/-/npm/v1/security/advisories/bulk';
      if (bulk && advisories)
        res.setHeader('content-type', 'application/json').end(JSON.stringify(advisories));
      else res.writeHead(req.method === 'POST' ? 405 : 404).end('{}');
    });
  });
  registries.push(registry);
  await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(registry.address() as AddressInfo).port}/`;
}

/** `npm run audit` against this registry. */
async function audit(address: string, ...args: string[]): Promise<{ code: number | null; said: string }> {
  const env = { ...process.env, npm_config_registry: address, npm_config_noproxy: '127.0.0.1' };
  const child = spawn(process.execPath, ['--import', 'tsx', 'scripts/audit.ts', ...args], { env });
  let said = '';
  child.stdout.on('data', (data: Buffer) => (said += data.toString()));
  child.stderr.on('data', (data: Buffer) => (said += data.toString()));
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  return { code, said };
}

const hole = (name: string): object => ({
  [name]: [
    {
      id: 1,
      url: 'https://example.org/advisory',
      title: 'Anybody can do anything',
      severity: 'critical',
      vulnerable_versions: '<999.0.0',
      cwe: [],
      cvss: { score: 9, vectorString: null },
    },
  ],
});

describe('the audit of what ships, asked of a registry', () => {
  it('fails on a known hole in it, passes over tools for development, and says loudly when it knows nothing', async () => {
    const [found, none, unknown] = await Promise.all([
      startRegistry({ ...hole('zod'), ...hole('vitest') }).then(audit),
      startRegistry(hole('vitest')).then(audit),
      startRegistry(undefined).then((address) => audit(address, '--strict')),
    ]);
    expect(found.said).toContain('zod (critical): Anybody can do anything https://example.org/advisory');
    expect(found.said).not.toContain('vitest');
    expect(found.code).toBe(1);
    expect(none.said).toContain('No known holes');
    expect(none.code).toBe(0);
    expect(unknown.said).toContain('DEPENDENCIES NOT AUDITED');
    expect(unknown.code).toBe(1);
  }, 60_000);
});
