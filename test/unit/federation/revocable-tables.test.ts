import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import type { Exposure, IssuedToken, Node } from '../../../server/federation/model.ts';
import { EXPOSURES, INVITES, ISSUED_TOKENS, NODES, type Invite } from '../../../server/federation/tables.ts';
import { omit } from '../../../server/base/omit.ts';
import { LATEST_MS, TOKEN_LIFE_MS } from '../../../server/federation/partners/node-tokens.ts';
import { REVOCABLE_TABLES } from '../../../server/federation/sharing/revocable-tables.ts';
import {
  listRevocationItems,
  recordSurvivingRevocations,
} from '../../../server/federation/sharing/revocation-items.ts';
import { openStore, type DiskStore } from '../../../server/store/engine/open-store.ts';
import type { Partition, Table } from '../../../server/store/store.ts';
import { readPosition } from '../../../server/store/recovery/withdrawals/log-position.ts';
import { notesFileIn } from '../../../server/store/recovery/withdrawals/revocations-file.ts';
import {
  RevocationLog,
  type LogPositions,
} from '../../../server/store/recovery/withdrawals/revocation-log.ts';
import { said } from '../../../server/words/said.ts';
import { faultyDisk } from '../../support/faults/disk-faults.ts';
import { temporaryFolder } from '../../support/harness/temporary-folder.ts';
import { manualClock, type ManualClock } from '../../support/harness/manual-clock.ts';
import { pairedNode } from '../../support/data/paired-node.ts';

const SINCE = { createdAt: '2026-01-12T08:30:00.000Z', createdBy: '1' };
const NODE = pairedNode({ sealedToken: 'sealed: what opens the partner' });
const column = (name: string): Exposure['fields'][number] => ({
  kind: 'String',
  name,
  label: name,
  isMulti: false,
});
const EXPOSURE: Exposure = {
  moduleID: '900',
  nodeID: '41',
  composeModuleID: '700',
  composeNamespaceID: '600',
  handle: 'suppliers',
  name: 'Suppliers',
  fields: ['Company', 'Town', 'Iban'].map(column),
  fieldIDs: ['1', '2', '3'],
  titlePins: { '2': '31' },
  shape: 1,
  ...SINCE,
};
const TOKEN: IssuedToken = {
  jti: 'mZ4',
  nodeID: '41',
  hash: 'b1946ac9',
  issuedAt: '2026-05-01T08:00:00.000Z',
  expiresAt: '2026-07-30T08:00:00.000Z',
};
const INVITE: Invite = { hash: '5d41402a', nodeID: '41', expiresAt: '2026-05-05T09:00:00.000Z' };

let clock: ManualClock;
let dataDir: string;
let store: DiskStore;
let system: Partition;
let guarded: Partition;
const begin = (): RevocationLog =>
  new RevocationLog({ notes: notesFileIn({ dataDir, clock }), clock, rules: REVOCABLE_TABLES });

beforeEach(async () => {
  const { path, remove } = await temporaryFolder();
  clock = manualClock('2026-05-04T09:00:00Z');
  dataDir = path;
  store = await openStore({ dataDir, clock });
  system = await store.partition('system');
  const withdrawals = begin();
  await withdrawals.reapply(system, () => undefined);
  guarded = withdrawals.guardPartition(system);
  onTestFinished(async () => {
    await store.close();
    await remove();
  });
});

/** What becomes of an entry that was changed to `after`, and is `back` as older data had it at a later start. */
async function cameBack<T>(
  table: Table<T>,
  key: string,
  before: T,
  after: T | undefined,
  back = before,
): Promise<T | undefined> {
  await guarded.transaction((tx) => tx.put(table, key, before));
  await guarded.transaction((tx) => (after ? tx.put(table, key, after) : tx.delete(table, key)));
  await system.transaction((tx) => tx.put(table, key, back));
  await begin().reapply(system, () => undefined);
  return system.get(table, key);
}

