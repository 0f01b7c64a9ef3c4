import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PAGE_BYTES } from '../../../server/federation/sharing/page-bytes.ts';
import type { RecordsPage } from '../../../server/federation/sharing/feed.ts';
import { NODES } from '../../../server/federation/tables.ts';
import type { Node } from '../../../server/federation/model.ts';
import { makeSharing, openSharing, type SharingOffice } from '../../support/worlds/column-changes.ts';
import { temporaryFolder } from '../../support/harness/temporary-folder.ts';

const MANY = 70;
const LETTERS = 900_000;

let folder: Awaited<ReturnType<typeof temporaryFolder>>;
let office: SharingOffice;
let made: { readonly list: string; readonly share: string };
let node: Node;
let ids: string[];
beforeEach(async () => {
  folder = await temporaryFolder();
  made = await makeSharing(folder.path, 0);
  office = await openSharing(folder.path);
  node = await office.federation.nodes.get('41');
  const rows = await office.lists.rows(made.list);
  ids = [];
  for (let n = 0; n < MANY; n++) {
    const values = { Company: [String(n).padStart(LETTERS, 'x')], Town: ['Kiel'] };
    ids.push((await rows.create(values, '1')).recordID);
  }
});
afterEach(async () => {
  await office.store.close();
  await folder.remove();
});

const whole = (): Promise<RecordsPage> =>
  office.federation.feed.recordBytes(
    node,
    made.share,
    { deleted: true, sort: 'id', window: 'all', address: '192.168.1.20' },
    'test',
    ({ recordID, values }) => ({ recordID, letters: values[0]?.value }),
  );

const idsIn = (rows: Buffer): string[] =>
  (JSON.parse(`[${rows.toString()}]`) as { recordID: string }[]).map(({ recordID }) => recordID);

describe('a list of very large rows', () => {
  it('leaves whole where all of it is asked for, and never with more of it in memory than a page takes', async () => {
    const page = await whole();
    const seen = idsIn(page.rows);
    expect(page.rows.length).toBeLessThan(2 * PAGE_BYTES);
    for await (const part of page.rest ?? []) {
      expect(part.length).toBeLessThan(2 * PAGE_BYTES);
      seen.push(...idsIn(part));
    }
    expect(seen).toEqual(ids);
  });

  it('leaves no further once something else of it is shared, or its partner reads no more', async () => {
    const [changed, ended] = [await whole(), await whole()];
    const input = { composeModuleID: made.list, fields: [{ name: 'Town' }], shape: 1 as const };
    await office.federation.exposures.change(node.nodeID, made.share, input, '1');
    await expect(changed.rest?.[Symbol.asyncIterator]().next()).rejects.toMatchObject({
      code: 'feed.definition',
    });
    const system = await office.store.partition('system');
    await system.transaction((tx) => tx.put(NODES, node.nodeID, { ...node, status: 'unpaired' }));
    await expect(ended.rest?.[Symbol.asyncIterator]().next()).rejects.toMatchObject({ kind: 'forbidden' });
  });

  it('gives rows that are named in parts, which say how far they come', async () => {
    const { changeFeed } = office.federation;
    const named = ['77', ...ids, '78'];
    const seen: string[] = [];
    let parts = 0;
    for (let left = named; left.length > 0; parts++) {
      const wanted = { recordIDs: left, inParts: true, address: '192.168.1.20' };
      const { rows, taken } = await changeFeed.rows(node, made.share, wanted, ({ recordID, values }) => ({
        recordID,
        values,
      }));
      expect(rows.length).toBeLessThanOrEqual(PAGE_BYTES);
      seen.push(...idsIn(rows));
      left = left.slice(taken);
    }
    expect(seen).toEqual(ids);
    expect(parts).toBeGreaterThan(6);
  });

  it('refuses to whom knows of no parts what would be too much for one answer, and gives the rest whole', async () => {
    const { changeFeed } = office.federation;
    const ask = (recordIDs: readonly string[]): Promise<{ rows: Buffer; taken: number }> =>
      changeFeed.rows(node, made.share, { recordIDs, inParts: false, address: '' }, ({ recordID }) => ({
        recordID,
        letters: 'x'.repeat(LETTERS),
      }));
    await expect(ask(ids)).rejects.toMatchObject({ kind: 'too-large' });
    const few = ids.slice(0, 30);
    const { rows, taken } = await ask(few);
    expect([idsIn(rows), taken]).toEqual([few, 30]);
  });
});
