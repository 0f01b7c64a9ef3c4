import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { strFromU8, unzipSync } from 'fflate';
import { temporaryFolder } from '../support/harness/temporary-folder.ts';
import { pairNodes, startNode, type NodeOffice } from '../support/harness/node.ts';
import { scriptedPartner, type ScriptedPartner } from '../support/partners/scripted-partner.ts';

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let a: NodeOffice;
let b: NodeOffice;
let scripted: ScriptedPartner;
beforeEach(async () => {
  folder = await temporaryFolder();
  a = await startNode('Oslo', { dataDir: folder.path });
  b = await startNode('Bergen');
  scripted = await scriptedPartner(a);
});
afterEach(async () => {
  await Promise.all([a.stop(), b.stop(), scripted.close()]);
  await folder.remove();
});

/** All files of a folder, as one text a file. */
async function everything(path: string): Promise<Map<string, string>> {
  const entries = await readdir(path, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return new Map(
    await Promise.all(files.map(async (file) => [file, await readFile(file, 'latin1')] as const)),
  );
}

describe('A6: secrets', () => {
  it('are nowhere in the data folder or the log: tokens given, tokens held, invites', async () => {
    const { uri } = await pairNodes(a, b);
    await scripted.ask('GET', '/federation/exposed/modules');
    await scripted.ask('GET', '/federation/nodes/abc?token=visible', { token: scripted.token });
    const pending = await a.app<{ uri: string }>('POST', '/app/invites', { name: 'Later' });
    await a.node.stop();
    const secrets = {
      'the token that we gave': scripted.token,
      'the token that we hold': scripted.ownToken,
      'a used invite': new URL(scripted.uri).password,
      'another used invite': new URL(uri).password,
      'an invite that waits': new URL(pending.uri).password,
    };
    const files = await everything(folder.path);
    expect(files.size).toBeGreaterThan(3);
    files.set('the log', a.logged.join('\n'));
    for (const [what, secret] of Object.entries(secrets))
      for (const [file, text] of files) expect(text.includes(secret), `${what} in ${file}`).toBe(false);
    await a.node.start();
  });

  it('are not in the support bundle either', async () => {
    const token = a.node.userToken('admin', 60_000);
    const answer = await fetch(`${new URL(a.ready.window).origin}/app/support-bundle`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(answer.status).toBe(200);
    const files = unzipSync(new Uint8Array(await answer.arrayBuffer()));
    const text = Object.values(files)
      .map((bytes) => strFromU8(bytes))
      .join('\n');
    expect(text).toContain('"footbridge"');
    for (const secret of [
      scripted.token,
      scripted.ownToken,
      new URL(scripted.uri).password,
      token,
      'Oslo',
      'Scripted',
    ])
      expect(text).not.toContain(secret);
  });

  it('of an invite are shown once: later reads give it without', async () => {
    const node = await a.app<Record<string, unknown>>('GET', `/federation/nodes/${scripted.nodeID}`);
    expect(JSON.stringify(node)).not.toContain(new URL(scripted.uri).password);
    expect(JSON.stringify(node)).not.toContain(scripted.token);
    expect(JSON.stringify(node)).not.toContain(scripted.ownToken);
  });
});
