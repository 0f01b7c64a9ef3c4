import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { omit } from '../../base/omit.ts';
import { revocable, type RevocableTable } from '../../store/recovery/withdrawals/revocable.ts';
import type { Exposure, IssuedToken, Node } from '../model.ts';
import { LATEST_MS, TOKEN_LIFE_MS } from '../partners/node-tokens.ts';
import { pausedAsWell } from '../partners/pausing.ts';
import { changedAt } from './exposure-parts.ts';
import { agreedPins } from './exposure-pins.ts';
import { EXPOSURES, INVITES, ISSUED_TOKENS, NODES, type Invite } from '../tables.ts';
import { said } from '../../words/said.ts';

const DAY = 86_400_000;

/** What decides about what leaves: all but how it is called and who changed it when. */
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
    'broken',
    'unmirrored',
  ] as const),
];
const columns = z.looseObject({ fieldIDs: z.array(z.string()) });
const decidingSchema = z.custom<Deciding>((value) => columns.safeParse(value).success);

/** Null where it opens nothing. */
function decisionIn(exposure: Exposure | undefined): Deciding | null {
  return exposure?.deletedAt === undefined && exposure ? omit(exposure, ...NAMING) : null;
}

/** It ended as another installation took the partner's place: that one is told nothing of what was before. */
const FOR_GOOD = { forGood: true } as const;
const forGoodSchema = z.strictObject({ forGood: z.literal(true) });

/** It ended, and gave these rows only: who shares the list again and says nothing of rows means the same. */
interface EndedWith {
  readonly endedWith: NonNullable<Exposure['condition']>;
}
const withParts = z.looseObject({ parts: z.array(z.unknown()) });
const endedWithSchema = z.strictObject({
  endedWith: z.custom<EndedWith['endedWith']>((value) => withParts.safeParse(value).success),
});

function endOrChoice(exposure: Exposure | undefined): Deciding | EndedWith | typeof FOR_GOOD | null {
  if (exposure?.deletedAt === undefined) return decisionIn(exposure);
  if (exposure.ofAnother === true) return FOR_GOOD;
  return exposure.condition ? { endedWith: exposure.condition } : null;
}

function endedForGood(exposure: Exposure, now: string): Exposure {
  if (exposure.deletedAt !== undefined && exposure.ofAnother === true) return exposure;
  return { ...exposure, deletedAt: exposure.deletedAt ?? now, ofAnother: true };
}

/** The newest choice of rows, unless that was to give all of them: older data does not open what it had not opened. */
const narrower = (older: Exposure['condition'], newest: Exposure['condition']): Exposure['condition'] =>
  newest && newest.parts.length > 0 ? newest : (older ?? newest);

function ended(exposure: Exposure, { endedWith }: EndedWith, now: string): Exposure {
  const condition = narrower(exposure.condition, endedWith);
  const isKnown = JSON.stringify(condition) === JSON.stringify(exposure.condition);
  if (exposure.deletedAt !== undefined && isKnown) return exposure;
  const deletedAt = exposure.deletedAt ?? now;
  return { ...exposure, deletedAt, ...(condition && { condition }), ...owedTo(exposure, condition) };
}

/** Nothing is kept in older data of what a partner knows where it had no condition yet. */
const owedTo = (older: Exposure, condition: Exposure['condition']): Pick<Exposure, 'unmirrored'> =>
  condition && !older.condition ? { unmirrored: true } : {};

/** A list that is not shared any more, or less of it, or otherwise. */
const exposures = revocable({
  table: EXPOSURES,
  note: z.union([forGoodSchema, endedWithSchema, decidingSchema]).nullable(),
  noted(before, after) {
    const [was, is] = [endOrChoice(before), endOrChoice(after)];
    return JSON.stringify(was) === JSON.stringify(is) ? undefined : is;
  },
  reapply(exposure, note, now) {
    if (note !== null && 'forGood' in note) return endedForGood(exposure, now);
    if (note !== null && 'endedWith' in note) return ended(exposure, note, now);
    // Where it was shared again since, from another beginning, what had gone before that is not told now either.
    if (exposure.deletedAt !== undefined)
      return note !== null && note.began !== exposure.began ? endedForGood(exposure, now) : exposure;
    const left = exposure.fieldIDs.flatMap((id, at) => {
      const field = exposure.fields[at];
      return field && note?.fieldIDs.includes(id) ? [{ id, field }] : [];
    });
    if (left.length === 0) return { ...exposure, deletedAt: now };
    const fieldIDs = left.map(({ id }) => id);
    const titlePins = exposure.titlePins && note?.titlePins && agreedPins(exposure.titlePins, note.titlePins);
    const condition = narrower(exposure.condition, note?.condition);
    const again = {
      ...{ ...decisionIn(exposure), ...note, fieldIDs },
      ...(titlePins && { titlePins }),
      ...(condition && { condition }),
    };
    if (JSON.stringify(again) === JSON.stringify(decisionIn(exposure))) return exposure;
    const owed = owedTo(exposure, condition);
    const updatedAt = changedAt(now, [exposure]);
    return { ...exposure, ...again, ...owed, fields: left.map(({ field }) => field), updatedAt };
  },
  // What was shared here is noted.
  restored(exposure, note, { now }) {
    const isOpenUnnoted = note === undefined && exposure.deletedAt === undefined;
    return isOpenUnnoted ? { ...exposure, deletedAt: now } : exposure;
  },
  // Versions before noted what was taken back only.
  lacking: (exposure, note) => (note === undefined ? (decisionIn(exposure) ?? undefined) : undefined),
  moves: true,
});

