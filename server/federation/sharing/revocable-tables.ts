import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { omit } from '../../base/omit.ts';
import { revocable, type RevocableTable } from '../../store/recovery/withdrawals/revocable.ts';
import type { Exposure, IssuedToken, Node } from '../model.ts';
import { LATEST_MS, TOKEN_LIFE_MS } from '../partners/node-tokens.ts';
import { mergePauses } from '../partners/pausing.ts';
import { changedAt } from './exposure-parts.ts';
import { agreeingPins } from './exposure-pins.ts';
import { EXPOSURES, INVITES, ISSUED_TOKENS, NODES, type Invite } from '../tables.ts';
import { said } from '../../words/said.ts';

const DAY = 86_400_000;

/** Decides about disclosure: all but names, author and times. */
type Deciding = Omit<Exposure, (typeof NAMING)[number]>;
const NAMING = [
  ...(['name', 'handle', 'fields', 'shape'] as const),
  ...([
    'createdAt',
    'createdBy',
    'updatedAt',
    'updatedBy',
    'retyped',
    'formerFieldIDs',
    'formerTitleIDs',
    'broken',
    'unmirrored',
  ] as const),
];
const columns = z.looseObject({ fieldIDs: z.array(z.string()) });
const decidingSchema = z.custom<Deciding>((value) => columns.safeParse(value).success);

/** Returns the members of a share that decide about disclosure; null for an ended or missing one. */
function decisionIn(exposure: Exposure | undefined): Deciding | null {
  return exposure?.deletedAt === undefined && exposure ? omit(exposure, ...NAMING) : null;
}

/** By another installation in the partner's place. */
const FOR_GOOD = { forGood: true } as const;
const forGoodSchema = z.strictObject({ forGood: z.literal(true) });

/** Sharing again without a choice continues this one. */
interface EndedWith {
  readonly endedWith: NonNullable<Exposure['condition']>;
}
const withParts = z.looseObject({ parts: z.array(z.unknown()) });
const endedWithSchema = z.strictObject({
  endedWith: z.custom<EndedWith['endedWith']>((value) => withParts.safeParse(value).success),
});

/**
 * Returns what a restore must keep: an open share's choice of what is sent; that a share ended for good, or its last
 * condition; null for others.
 */
function survivingDecision(exposure: Exposure | undefined): Deciding | EndedWith | typeof FOR_GOOD | null {
  if (exposure?.deletedAt === undefined) return decisionIn(exposure);
  if (exposure.ofAnother === true) return FOR_GOOD;
  return exposure.condition ? { endedWith: exposure.condition } : null;
}

/** Ends the share so that nothing revives it. Returns the same object if it is so already. */
function endedForGood(exposure: Exposure, now: string): Exposure {
  if (exposure.deletedAt !== undefined && exposure.ofAnother === true) return exposure;
  return { ...exposure, deletedAt: exposure.deletedAt ?? now, ofAnother: true };
}

/** Returns the newest condition, or the older one if the newest is "all rows". */
const latestRestriction = (
  older: Exposure['condition'],
  newest: Exposure['condition'],
): Exposure['condition'] => (newest && newest.parts.length > 0 ? newest : (older ?? newest));

/**
 * Ends the share with the note's condition, or its own if the note's is "all rows"; doesn't intersect them. Keeps an
 * earlier end. Returns the same object if nothing changes.
 */
function endWithCondition(exposure: Exposure, { endedWith }: EndedWith, now: string): Exposure {
  const condition = latestRestriction(exposure.condition, endedWith);
  const isKnown = JSON.stringify(condition) === JSON.stringify(exposure.condition);
  if (exposure.deletedAt !== undefined && isKnown) return exposure;
  const deletedAt = exposure.deletedAt ?? now;
  return { ...exposure, deletedAt, ...(condition && { condition }), ...unmirroredOf(exposure, condition) };
}

/** Sets `unmirrored` for a condition added to older data that had none. */
const unmirroredOf = (older: Exposure, condition: Exposure['condition']): Pick<Exposure, 'unmirrored'> =>
  condition && !older.condition ? { unmirrored: true } : {};

