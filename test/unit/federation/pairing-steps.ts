import { parseNodeURI } from '../../../server/federation/node-uri.ts';
import { collectProof } from '../../../server/federation/proof.ts';
import { ADDRESS, makerOf, other, ownerOf, type Line, type Moment, type World } from './pairing-world.ts';

/** Something that one of the two honest users, a line, a kill or the thief may do next. */
export interface Step {
  readonly name: string;
  /** It gives up, or puts back, what was there: then the connection need not go on. */
  readonly disturbs?: boolean;
  /** @returns what is new beside the disks; undefined: it cannot be done now */
  take(moment: Moment, world: World): Promise<Partial<World> | undefined>;
}

const THIEF_TOKEN = 'thief-token-that-nobody-else-has-made-0001';
const ANSWERED: readonly Line[] = [
  'through',
  'cut before it arrives',
  'killed before it arrives',
  'killed after it arrived',
];

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
  return uri.toString();
}

const honest: readonly Step[] = [
  {
    name: 'A invites',
    take: async (moment, { idA }) => ({ invite: (await (await moment.side('a')).invites.create(idA)).uri }),
  },
  {
    name: 'B takes the invite in',
    take: async (moment, { invite }) => (invite === undefined ? undefined : done(takeIn(moment, invite))),
  },
  ...[...ANSWERED, 'refused' as const].map((line) => ({
    name: `B asks, ${line}`,
    take: async (moment: Moment) => {
      const { pairing, nodeID } = await moment.partner('b');
      if (!pairing) return undefined;
      const b = await moment.side('b');
      return done(moment.under(line, () => b.nodes.pair(nodeID)));
    },
  })),
  ...ANSWERED.map((line) => ({
    name: `A says yes, ${line}`,
    take: async (moment: Moment, { idA }: World) => {
      const { pairing } = await moment.partner('a');
      if (pairing?.as !== 'inviter') return undefined;
      if (!pairing.yes) moment.agree();
      const a = await moment.side('a');
      return done(moment.under(line, () => a.nodes.confirm(idA)));
    },
  })),
  ...[true, false].map((arrives) => ({
    name: arrives ? 'B collects' : 'B collects, and the answer is lost',
    take: (moment: Moment) => collect(moment, arrives),
  })),
  ...(['a', 'b'] as const).map((side) => ({
    name: `${side.toUpperCase()} calls`,
    take: async (moment: Moment) => {
      const { nodeID } = await moment.partner(side);
      const held = await moment.try(async () => (await moment.side(side)).tokens.held(nodeID));
      return held === undefined ? undefined : done(moment.use(held));
    },
  })),
  ...(['a', 'b'] as const).map((side) => ({
    name: `${side.toUpperCase()} renews the other’s token, which is used`,
    take: async (moment: Moment) => {
      const holder = other(side);
      const theirs = await moment.partner(holder);
      // Whom the holder would ask for it.
      if (theirs.status !== 'paired' || ownerOf(theirs) !== side) return undefined;
      const { tokens } = await moment.side(holder);
      if ((await moment.use(await tokens.held(theirs.nodeID))) !== 'node') return undefined;
      const { nodeID } = await moment.partner(side);
      const { token } = await (await moment.side(side)).tokens.renew(nodeID);
      await tokens.renewed(theirs, token);
      return done(moment.use(token));
    },
  })),
  ...(['a', 'b'] as const).map((side) => ({
    name: `${side.toUpperCase()} gives the pairing up`,
    take: async (moment: Moment) => {
      const { pairing, nodeID } = await moment.partner(side);
      if (!pairing) return undefined;
      return done((await moment.side(side)).nodes.decline(nodeID, '1'));
    },
  })),
];

async function takeIn(moment: Moment, invite: string): Promise<void> {
  const { nodeID } = await moment.partner('b');
  await (await moment.side('b')).invites.accept(invite, { nodeID }, '1');
}

async function collect(moment: Moment, arrives: boolean): Promise<Partial<World> | undefined> {
  const node = await moment.partner('b');
  const known = await moment.try(async () => (await moment.side('b')).nodes.collectProof(node.nodeID));
  if (!known || node.pairing?.link.baseURL !== ADDRESS.a.listener) return undefined;
  const answer = await moment.try(async () =>
    (await moment.side('a')).nodes.collect(known.sharedNodeID, known.proof),
  );
  if (answer?.state !== 'ready') return undefined;
  moment.give(answer.token);
  if (arrives)
    await moment.try(async () => (await moment.side('b')).nodes.collected(node.nodeID, answer.token));
  return {};
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
      for (const bearer of ofB) await moment.try(() => moment.complete(bearer, token));
      return {};
    },
  })),
  {
    name: 'the thief collects at A with every token that it has seen',
    async take(moment, { seen, idA }) {
      for (const token of seen) {
        const proof = collectProof(token, idA);
        const answer = await moment.try(async () => (await moment.side('a')).nodes.collect(idA, proof));
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
  const { nodeID: idB } = await moment.partner('b');
  await moment.try(() =>
    a.nodes.handshake({
      nodeIDs: [idA],
      inviteToken: secret,
      token,
      nodeIDB: idB,
      footbridge: { baseURL: listener, certificate, installation: 'installation-Bergen', office: 'Bergen' },
    }),
  );
  return {};
}

/** The disk of one side goes back to what it was at the beginning: somebody puts an old backup in place. */
const restored = (beginning: World): readonly Step[] =>
  (['a', 'b'] as const).map((side) => ({
    name: `an old backup of ${side.toUpperCase()} is put back`,
    disturbs: true,
    take: (_moment: Moment, { disk }: World) =>
      Promise.resolve({ disk: { ...disk, [side]: beginning.disk[side] } }),
  }));

/** Everything that can happen to two offices that pair again. */
export const stepsFrom = (beginning: World): readonly Step[] => [...honest, ...thief, ...restored(beginning)];
