import { parseNodeURI } from '../../../server/federation/partners/node-uri.ts';
import { collectProof } from '../../../server/federation/partners/handshake.ts';
import { Refusal } from '../../../server/base/refusal.ts';
import {
  ADDRESS,
  makerOf,
  other,
  ownerOf,
  type Line,
  type Moment,
  type Side,
  type World,
} from './pairing-world.ts';

/** Something that one of the two honest users, a line, a kill or the thief may do next. */
export interface Step {
  readonly name: string;
  /** It ends what was there: then the connection need not go on. */
  readonly disturbs?: boolean;
  /** It puts older data in the place of newer. */
  readonly putsBack?: Side;
  /** @returns what is new beside the disks; undefined: it cannot be done now */
  take(moment: Moment, world: World): Promise<Partial<World> | undefined>;
}

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const THIEF_TOKEN = 'thief-token-that-nobody-else-has-made-0001';
const ANSWERED: readonly Line[] = [
  'through',
  'cut before it arrives',
  'killed before it arrives',
  'killed after it arrived',
  'killed with nothing but notes written',
];
/** What a relay does to a call: it may never get an office to agree to anything, or stop it for good. */
const RELAYED: readonly Line[] = [
  'and the relay drops the answer',
  'and the relay holds it back',
  'and the relay joins somebody else',
];
const SIDES: readonly Side[] = ['a', 'b'];

const done = async (step: Promise<unknown>): Promise<Partial<World>> => {
  await step;
  return {};
};

/** The invite as the thief passes it on: the same secret, with the way to itself. */
function rewritten(invite: string): string {
  const uri = new URL(invite);
  const own = new URL(ADDRESS.thief.listener);
  uri.host = own.host;
  uri.port = own.port;
  uri.searchParams.set('fp', ADDRESS.thief.certificate);
  uri.searchParams.set('rp', ADDRESS.thief.routes.pin);
  uri.searchParams.set('r', ADDRESS.thief.routes.texts[0] ?? '');
  return uri.toString();
}

/** The invite as a relay passes it on that wants to be on the way: only the further routes are others. */
function rerouted(invite: string): string {
  const uri = new URL(invite);
  uri.searchParams.set('r', ADDRESS.thief.routes.texts[0] ?? '');
  return uri.toString();
}

const honest: readonly Step[] = [
  {
    name: 'A invites',
    async take(moment) {
      const a = await moment.side('a');
      const { nodeID: idA } = (await moment.partner('a')) ?? (await a.nodes.create({ name: 'Bergen' }, '1'));
      moment.knows(idA);
      return { invite: (await a.invites.create(idA)).uri };
    },
  },
  {
    name: 'B takes the invite in',
    take: async (moment, { invite }) => (invite === undefined ? undefined : done(takeIn(moment, invite))),
  },
  ...[...ANSWERED, ...RELAYED, 'refused' as const].map((line) => ({
    name: `B asks, ${line}`,
    take: async (moment: Moment) => {
      const node = await moment.partner('b');
      if (!node?.pairing) return undefined;
      const b = await moment.side('b');
      return done(moment.under(line, () => b.pairing.pair(node.nodeID)));
    },
  })),
  ...[...ANSWERED, ...RELAYED, 'as B fetches it' as const].map((line) => ({
    name: `A says yes, ${line}`,
    take: async (moment: Moment, { idA, now }: World) => {
      const pairing = (await moment.partner('a'))?.pairing;
      if (pairing?.as !== 'inviter') return undefined;
      // Once the token of a yes has ended, another yes gives another.
      if (!pairing.yes || Date.parse(pairing.yes.at) + 90 * DAY <= now) moment.agree();
      const a = await moment.side('a');
      return done(moment.under(line, () => a.pairing.confirm(idA)));
    },
  })),
  ...[true, false].map((arrives) => ({
    name: arrives ? 'B collects' : 'B collects, and the answer is lost',
    take: async (moment: Moment) => ((await moment.fetch(arrives)) ? {} : undefined),
  })),
  ...SIDES.map((side) => ({
    name: `${side.toUpperCase()} calls`,
    take: (moment: Moment, world: World) => callsWithToken(moment, side, world),
  })),
  ...SIDES.map((side) => ({
    name: `${side.toUpperCase()} renews the other’s token, which is used`,
    take: (moment: Moment) => renews(moment, side),
  })),
  ...SIDES.map((side) => ({
    name: `${side.toUpperCase()} gives the pairing up`,
    async take(moment: Moment) {
      const node = await moment.partner(side);
      if (!node?.pairing) return undefined;
      return done((await moment.side(side)).disconnects.declinePairing(node.nodeID, '1'));
    },
  })),
  ...SIDES.map((side) => ({
    name: `${side.toUpperCase()} ends the connection`,
    disturbs: true,
    async take(moment: Moment) {
      const node = await moment.partner(side);
      if (node?.status !== 'paired') return undefined;
      return done((await moment.side(side)).disconnects.revoke(node.nodeID, '1'));
    },
  })),
];