/** Ended, reduced or changed shares. */
const exposures = revocable({
  table: EXPOSURES,
  note: z.union([forGoodSchema, endedWithSchema, decidingSchema]).nullable(),
  /** Returns the note for a changed share: null if a restore must keep nothing; undefined if that hasn't changed. */
  noteForChange(before, after) {
    const [was, is] = [survivingDecision(before), survivingDecision(after)];
    return JSON.stringify(was) === JSON.stringify(is) ? undefined : is;
  },
  /**
   * Ends an older share, or limits it to columns, titles and rows that both it and the note allow; one ended here and
   * shared again since ends for good. Returns the same object if nothing changes.
   */
  reapply(exposure, note, now) {
    if (note !== null && 'forGood' in note) return endedForGood(exposure, now);
    if (note !== null && 'endedWith' in note) return endWithCondition(exposure, note, now);
    // Shared again since: rows gone before aren't reported.
    if (exposure.deletedAt !== undefined)
      return note !== null && note.began !== exposure.began ? endedForGood(exposure, now) : exposure;
    const left = exposure.fieldIDs.flatMap((id, at) => {
      const field = exposure.fields[at];
      return field && note?.fieldIDs.includes(id) ? [{ id, field }] : [];
    });
    if (left.length === 0) return { ...exposure, deletedAt: now };
    const fieldIDs = left.map(({ id }) => id);
    const titlePins =
      exposure.titlePins && note?.titlePins && agreeingPins(exposure.titlePins, note.titlePins);
    const condition = latestRestriction(exposure.condition, note?.condition);
    const again = {
      ...{ ...decisionIn(exposure), ...note, fieldIDs },
      ...(titlePins && { titlePins }),
      ...(condition && { condition }),
    };
    if (JSON.stringify(again) === JSON.stringify(decisionIn(exposure))) return exposure;
    const unmirrored = unmirroredOf(exposure, condition);
    const updatedAt = changedAt(now, [exposure]);
    return { ...exposure, ...again, ...unmirrored, fields: left.map(({ field }) => field), updatedAt };
  },
  /** Ends a share from a backup if this folder has no note of it; else returns the same object. */
  limitRestored(exposure, note, { now }) {
    const isOpenUnnoted = note === undefined && exposure.deletedAt === undefined;
    return isOpenUnnoted ? { ...exposure, deletedAt: now } : exposure;
  },
  // Older versions recorded revocations only.
  noteIfLacking: (exposure, note) => (note === undefined ? (decisionIn(exposure) ?? undefined) : undefined),
  moves: true,
});

/** For calls to a partner, restored as a whole. */
type Connection = Omit<Node, (typeof BESIDE)[number]>;
const BESIDE = [
  ...([
    'nodeID',
    'name',
    'status',
    'contact',
    'phone',
    'myDomain',
    'writtenIn',
    'invite',
    'pairing',
  ] as const),
  ...(['paused', 'unsure', 'removeRequestedAt', 'asksRemovalAt', 'wordsDifferedAt', 'problem'] as const),
  ...(['createdAt', 'createdBy', 'updatedAt', 'updatedBy', 'deletedAt'] as const),
];
const connection = z.looseObject({ baseURL: z.string(), sealedToken: z.string() });
const connectionSchema = z.custom<Connection>((value) => connection.safeParse(value).success);

const nodeNote = z.object({
  state: z.enum(['open', 'ended', 'removed']),
  /** Has a token for calls to the partner. */
  holds: z.boolean(),
  /** While connected, so that older data brings no replaced token. */
  connection: connectionSchema.exactOptional(),
  paused: z
    .object({
      until: z.string().exactOptional(),
      fetch: z.boolean().exactOptional(),
      serve: z.boolean().exactOptional(),
    })
    .optional(),
  unsure: z.string().exactOptional(),
  /** Our id of the same office's record that replaced this one. */
  replacedBy: z.string().exactOptional(),
});

/**
 * Returns what a restore must keep of a partner: its removal (also if undefined), an end, a pause, a stop until our
 * user looked, and the newest connection while paired.
 */
function noteForPartner(node: Node | undefined): z.infer<typeof nodeNote> {
  if (!node || node.deletedAt !== undefined) {
    const { replacedBy } = node ?? {};
    return { state: 'removed', holds: false, ...(replacedBy === undefined ? {} : { replacedBy }) };
  }
  const { paused, unsure, status, sealedToken } = node;
  return {
    state: status === 'unpaired' ? 'ended' : 'open',
    holds: sealedToken !== undefined,
    ...(status === 'paired' && sealedToken !== undefined ? { connection: omit(node, ...BESIDE) } : {}),
    ...(paused ? { paused } : {}),
    ...(unsure === undefined ? {} : { unsure }),
  };
}