/** What calls to a partner go by: the token that we hold, and the way to it. It changes as a whole, and is carried so. */
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
  /** There is a token to call the partner with. */
  holds: z.boolean(),
  /** While it is connected: by what, so that older data does not leave us with a token that the partner has replaced. */
  connection: connectionSchema.exactOptional(),
  paused: z
    .object({
      until: z.string().exactOptional(),
      fetch: z.boolean().exactOptional(),
      serve: z.boolean().exactOptional(),
    })
    .optional(),
  /** See {@link Node.unsure}. */
  unsure: z.string().exactOptional(),
});

function noteOf(node: Node | undefined): z.infer<typeof nodeNote> {
  if (!node || node.deletedAt !== undefined) return { state: 'removed', holds: false };
  const { paused, unsure, status, sealedToken } = node;
  return {
    state: status === 'unpaired' ? 'ended' : 'open',
    holds: sealedToken !== undefined,
    ...(status === 'paired' && sealedToken !== undefined ? { connection: omit(node, ...BESIDE) } : {}),
    ...(paused ? { paused } : {}),
    ...(unsure === undefined ? {} : { unsure }),
  };
}

/** A connection that has ended or goes by a newer token, a partner that was removed or paused. */
const nodes = revocable({
  table: NODES,
  note: nodeNote,
  noted(before, after) {
    const is = noteOf(after);
    if (!before && is.state === 'open' && !is.paused) return undefined;
    return JSON.stringify(noteOf(before)) === JSON.stringify(is) ? undefined : is;
  },
  reapply(node, note, now) {
    if (node.deletedAt !== undefined) return node;
    const again = unsureAsWell(pausedAsWell(node, note.paused, Date.parse(now)), note.unsure);
    if (note.state === 'open') return asConnected(again, note.connection, now);
    if (note.state === 'ended' && !isOpen(node) && (note.holds || !node.sealedToken)) return again;
    const ended = disconnected(omit(again, ...(note.holds ? [] : OPENING), 'pairing', 'invite'), now);
    return note.state === 'removed' ? { ...ended, deletedAt: now } : ended;
  },
  // By the connection that is noted, or none: neither a pairing under way, which would go on without our user, nor a token,
  // which could be another partner's.
  restored(node, note, { key, now }) {
    const isConnected = node.status === 'paired' && note?.connection !== undefined;
    const shut = omit(
      { ...node, nodeID: key },
      'pairing',
      ...(isConnected ? [] : (['invite', ...OPENING] as const)),
    );
    const own = isOpen(node) && !isConnected ? disconnected(shut, now) : shut;
    return isDeepStrictEqual(own, node) ? node : own;
  },
  moves: true,
  // What is not known is whether it is connected still, and what it may see. The shares of one that is not stand there
  // for when it is again: where its time was wrong, where it is tried again, and where both pair anew.
  close: (node, now) =>
    node.deletedAt === undefined && node.unsure === undefined
      ? { ...node, unsure: now, updatedAt: now }
      : node,
  // Versions before noted no connection.
  lacking(node, note) {
    const is = noteOf(node);
    return is.connection !== undefined && note?.connection === undefined ? is : undefined;
  },
});

const isOpen = ({ status }: Node): boolean => status === 'paired' || status === 'pair_requested';

const disconnected = (node: Node, now: string): Node => ({
  ...node,
  status: 'unpaired',
  updatedAt: now,
  problem: said('older-data.connection-ended'),
});