/** What one office's look at the other comes to, as far as tokens go. */
async function callsWithToken(
  moment: Moment,
  side: Side,
  { now }: World,
): Promise<Partial<World> | undefined> {
  const node = await moment.partner(side);
  const { disconnects, tokens } = await moment.side(side);
  if (!node || !(node.status === 'paired' || disconnects.canReconnect(node))) return undefined;
  const { nodeID, tokenExpiresAt = '9' } = node;
  if (tokenExpiresAt <= new Date(now).toISOString()) return done(disconnects.markEndedByTime(nodeID));
  if (node.status !== 'paired') await disconnects.reconnect(nodeID);
  const owner = ownerOf(node);
  const held = await tokens.tokenFor(nodeID);
  if (owner === 'thief') moment.learn(held);
  if (owner !== other(side)) return {};
  const { tokens: theirs } = await moment.side(owner);
  const refusal = await theirs.verify(held).then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof Refusal) return error;
      throw error;
    },
  );
  if (!refusal) return {};
  if (refusal.code === 'auth.ended') await disconnects.recordEndedByPartner(nodeID);
  else await disconnects.markEnded(nodeID, refusal.words);
  return { disturbed: true };
}

/** The other side, whose token is from this one, gets a newer one and uses it. */
async function renews(moment: Moment, side: Side): Promise<Partial<World> | undefined> {
  const holder = other(side);
  const theirs = await moment.partner(holder);
  // Whom the holder would ask for it.
  if (theirs?.status !== 'paired' || ownerOf(theirs) !== side) return undefined;
  const { tokens } = await moment.side(holder);
  const own = (await moment.side(side)).tokens;
  const held = await tokens.tokenFor(theirs.nodeID);
  const caller = await moment.try(() => own.verify(held));
  if (caller?.kind !== 'node') return undefined;
  const fresh = await moment.try(() => own.renew(caller.node.nodeID));
  if (!fresh) return undefined;
  await tokens.storeRenewed(theirs, fresh.token, 'current');
  return done(moment.use(fresh.token));
}

async function takeIn(moment: Moment, invite: string): Promise<void> {
  const known = await moment.partner('b');
  const options = known ? { nodeID: known.nodeID } : {};
  await (await moment.side('b')).invites.accept(invite, options, '1');
}