/** What becomes of an entry that older data holds as `back`, or not at all, by what is noted of it. */
async function cameBackFrom<T>(table: Table<T>, key: string, back?: T): Promise<T | undefined> {
  await system.transaction((tx) => (back ? tx.put(table, key, back) : tx.delete(table, key)));
  await begin().reapply(system, () => undefined);
  return system.get(table, key);
}

describe('older data that comes back', () => {
  it('brings no column back, nor another column by which references leave', async () => {
    const less = { ...EXPOSURE, fields: [column('Company')], fieldIDs: ['1'], titlePins: {} };
    expect(await cameBack(EXPOSURES, '900', EXPOSURE, less)).toMatchObject({
      fieldIDs: ['1'],
      fields: [{ name: 'Company' }],
      titlePins: {},
    });
    const other = { ...EXPOSURE, titlePins: { '2': '' } };
    expect((await cameBack(EXPOSURES, '900', EXPOSURE, other))?.titlePins).toEqual({ '2': '' });
    const same = { ...EXPOSURE, fields: [column('Town')], fieldIDs: ['2'] };
    expect((await cameBack(EXPOSURES, '900', EXPOSURE, same))?.titlePins).toEqual({ '2': '31' });
  });

  it('lets references leave by no column that was chosen since for what it holds since', async () => {
    const later = { ...EXPOSURE, titlePins: { '2': '32', '3': '33' } };
    const none = { '2': '0', '3': '0' };
    expect((await cameBack(EXPOSURES, '900', EXPOSURE, later))?.titlePins).toEqual(none);
    // Nor at the start behind that one.
    await begin().reapply(system, () => undefined);
    expect((await system.get(EXPOSURES, '900'))?.titlePins).toEqual(none);
    const nothing = { ...EXPOSURE, titlePins: { '2': '' } };
    expect((await cameBack(EXPOSURES, '900', nothing, EXPOSURE))?.titlePins).toEqual({ '2': '' });
  });

  it('adds no column to those that it has, whatever was shared later', async () => {
    const [few, more] = [['1'], ['1', '2', '3']].map((fieldIDs) => ({
      ...EXPOSURE,
      fieldIDs,
      fields: EXPOSURE.fields.slice(0, fieldIDs.length),
    }));
    expect((await cameBack(EXPOSURES, '900', few ?? EXPOSURE, more))?.fieldIDs).toEqual(['1']);
  });

  it('shares no list again, not even by a column that was added after it was withdrawn', async () => {
    const gone = { ...EXPOSURE, deletedAt: '2026-05-04T08:59:00.000Z' };
    expect(await cameBack(EXPOSURES, '900', EXPOSURE, gone)).toHaveProperty('deletedAt');
    const fresh = { ...EXPOSURE, fields: [column('Notes')], fieldIDs: ['9'] };
    const less = { ...EXPOSURE, fields: [column('Company')], fieldIDs: ['1'] };
    expect(await cameBack(EXPOSURES, '900', EXPOSURE, less, fresh)).toHaveProperty('deletedAt');
  });

  it('keeps a share of the office before ended for good, so that who took its place hears nothing of rows gone before', async () => {
    const deletedAt = '2026-05-04T08:59:00.000Z';
    const ended: Exposure = { ...EXPOSURE, began: '41', deletedAt, ofAnother: true };
    const [open, withdrawn] = [omit(ended, 'deletedAt', 'ofAnother'), omit(ended, 'ofAnother')];
    // Withdrawn or not in the older data, and also where only that mark was to come.
    expect(await cameBack(EXPOSURES, '900', open, ended)).toMatchObject({ ofAnother: true });
    expect(await system.get(EXPOSURES, '900')).toHaveProperty('deletedAt');
    expect(await cameBack(EXPOSURES, '900', withdrawn, ended)).toMatchObject({ deletedAt, ofAnother: true });
    // And where the list was shared since with who came, which made a share that begins then.
    const anew: Exposure = { ...EXPOSURE, began: '97', chosenFor: 'another' };
    expect(await cameBack(EXPOSURES, '900', withdrawn, anew)).toMatchObject({ deletedAt, ofAnother: true });
    // The same share goes on where it was.
    expect(await cameBack(EXPOSURES, '900', withdrawn, open, withdrawn)).not.toHaveProperty('ofAnother');
  });

  it('keeps the rows that a withdrawn share gave last, as who shares it again may say nothing of rows', async () => {
    const country = (value: string): NonNullable<Exposure['condition']> => ({
      join: 'all',
      parts: [{ fieldID: '2', label: 'Town', kind: 'String', test: 'is', value }],
    });
    const deletedAt = '2026-05-04T08:59:00.000Z';
    const gone = { ...EXPOSURE, condition: country('Drammen'), deletedAt };
    for (const older of [EXPOSURE, { ...EXPOSURE, condition: country('Oslo') }]) {
      const back = await cameBack(EXPOSURES, '900', older, gone);
      expect(back).toHaveProperty('deletedAt');
      expect(back?.condition).toEqual(gone.condition);
      expect(back?.unmirrored, 'what the partner knows is written down only where there was one').toBe(
        older.condition ? undefined : true,
      );
    }
  });

  it('connects with nobody again, and holds no token of whom our user ended it with', async () => {
    const { sealedToken, ...without } = NODE;
    const ended = await cameBack(NODES, '41', NODE, { ...without, status: 'unpaired' });
    expect(ended?.status).toBe('unpaired');
    expect(ended).not.toHaveProperty('sealedToken');
    // One that only seemed to have ended may be tried again with the token that it had.
    const seemed = await cameBack(NODES, '41', NODE, { ...NODE, status: 'unpaired' });
    expect(seemed).toMatchObject({ status: 'unpaired', sealedToken });
    const removed = { ...without, status: 'unpaired' as const, deletedAt: '2026-05-04T08:00:00.000Z' };
    expect(await cameBack(NODES, '41', NODE, removed)).toHaveProperty('deletedAt');
  });

  it('tells of a removed partner, but not of a record whose office goes on by another one', async () => {
    const items = async (): Promise<unknown[]> => {
      await begin().reapply(system, (tx, found) =>
        recordSurvivingRevocations(tx, found, { at: 'now', areListsOlder: false }),
      );
      return (await listRevocationItems(system)).map(({ value }) => value);
    };
    const request: Node = { ...omit(NODE, 'sealedToken'), nodeID: '42', status: 'pair_requested' };
    const removed = { ...request, status: 'unpaired' as const, deletedAt: '2026-05-04T08:00:00.000Z' };
    await guarded.transaction((tx) => tx.put(NODES, '41', NODE));
    await guarded.transaction((tx) => tx.put(NODES, '42', request));
    await guarded.transaction((tx) => tx.put(NODES, '42', { ...removed, replacedBy: '41' }));
    await system.transaction((tx) => tx.put(NODES, '42', request));
    expect(await items()).toEqual([]);
    expect(await system.get(NODES, '42')).toMatchObject({
      replacedBy: '41',
      deletedAt: expect.any(String) as string,
    });
    // The other record is of after the older data.
    await system.transaction((tx) => {
      tx.put(NODES, '42', request);
      tx.delete(NODES, '41');
    });
    expect(await items()).toMatchObject([{ what: 'partner', partner: request.name }]);
  });

  it('ends a pause only that is over, and makes none weaker', async () => {
    const until = '2026-05-04T12:00:00.000Z';
    const paused = { fetch: true, serve: true, until };
    expect((await cameBack(NODES, '41', NODE, { ...NODE, paused }))?.paused).toEqual(paused);
    clock.set('2026-05-04T12:00:01Z');
    await system.transaction((tx) => tx.put(NODES, '41', NODE));
    await begin().reapply(system, () => undefined);
    expect((await system.get(NODES, '41'))?.paused).toBeUndefined();

    const whole = { ...NODE, paused: { fetch: true, serve: true } };
    const half = { ...NODE, paused: { fetch: true, serve: false } };
    expect((await cameBack(NODES, '41', NODE, half, whole))?.paused).toEqual(whole.paused);
    expect((await cameBack(NODES, '41', NODE, whole, half))?.paused).toEqual(whole.paused);
  });

  it('makes no token and no invite good again, also where the entry itself was dropped', async () => {
    for (const after of [undefined, { ...TOKEN, revokedAt: '2026-05-04T08:00:00.000Z' }])
      expect(await cameBack(ISSUED_TOKENS, 'mZ4', TOKEN, after)).toHaveProperty('revokedAt');
    for (const [after, sign] of [
      [undefined, 'withdrawnAt'],
      [{ ...INVITE, usedAt: '2026-05-04T08:00:00.000Z' }, 'usedAt'],
      [{ ...INVITE, withdrawnAt: '2026-05-04T08:00:00.000Z' }, 'withdrawnAt'],
    ] as const)
      expect(await cameBack(INVITES, '5d41402a', INVITE, after)).toHaveProperty(sign);
  });

  it('makes no token good again for as long as one can be good', async () => {
    await guarded.transaction((tx) => tx.put(ISSUED_TOKENS, 'mZ4', TOKEN));
    await guarded.transaction((tx) => tx.delete(ISSUED_TOKENS, 'mZ4'));
    clock.set(clock.now() + TOKEN_LIFE_MS + LATEST_MS);
    await system.transaction((tx) => tx.put({ name: 'believed-time' }, 'believed-time', { at: clock.now() }));
    expect(await cameBackFrom(ISSUED_TOKENS, 'mZ4', TOKEN)).toHaveProperty('revokedAt');
  });

  it('locks out no partner whose token is newer than that data, and opens to no token that was revoked since', async () => {
    await guarded.transaction((tx) => tx.put(NODES, '41', NODE));
    const next = { ...TOKEN, jti: 'q7K', hash: '8d3533d7', issuedAt: '2026-05-03T08:00:00.000Z' };
    const used = { ...next, firstUsedAt: '2026-05-03T09:00:00.000Z' };
    await guarded.transaction((tx) => tx.put(ISSUED_TOKENS, 'q7K', next));
    expect(await cameBackFrom(ISSUED_TOKENS, 'q7K')).toEqual(next);
    await guarded.transaction((tx) => tx.put(ISSUED_TOKENS, 'q7K', used));
    expect(await cameBackFrom(ISSUED_TOKENS, 'q7K', next)).toEqual(used);
    await guarded.transaction((tx) => tx.put(ISSUED_TOKENS, 'q7K', { ...used, revokedAt: SINCE.createdAt }));
    expect(await cameBackFrom(ISSUED_TOKENS, 'q7K')).toBeUndefined();
    expect(await cameBackFrom(ISSUED_TOKENS, 'q7K', used)).toHaveProperty('revokedAt');
  });

  it('locks out no partner whose token and connection an older version noted nothing of', async () => {
    const under = { ...TOKEN, jti: 'a2C', pairing: 'first-use' as const };
    const ended = { ...TOKEN, jti: 'e5G', expiresAt: '2026-05-04T08:59:59.000Z' };
    await system.transaction((tx) => {
      tx.put(NODES, '41', NODE);
      for (const token of [TOKEN, under, ended]) tx.put(ISSUED_TOKENS, token.jti, token);
    });
    await begin().reapply(system, () => undefined);
    const older = {
      ...NODE,
      sealedToken: 'sealed: one before',
      baseURL: 'https://192.168.1.19:7420/federation',
    };
    expect(await cameBackFrom(NODES, '41', older)).toEqual(NODE);
    expect(await cameBackFrom(ISSUED_TOKENS, 'mZ4')).toEqual(TOKEN);
    expect(await cameBackFrom(ISSUED_TOKENS, 'a2C')).toBeUndefined();
    expect(await cameBackFrom(ISSUED_TOKENS, 'e5G')).toBeUndefined();
  });

  it('is noted once of what an older version left, also where it noted that much only', async () => {
    const notes = (): Promise<string> => readFile(join(dataDir, 'withdrawn.jsonl'), 'utf8');
    const at = '2026-05-04T08:00:00.000Z';
    const before = { at, table: NODES.name, key: '41', note: { state: 'open', holds: true } };
    await guarded.transaction((tx) => tx.put(ISSUED_TOKENS, 'mZ4', TOKEN));
    await appendFile(join(dataDir, 'withdrawn.jsonl'), `${JSON.stringify(before)}\n`);
    await system.transaction((tx) => tx.put(NODES, '41', NODE));
    await begin().reapply(system, () => undefined);
    const noted = await notes();
    expect(noted).toContain(NODE.sealedToken);
    for (let starts = 0; starts < 2; starts++) await begin().reapply(system, () => undefined);
    expect(await notes()).toBe(noted);
  });

  it('lets a start without room for that go on, and the next one make up for it', async () => {
    await system.transaction((tx) => tx.put(ISSUED_TOKENS, 'mZ4', TOKEN));
    await system.transaction((tx) => tx.put(NODES, '41', NODE));
    const disk = faultyDisk();
    disk.full(true);
    await new RevocationLog({
      notes: notesFileIn({ dataDir, clock, disk }),
      clock,
      rules: REVOCABLE_TABLES,
    }).reapply(system, () => undefined);
    expect(await cameBackFrom(ISSUED_TOKENS, 'mZ4')).toBeUndefined();
    await system.transaction((tx) => tx.put(ISSUED_TOKENS, 'mZ4', TOKEN));
    await begin().reapply(system, () => undefined);
    expect(await cameBackFrom(ISSUED_TOKENS, 'mZ4')).toEqual(TOKEN);
  });

  it('makes no token of a pairing under way an ordinary one before its partner is connected', async () => {
    const asking = { ...omit(NODE, 'sealedToken'), status: 'pair_requested' as const };
    const forAnswer = { ...TOKEN, pairing: 'answer' as const };
    await guarded.transaction((tx) => tx.put(ISSUED_TOKENS, 'mZ4', TOKEN));
    // A kill before what was noted is in the store, and a backup of then, leave this.
    await system.transaction((tx) => tx.put(NODES, '41', asking));
    expect(await cameBackFrom(ISSUED_TOKENS, 'mZ4', forAnswer)).toEqual(forAnswer);
    await system.transaction((tx) => tx.put(NODES, '41', NODE));
    expect(await cameBackFrom(ISSUED_TOKENS, 'mZ4', forAnswer)).toEqual(TOKEN);
  });

  it('makes no token good that a pairing under way was for, and none of a partner that it does not know', async () => {
    await guarded.transaction((tx) => tx.put(NODES, '41', NODE));
    for (const pairing of ['answer', 'first-use'] as const) {
      await guarded.transaction((tx) => tx.put(ISSUED_TOKENS, pairing, { ...TOKEN, jti: pairing, pairing }));
      expect(await cameBackFrom(ISSUED_TOKENS, pairing)).toBeUndefined();
    }
    await guarded.transaction((tx) => tx.put(ISSUED_TOKENS, 'mZ4', TOKEN));
    await system.transaction((tx) => tx.delete(NODES, '41'));
    expect(await cameBackFrom(ISSUED_TOKENS, 'mZ4')).toBeUndefined();
    await system.transaction((tx) => tx.put(NODES, '41', { ...NODE, deletedAt: SINCE.createdAt }));
    expect(await cameBackFrom(ISSUED_TOKENS, 'mZ4')).toBeUndefined();
  });

  it('goes on by the newest token that we hold, which is kept with the way that it is for', async () => {
    const renewed = { ...NODE, sealedToken: 'sealed: the renewed one', tokenSince: SINCE.createdAt };
    expect(await cameBack(NODES, '41', NODE, renewed)).toEqual(renewed);
    const anew: Node = {
      ...omit(renewed, 'tokenSince'),
      baseURL: 'https://192.168.1.31:7420/federation',
      certificate: 'b07d',
      words: 'amber-violin',
    };
    const pairing = {
      as: 'invitee',
      link: anew,
      invite: 'x',
      was: 'paired',
      sealedInvite: 'sealed: y',
    } as const;
    expect(await cameBack(NODES, '41', NODE, anew, { ...renewed, pairing })).toEqual(anew);
    // What began after the connection came to be what it is goes on.
    expect(await cameBack(NODES, '41', NODE, anew, { ...anew, pairing })).toHaveProperty('pairing');
    // Older data in which there was no connection makes none.
    const pending = { ...omit(NODE, 'sealedToken'), status: 'pending' as const };
    expect(await cameBack(NODES, '41', pending, anew)).toEqual(pending);
  });

  it('completes a pairing that our user had agreed on, and asks for no yes that the partner has no use for', async () => {
    const anew: Node = { ...NODE, sealedToken: 'sealed: of the new pairing' };
    const link = omit(anew, 'sealedToken');
    const asked = { as: 'inviter', link, invite: 'x', was: 'pending', tokenHash: 'y' } as const;
    const requested = {
      ...omit(NODE, 'sealedToken'),
      status: 'pair_requested' as const,
      pairing: { ...asked, sealedToken: 'sealed: of the new pairing' },
    };
    const yes = { at: SINCE.createdAt, token: 'mZ4' };
    const agreed = { ...requested, pairing: { ...requested.pairing, yes } };
    expect(await cameBack(NODES, '41', agreed, anew)).toEqual(anew);
    const invited = { as: 'invitee', link, invite: 'x', was: 'pending', sealedInvite: 'sealed: z' } as const;
    expect(await cameBack(NODES, '41', { ...requested, pairing: invited }, anew)).toEqual(anew);

    const left = await cameBack(NODES, '41', requested, anew);
    expect(left).toMatchObject({ status: 'failed' });
    expect(left).not.toHaveProperty('pairing');
    expect(left).not.toHaveProperty('sealedToken');
    expect(left?.problem).toEqual(said('older-data.half-paired'));
  });
});