const unsureAsWell = (node: Node, unsure: string | undefined): Node =>
  unsure === undefined || node.unsure !== undefined ? node : { ...node, unsure };

/** Members of a connection that may be absent. */
const GOES = [
  ...(['domain', 'dialect', 'installation', 'role', 'certificate', 'calledFrom', 'reach'] as const),
  ...(['sealedToken', 'sealedBefore', 'tokenSince', 'tokenExpiresAt', 'words', 'wordsCompared'] as const),
];

/**
 * A partner that is connected, by the newest token and way; a pairing that was under way then is over. One that our
 * user had not agreed on in this data makes no connection: there is nothing left to say yes to.
 */
function asConnected(node: Node, newest: Connection | undefined, now: string): Node {
  if (newest === undefined) return node;
  if (node.status === 'paired' || isAgreed(node)) {
    const connected: Node = { ...omit(node, 'pairing', ...GOES), ...newest, status: 'paired' };
    return isDeepStrictEqual(connected, omit(node, 'pairing')) ? node : connected;
  }
  if (node.status !== 'pair_requested') return node;
  return { ...omit(node, 'pairing'), status: 'failed', problem: OVERTAKEN, updatedAt: now };
}

/** Nothing but the partner's part was missing: our user had asked for the pairing, or said yes to it. */
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

/**
 * Tokens of partners: those that were revoked or replaced stay so, and those that are good stay good, so that no
 * partner is locked out by data that is older than its token. Of a pairing under way none is kept. None lives as long
 * as its note, and nothing can be opened with what stands there.
 */
const tokens = revocable({
  table: ISSUED_TOKENS,
  note: z.union([z.literal('revoked'), z.object({ good: goodToken })]),
  noted(before, after) {
    if (after?.revokedAt === undefined && after) {
      const isKept = after.pairing !== undefined || isDeepStrictEqual(before, after);
      return isKept ? undefined : { good: omit(after, 'pairing', 'revokedAt') };
    }
    return before && before.revokedAt === undefined ? 'revoked' : undefined;
  },
  async reapply(token, note, now, tx) {
    if (token.revokedAt !== undefined) return token;
    if (note === 'revoked') return { ...token, revokedAt: now };
    // Where the partner is not connected, its pairing goes on, and the token is for that.
    if (token.pairing !== undefined && (await tx.get(NODES, token.nodeID))?.status !== 'paired') return token;
    return isDeepStrictEqual(token, note.good) ? token : note.good;
  },
  async missing(tx, note): Promise<IssuedToken | undefined> {
    if (note === 'revoked') return undefined;
    const owner = await tx.get(NODES, note.good.nodeID);
    return owner && owner.deletedAt === undefined ? note.good : undefined;
  },
  // Nor is one good whose pairing was under way.
  restored(token, note, { now }) {
    const isNoted = typeof note === 'object' && isDeepStrictEqual(token, note.good);
    return isNoted || token.revokedAt !== undefined ? token : { ...token, revokedAt: now };
  },
  moves: true,
  // Versions before noted those only that were revoked.
  lacking(token, note, now) {
    const isGood = token.revokedAt === undefined && token.pairing === undefined && token.expiresAt > now;
    return isGood && note === undefined ? { good: omit(token, 'pairing', 'revokedAt') } : undefined;
  },
  useful: TOKEN_LIFE_MS + LATEST_MS + 10 * DAY,
});

const withdrawn = (invite: Invite, now: string): Invite =>
  invite.usedAt !== undefined || invite.withdrawnAt !== undefined ? invite : { ...invite, withdrawnAt: now };

/** Invites that were used or withdrawn; after a restore, all. None lives as long as its note. */
const invites = revocable({
  table: INVITES,
  note: z.enum(['used', 'withdrawn']),
  noted(before, after) {
    if (!before || before.usedAt !== undefined || before.withdrawnAt !== undefined) return undefined;
    if (after?.usedAt !== undefined) return 'used';
    return !after || after.withdrawnAt !== undefined ? 'withdrawn' : undefined;
  },
  reapply(invite, note, now) {
    if (invite.usedAt !== undefined || invite.withdrawnAt !== undefined) return invite;
    return { ...invite, ...(note === 'used' ? { usedAt: now } : { withdrawnAt: now }) };
  },
  restored: (invite, _, { now }) => withdrawn(invite, now),
  close: withdrawn,
  useful: 2 * DAY,
});

/** What concerns partners and must not come back with older data. */
export const REVOCABLE_TABLES: readonly RevocableTable[] = [exposures, nodes, tokens, invites];