/** Ended or newer connections; removed or paused partners. */
const nodes = revocable({
  table: NODES,
  note: nodeNote,
  /** Returns the note for a changed partner; undefined for one that is as before, or new and not paused. */
  noteForChange(before, after) {
    const is = noteForPartner(after);
    if (!before && is.state === 'open' && !is.paused) return undefined;
    return JSON.stringify(noteForPartner(before)) === JSON.stringify(is) ? undefined : is;
  },
  /**
   * Ends, removes, pauses, stops or reconnects an older partner as noted; returns the same object if nothing changes.
   */
  reapply(node, note, now) {
    if (node.deletedAt !== undefined) return node;
    const again = withUnsure(mergePauses(node, note.paused, Date.parse(now)), note.unsure);
    if (note.state === 'open') return reconnectAs(again, note.connection, now);
    if (note.state === 'ended' && !isOpen(node) && (note.holds || !node.sealedToken)) return again;
    const ended = asDisconnected(omit(again, ...(note.holds ? [] : OPENING), 'pairing', 'invite'), now);
    if (note.state === 'ended') return ended;
    const { replacedBy } = note;
    return { ...ended, deletedAt: now, ...(replacedBy === undefined ? {} : { replacedBy }) };
  },
  /**
   * Limits a partner from a backup: gives up its pairing and, unless it is paired and this folder's note has a
   * connection, removes token and invite and disconnects it. Returns the same object if nothing changes.
   */
  limitRestored(node, note, { key, now }) {
    const isConnected = node.status === 'paired' && note?.connection !== undefined;
    const shut = omit(
      { ...node, nodeID: key },
      'pairing',
      ...(isConnected ? [] : (['invite', ...OPENING] as const)),
    );
    const own = isOpen(node) && !isConnected ? asDisconnected(shut, now) : shut;
    return isDeepStrictEqual(own, node) ? node : own;
  },
  moves: true,
  // What it may see is unknown: holds its reading.
  close: (node, now) =>
    node.deletedAt === undefined && node.unsure === undefined
      ? { ...node, unsure: now, updatedAt: now }
      : node,
  /** Returns a note with the present connection if the last note has none; else undefined. */
  noteIfLacking(node, note) {
    const is = noteForPartner(node);
    return is.connection !== undefined && note?.connection === undefined ? is : undefined;
  },
});

const isOpen = ({ status }: Node): boolean => status === 'paired' || status === 'pair_requested';

/** Returns the record as disconnected, with the message that older data came back. */
const asDisconnected = (node: Node, now: string): Node => ({
  ...node,
  status: 'unpaired',
  updatedAt: now,
  problem: said('older-data.connection-ended'),
});

/** Puts its reading on hold since `unsure`. */
const withUnsure = (node: Node, unsure: string | undefined): Node =>
  unsure === undefined || node.unsure !== undefined ? node : { ...node, unsure };

const GOES = [
  ...(['domain', 'dialect', 'installation', 'role', 'certificate', 'calledFrom', 'reach'] as const),
  ...(['sealedToken', 'sealedBefore', 'tokenSince', 'tokenExpiresAt', 'words', 'wordsCompared'] as const),
  'ownNodeID' as const,
];

/**
 * Returns an older partner with the noted connection, if it was paired or our user had approved it. A pairing that
 * still needed our approval becomes `failed`. Returns the same object if nothing changes.
 */
function reconnectAs(node: Node, newest: Connection | undefined, now: string): Node {
  if (newest === undefined) return node;
  if (node.status === 'paired' || isAgreed(node)) {
    const connected: Node = { ...omit(node, 'pairing', ...GOES), ...newest, status: 'paired' };
    return isDeepStrictEqual(connected, omit(node, 'pairing')) ? node : connected;
  }
  if (node.status !== 'pair_requested') return node;
  return { ...omit(node, 'pairing'), status: 'failed', problem: OVERTAKEN, updatedAt: now };
}