/** What somebody can do who reads and writes the mail, and may have every token that was ever sent to it. */
const thief: readonly Step[] = [
  {
    name: 'B takes in the invite that the thief rewrote',
    take: async (moment, { invite }) =>
      invite === undefined ? undefined : done(takeIn(moment, rewritten(invite))),
  },
  {
    name: 'the thief asks A with a token of its own',
    take: (moment, world) => steal(moment, world, THIEF_TOKEN),
  },
  {
    name: 'the thief asks A with the token that B gave it',
    take: (moment, world) => {
      const ofB = world.seen.findLast((token) => makerOf(token) === 'b');
      return ofB === undefined ? Promise.resolve(undefined) : steal(moment, world, ofB);
    },
  },
  ...(['a', 'thief'] as const).map((maker) => ({
    name: `the thief answers B with a token of ${maker === 'a' ? 'A' : 'its own'}`,
    take: async (moment: Moment, { seen }: World) => {
      const ofB = seen.filter((token) => makerOf(token) === 'b');
      const token = maker === 'thief' ? THIEF_TOKEN : seen.findLast((each) => makerOf(each) === 'a');
      if (ofB.length === 0 || token === undefined) return undefined;
      for (const bearer of ofB) await moment.try(() => moment.complete(bearer, { token }));
      return {};
    },
  })),
  {
    name: 'the thief collects at A with every token that it has seen',
    async take(moment, { seen, idA }) {
      for (const token of seen) {
        const proof = collectProof(token, idA);
        const answer = await moment.try(async () => (await moment.side('a')).handshakes.collect(idA, proof));
        if (answer?.state !== 'ready') continue;
        moment.learn(answer.token);
        moment.give(answer.token);
      }
      return {};
    },
  },
  {
    name: 'the thief uses every token that it has seen',
    async take(moment, { seen }) {
      if (seen.length === 0) return undefined;
      for (const token of seen) await moment.use(token);
      return {};
    },
  },
];

async function steal(
  moment: Moment,
  { invite, idA }: World,
  token: string,
): Promise<Partial<World> | undefined> {
  if (invite === undefined) return undefined;
  const { secret } = parseNodeURI(invite);
  const { listener, certificate } = ADDRESS.thief;
  const a = await moment.side('a');
  const { nodeID: idB = '77' } = (await moment.partner('b')) ?? {};
  await moment.try(() =>
    a.handshakes.handshake({
      nodeIDs: [idA],
      inviteToken: secret,
      token,
      nodeIDB: idB,
      footbridge: { baseURL: listener, certificate, installation: 'the thief', office: 'Bergen' },
    }),
  );
  return {};
}

const relay: readonly Step[] = [
  {
    name: 'B takes in the invite whose routes the relay rewrote',
    take: async (moment, { invite }) =>
      invite === undefined ? undefined : done(takeIn(moment, rerouted(invite))),
  },
  {
    name: 'the relay delivers what it held back',
    take: async (moment) => ((await moment.deliver()) ? {} : undefined),
  },
];

const passing: readonly Step[] = [
  { name: 'a day and an hour pass', time: 25 * HOUR },
  { name: '65 days pass', time: 65 * DAY },
  { name: '95 days pass', time: 95 * DAY },
].map(({ name, time }) => ({
  name,
  async take(moment: Moment, { now, disturbed }: World) {
    moment.pass(time);
    const after = new Date(now + time).toISOString();
    const nodes = [await moment.partner('a'), await moment.partner('b')];
    const isOver = nodes.some((node) => (node?.tokenExpiresAt ?? '9') <= after);
    return { disturbed: disturbed || isOver };
  },
}));

/** So many backups of each side there are at the most, that of the beginning included. */
const BACKUPS = 3;

const backups: readonly Step[] = SIDES.flatMap((side) => [
  {
    name: `${side.toUpperCase()} makes a backup`,
    take: (_moment: Moment, { disk, backups: before }: World) => {
      const own = before[side];
      if (own.length === BACKUPS || own.at(-1) === disk[side]) return Promise.resolve(undefined);
      return Promise.resolve({ backups: { ...before, [side]: [...own, disk[side]] } });
    },
  },
  ...Array.from({ length: BACKUPS }, (_, at) => ({
    name: `backup ${at + 1} of ${side.toUpperCase()} is put back`,
    putsBack: side,
    take: (_moment: Moment, { disk, backups: { [side]: own } }: World) => {
      const backup = own[at];
      if (backup === undefined || backup === disk[side]) return Promise.resolve(undefined);
      return Promise.resolve({ disk: { ...disk, [side]: backup } });
    },
  })),
]);

/** Everything that can happen to two offices. */
export const STEPS: readonly Step[] = [...honest, ...thief, ...relay, ...passing, ...backups];
