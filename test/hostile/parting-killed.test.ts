import { describe, expect, it, onTestFinished } from 'vitest';
import { madeUpOrigin } from '../support/partners/made-up-origin.ts';
import { fill, idOf, matched, type Matched, type Way } from '../support/partners/matched.ts';
import type { Row } from '../../server/lists/definitions/model.ts';
import { listPartition } from '../../server/lists/rows/row-table.ts';
import { CHECKPOINTS, FAILED, rowKey } from '../../server/sync/tables.ts';
import { said } from '../../server/words/said.ts';
import type { ReceivingOffice } from '../support/harness/pulling-parts.ts';

const FEED = { dialect: 'shape1', footbridge: true } as const;

/** One list with rows of the partner, and one of them changed here. */
async function filled(way: Way = FEED): Promise<Matched> {
  const origin = madeUpOrigin();
  fill(origin, 0, 700);
  const set = await matched(origin, way);
  await set.office.sync.syncNow(set.nodeID);
  return set;
}

async function rowsIn(office: ReceivingOffice, moduleID: string): Promise<Row[]> {
  const found: Row[] = [];
  for await (const page of (await office.lists.rows(moduleID)).scan()) found.push(...page);
  return found;
}

async function started({ office }: Matched): Promise<ReceivingOffice> {
  const again = await office.restart();
  onTestFinished(() => again.close());
  return again;
}

describe('an office that is killed once a partner was removed, and before its rows were seen to', () => {
  it('removes them at its next start, where our user wanted that', async () => {
    const set = await filled();
    await set.office.federation.disconnects.remove(set.nodeID, '1', { received: 'remove' });
    expect(await rowsIn(await started(set), set.moduleID)).toEqual([]);
  });

  it('makes them its own, where our user wanted to keep them: they are changed and removed like any other', async () => {
    const set = await filled();
    await set.office.federation.disconnects.remove(set.nodeID, '1', { received: 'keep' });
    const rows = await rowsIn(await started(set), set.moduleID);
    expect(rows).toHaveLength(700);
    expect(rows.filter(({ received }) => received !== undefined)).toEqual([]);
  });

  it('removes them without a start too, once the disk can be written to again', async () => {
    const set = await filled();
    const { office, nodeID, moduleID } = set;
    await office.federation.disconnects.remove(nodeID, '1', { received: 'remove' });
    await office.federation.rowHandover.runPending();
    expect(await rowsIn(office, moduleID)).toEqual([]);
  });

  it('forgets as well what could not go in', async () => {
    const set = await filled();
    const { office, nodeID, moduleID, sharedModuleID } = set;
    const partition = await office.store.partition(listPartition(moduleID));
    const keyOfRow = rowKey(sharedModuleID, idOf(1));
    await partition.transaction((tx) => {
      const row = { nodeID, sharedModuleID, recordID: idOf(1) };
      const at = new Date().toISOString();
      tx.put(FAILED, keyOfRow, { ...row, reason: said('invite.own'), since: at, tries: 1, triedAt: at });
    });
    await office.federation.disconnects.remove(nodeID, '1', { received: 'remove' });
    const again = await started(set);
    const left = await again.store.partition(listPartition(moduleID));
    expect(await left.page(FAILED, { limit: 10 })).toEqual([]);
    expect(await left.page(CHECKPOINTS, { limit: 10 })).toEqual([]);
  });

  it('does so where only the connection ended', async () => {
    const set = await filled();
    await set.office.federation.disconnects.revoke(set.nodeID, '1', { received: 'remove' });
    expect(await rowsIn(await started(set), set.moduleID)).toEqual([]);
  });

  it('leaves the rows as they are where nothing was decided', async () => {
    const set = await filled();
    await set.office.federation.disconnects.revoke(set.nodeID, '1');
    const rows = await rowsIn(await started(set), set.moduleID);
    expect(rows.map(({ received }) => received?.recordID).sort()).toEqual(
      Array.from({ length: 700 }, (_, at) => idOf(at)).sort(),
    );
  });

  it('leaves the rows of a server of another kind to it, which may be taken up again', async () => {
    const set = await filled({ dialect: 'live' });
    await set.office.federation.disconnects.remove(set.nodeID, '1');
    const rows = await rowsIn(await started(set), set.moduleID);
    expect(rows).toHaveLength(700);
    expect(rows.filter(({ received }) => received === undefined)).toEqual([]);
  });

  it('touches nothing that comes once the offices have paired anew, where all was done before', async () => {
    const set = await filled();
    const { office, nodeID, moduleID } = set;
    await office.federation.disconnects.revoke(nodeID, '1', { received: 'remove' });
    await office.federation.rowHandover.releaseRows(nodeID, 'remove');
    const rows = await office.lists.rows(moduleID);
    const { recordID } = await rows.create({ Name: ['of ours'] }, '1');
    expect((await rowsIn(await started(set), moduleID)).map((row) => row.recordID)).toEqual([recordID]);
  });
});