/** Returns whether our user requested or approved the pairing in progress. */
const isAgreed = ({ status, pairing }: Node): boolean =>
  status === 'pair_requested' && (pairing?.as === 'invitee' || pairing?.yes !== undefined);

const OVERTAKEN = said('older-data.half-paired');

const OPENING = ['sealedToken', 'sealedBefore', 'tokenExpiresAt'] as const;

const goodToken = z.object({
  jti: z.string(),
  nodeID: z.string(),
  hash: z.string(),
  issuedAt: z.string(),
  expiresAt: z.string(),
  seen: z.number().exactOptional(),
  firstUsedAt: z.string().exactOptional(),
});

/** Revoked ones stay revoked, and valid ones valid: older data locks no partner out. */
const tokens = revocable({
  table: ISSUED_TOKENS,
  note: z.union([z.literal('revoked'), z.object({ good: goodToken })]),
  /**
   * Returns a changed, valid record as note; `revoked` once it is revoked or deleted; undefined during a pairing or
   * without such a change.
   */
  noteForChange(before, after) {
    if (after?.revokedAt === undefined && after) {
      const isKept = after.pairing !== undefined || isDeepStrictEqual(before, after);
      return isKept ? undefined : { good: omit(after, 'pairing', 'revokedAt') };
    }
    return before && before.revokedAt === undefined ? 'revoked' : undefined;
  },
  /** Revokes an older token, or sets its newest valid record, but not during a pairing. */
  async reapply(token, note, now, tx) {
    if (token.revokedAt !== undefined) return token;
    if (note === 'revoked') return { ...token, revokedAt: now };
    if (token.pairing !== undefined && (await tx.get(NODES, token.nodeID))?.status !== 'paired') return token;
    return isDeepStrictEqual(token, note.good) ? token : note.good;
  },
  /** Returns a token that older data lacks; undefined for a revoked one, or a removed partner's. */
  async recreate(tx, note): Promise<IssuedToken | undefined> {
    if (note === 'revoked') return undefined;
    const owner = await tx.get(NODES, note.good.nodeID);
    return owner && owner.deletedAt === undefined ? note.good : undefined;
  },
  /** Revokes a token from a backup unless the note has exactly this record; else returns the same object. */
  limitRestored(token, note, { now }) {
    const isNoted = typeof note === 'object' && isDeepStrictEqual(token, note.good);
    return isNoted || token.revokedAt !== undefined ? token : { ...token, revokedAt: now };
  },
  moves: true,
  /** Returns a note for a valid token of no running pairing that has none; else undefined. */
  noteIfLacking(token, note, now) {
    const isGood = token.revokedAt === undefined && token.pairing === undefined && token.expiresAt > now;
    return isGood && note === undefined ? { good: omit(token, 'pairing', 'revokedAt') } : undefined;
  },
  useful: TOKEN_LIFE_MS + LATEST_MS + 10 * DAY,
});

/** Withdraws an invite, unless it was used. */
const withdrawn = (invite: Invite, now: string): Invite =>
  invite.usedAt !== undefined || invite.withdrawnAt !== undefined ? invite : { ...invite, withdrawnAt: now };

/** A restore withdraws all unused ones. */
const invites = revocable({
  table: INVITES,
  note: z.enum(['used', 'withdrawn']),
  /** Returns the note for an open invite that was used, withdrawn or deleted; undefined for other changes. */
  noteForChange(before, after) {
    if (!before || before.usedAt !== undefined || before.withdrawnAt !== undefined) return undefined;
    if (after?.usedAt !== undefined) return 'used';
    return !after || after.withdrawnAt !== undefined ? 'withdrawn' : undefined;
  },
  /** Ends an older, open invite as used or withdrawn; returns the same object if it is closed. */
  reapply(invite, note, now) {
    if (invite.usedAt !== undefined || invite.withdrawnAt !== undefined) return invite;
    return { ...invite, ...(note === 'used' ? { usedAt: now } : { withdrawnAt: now }) };
  },
  limitRestored: (invite, _, { now }) => withdrawn(invite, now),
  close: withdrawn,
  useful: 2 * DAY,
});

/** Their revocations survive a restore. */
export const REVOCABLE_TABLES: readonly RevocableTable[] = [exposures, nodes, tokens, invites];