it('completes a pairing with its token where the power went between what was noted and the store', async () => {
  const link = omit(NODE, 'sealedToken');
  const yes = { at: SINCE.createdAt, token: 'mZ4' };
  const pairing = { as: 'inviter', link, invite: 'x', was: 'pending', tokenHash: 'y', yes } as const;
  const agreed = {
    ...link,
    status: 'pair_requested',
    pairing: { ...pairing, sealedToken: 'sealed: z' },
  } as const;
  const forFirstUse = { ...TOKEN, pairing: 'first-use' as const };
  const put = (to: Partition, node: Node, token: IssuedToken): Promise<void> =>
    to.transaction((tx) => {
      // As a pairing completes: its token first.
      tx.put(ISSUED_TOKENS, 'mZ4', token);
      tx.put(NODES, '41', node);
    });
  await put(guarded, agreed, forFirstUse);
  await put(guarded, NODE, TOKEN);
  await put(system, agreed, forFirstUse);
  await begin().reapply(system, () => undefined);
  expect([await system.get(NODES, '41'), await system.get(ISSUED_TOKENS, 'mZ4')]).toEqual([NODE, TOKEN]);
});

describe('what may have been taken back without anything here knowing of it', () => {
  const nodes = REVOCABLE_TABLES.find(({ table }) => table === NODES.name);
  const closed = async (node: Node): Promise<Node | undefined> => {
    await system.transaction((tx) => tx.put(NODES, '41', node));
    await system.transaction(async (tx) => {
      await nodes?.close(tx, system, '2026-05-05T09:00:00.000Z');
    });
    return system.get(NODES, '41');
  };

  it.each<Node['status']>(['pending', 'pair_requested', 'paired', 'unpaired', 'failed'])(
    'is closed to a partner that is %s in older data, as its shares stand there for when it is connected again',
    async (status) => {
      expect(await closed({ ...NODE, status })).toMatchObject({ unsure: '2026-05-05T09:00:00.000Z', status });
    },
  );

  it('stays as it is with a partner that was removed, as it has no shares', async () => {
    const removed = { ...NODE, status: 'unpaired' as const, deletedAt: '2026-05-04T09:00:00.000Z' };
    expect(await closed(removed)).toEqual(removed);
  });
});

describe('what comes out of a backup, which anybody may have written into', () => {
  /** Starts on data that was restored, with these entries in it, and answers one of them. */
  async function restored<T>(table: Table<T>, key: string, value: T): Promise<T | undefined> {
    await system.transaction((tx) => tx.put(table, key, value));
    const reach = await readPosition(system);
    const noted: LogPositions = {
      revocationPosition: () => reach && { ...reach, restored: true },
      advanceRevocationPosition: () => undefined,
    };
    await new RevocationLog({
      notes: notesFileIn({ dataDir, clock }),
      clock,
      rules: REVOCABLE_TABLES,
      noted,
    }).reapply(system, () => undefined);
    return system.get(table, key);
  }
  const known = <T>(table: Table<T>, key: string, value: T): Promise<void> =>
    guarded.transaction((tx) => tx.put(table, key, value));
  const ASKED: Node['pairing'] = {
    as: 'inviter',
    link: { ...omit(NODE, 'sealedToken'), baseURL: 'https://192.168.1.66/federation' },
    invite: 'hash',
    was: 'paired',
    tokenHash: 'hash',
    sealedToken: 'sealed: of another partner',
    yes: { at: SINCE.createdAt, token: 'mZ5' },
  };

  it('is no partner that this folder did not have', async () => {
    await known(NODES, '41', { ...NODE, status: 'pending' });
    await known(NODES, '41', NODE);
    const came = await restored(NODES, '42', { ...NODE, nodeID: '42' });
    expect(came).toMatchObject({ status: 'unpaired', problem: said('older-data.connection-ended') });
    expect(came).not.toHaveProperty('sealedToken');
    expect(await restored(NODES, '41', NODE)).toEqual(NODE);
  });

  it('is a known partner by its own address and token, under its own number, and by no pairing under way', async () => {
    await known(NODES, '41', { ...NODE, status: 'pending' });
    await known(NODES, '41', NODE);
    const altered = { ...NODE, nodeID: '43', baseURL: 'https://thief.example/federation', pairing: ASKED };
    expect(await restored(NODES, '41', altered)).toEqual(NODE);
    const asking = { ...omit(NODE, 'sealedToken'), nodeID: '44', status: 'pair_requested' as const };
    const ended = await restored(NODES, '44', { ...asking, pairing: ASKED });
    expect(ended).toMatchObject({ status: 'unpaired' });
    expect(ended).not.toHaveProperty('pairing');
    const again = await restored(NODES, '45', { ...NODE, nodeID: '45', status: 'unpaired' });
    expect(again).not.toHaveProperty('sealedToken');
  });

  it('is no token and no invite that opens anything, but those that were good here', async () => {
    await known(NODES, '41', NODE);
    await known(ISSUED_TOKENS, 'mZ4', TOKEN);
    expect(await restored(ISSUED_TOKENS, 'mZ4', TOKEN)).toEqual(TOKEN);
    expect(await restored(ISSUED_TOKENS, 'mZ4', { ...TOKEN, hash: 'known to a thief' })).toEqual(TOKEN);
    for (const pairing of [{}, { pairing: 'first-use' as const }])
      expect(await restored(ISSUED_TOKENS, 'mZ6', { ...TOKEN, jti: 'mZ6', ...pairing })).toHaveProperty(
        'revokedAt',
      );
    expect(await restored(INVITES, INVITE.hash, INVITE)).toHaveProperty('withdrawnAt');
  });

  it('is no share but those that there were here, also where an older version noted nothing of them', async () => {
    await known(NODES, '41', NODE);
    await system.transaction((tx) => tx.put(EXPOSURES, '900', EXPOSURE));
    await begin().reapply(system, () => undefined);
    expect(await restored(EXPOSURES, '900', EXPOSURE)).toEqual(EXPOSURE);
    expect(await restored(EXPOSURES, '901', { ...EXPOSURE, moduleID: '901' })).toHaveProperty('deletedAt');
  });
});
