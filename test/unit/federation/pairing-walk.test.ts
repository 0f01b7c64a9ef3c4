import { createHmac } from 'node:crypto';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { sha256 } from '../../../server/federation/hashes.ts';
import type { Node } from '../../../server/federation/model.ts';
import { omit } from '../../../server/lists/omit.ts';
import { stepsFrom, type Step } from './pairing-steps.ts';
import {
  likeness,
  makerOf,
  Moment,
  other,
  ownerOf,
  pairedWorld,
  type Side,
  type World,
} from './pairing-world.ts';

// The true ones cost tens of milliseconds each, on purpose; test/unit/federation/words.test.ts looks at them.
vi.mock(import('../../../server/federation/words.ts'), () => ({
  verificationWords: (facts) => Promise.resolve(sha256(JSON.stringify(facts))),
}));

/** So many steps are taken in every order, from the beginning and from each place on the way; more with time. */
const DEPTH = Number(process.env.PAIRING_DEPTH ?? 3);

/** Where walks begin: two paired offices, and what these steps have made of them. */
const WAYS: readonly (readonly string[])[] = [
  [],
  ['A invites', 'B takes the invite in'],
  ['A invites', 'B takes the invite in', 'B asks, through'],
  ['A invites', 'B takes the invite in', 'B asks, killed after it arrived'],
  ['A invites', 'B takes the invite in', 'B asks, through', 'A says yes, killed before it arrives'],
  ['A invites', 'B takes in the invite that the thief rewrote', 'B asks, through'],
  [
    'A invites',
    'B takes the invite in',
    'B asks, through',
    'A says yes, killed after it arrived',
    'B takes in the invite that the thief rewrote',
  ],
  [
    'A invites',
    'B takes in the invite that the thief rewrote',
    'B asks, through',
    'the thief asks A with the token that B gave it',
    'A says yes, through',
  ],
];

/** Everything that is longer than a word, of what lies on a disk in clear. */
function storedTexts(world: World): string[] {
  const texts = new Set<string>();
  for (const held of [world.disk.a, world.disk.b])
    JSON.stringify(
      [...held].map(([, entries]) => [...entries]),
      (_key, value: unknown) => {
        if (typeof value === 'string' && value.length >= 16 && !value.startsWith('sealed:')) texts.add(value);
        return value;
      },
    );
  return [...texts];
}

async function heldBy(moment: Moment, side: Side): Promise<{ node: Node; token: string | undefined }> {
  const node = await moment.partner(side);
  const token =
    node.sealedToken === undefined
      ? undefined
      : await moment.try(async () => (await moment.side(side)).tokens.held(node.nodeID));
  return { node, token };
}

/** What never happens, whatever did. Each line has its number in docs/pairing.md. */
async function mustHold(world: World, beginning: World): Promise<void> {
  const moment = new Moment(world);
  const sides = { a: await heldBy(moment, 'a'), b: await heldBy(moment, 'b') };

  // P1: a token is kept with the way to whoever made it, or gave it, and is sent nowhere else.
  for (const { node, token } of Object.values(sides)) {
    if (token === undefined) continue;
    const owner = ownerOf(node);
    const isOfThief = owner === 'thief' && (makerOf(token) === 'thief' || world.seen.includes(token));
    if (!isOfThief) expect(['P1', owner]).toEqual(['P1', makerOf(token)]);
  }

  // P2: nobody in between goes unseen: who holds a token of ours that opens something is whom the words are of.
  const words = { a: sides.a.node.words, b: sides.b.node.words };
  const between = (['a', 'b'] as const).filter((side) => ownerOf(sides[side].node) === 'thief');
  if (between.length > 0) expect(['P2', words.a === words.b]).toEqual(['P2', false]);

  // P3: what the thief has opens an office only where its own user agreed on the thief with it.
  for (const token of world.seen) {
    const maker = makerOf(token);
    if (maker === 'thief') continue;
    const fork = new Moment(world);
    if ((await fork.use(token)) === 'node')
      expect(['P3', ownerOf(await fork.partner(maker))]).toEqual(['P3', 'thief']);
  }

  // P4: one yes gives one token.
  for (const tokens of world.given) expect(['P4', tokens.length < 2]).toEqual(['P4', true]);

  // P5: nothing that lies on a disk or in a backup collects an answer.
  const { idA } = world;
  const a = await moment.side('a');
  if (sides.a.node.pairing !== undefined || sides.a.node.status !== 'paired')
    for (const text of [...storedTexts(world), ...storedTexts(beginning)])
      for (const proof of [text, createHmac('sha256', text).update(`pairing ${idA}`).digest('hex')])
        expect(['P5', await moment.try(() => a.nodes.collect(idA, proof))]).toEqual(['P5', undefined]);

  // P6: until a new pairing completes at either side, the connection is as it was.
  const first = new Moment(beginning);
  const unchanged = await Promise.all(
    (['a', 'b'] as const).map(async (side) => {
      const before = await first.partner(side);
      return before.words === sides[side].node.words;
    }),
  );
  if (!world.disturbed && unchanged.every(Boolean))
    for (const side of ['a', 'b'] as const) {
      const before = await first.partner(side);
      const { node, token } = sides[side];
      const way = (of: Node): unknown =>
        omit(of, 'pairing', 'invite', 'updatedAt', 'sealedToken', 'tokenSince', 'tokenExpiresAt', 'problem');
      expect(['P6', way(node)]).toEqual(['P6', way(before)]);
      expect(['P6', token && (await new Moment(world).use(token))]).toEqual(['P6', 'node']);
    }

  // P7: two offices that hold good tokens of each other, with nothing under way, show the same words.
  const isSettled = (['a', 'b'] as const).every(
    (side) => sides[side].node.status === 'paired' && sides[side].node.pairing === undefined,
  );
  if (isSettled && between.length === 0) {
    const works = async (side: Side): Promise<boolean> =>
      (await new Moment(world).use(sides[side].token ?? '')) === 'node';
    if ((await works('a')) && (await works('b'))) expect(['P7', words.a]).toEqual(['P7', words.b]);
  }
}

/** P8: from wherever it is, the two users get to a connection by taking the usual steps once. */
async function mustComeToAnEnd(world: World): Promise<void> {
  const moment = new Moment(world);
  const [a, b] = [await moment.side('a'), await moment.side('b')];
  const { nodeID } = await moment.partner('b');
  await b.invites.accept((await a.invites.create(world.idA)).uri, { nodeID }, '1');
  await b.nodes.pair(nodeID);
  await a.nodes.confirm(world.idA);
  const after = { a: await heldBy(moment, 'a'), b: await heldBy(moment, 'b') };
  for (const side of ['a', 'b'] as const) {
    const { node, token } = after[side];
    expect(['P8', node.status, ownerOf(node)]).toEqual(['P8', 'paired', other(side)]);
    expect(['P8', token && (await moment.use(token))]).toEqual(['P8', 'node']);
  }
  expect(['P8', after.a.node.words]).toEqual(['P8', after.b.node.words]);
}

async function wrongPathIsRefused(world: World): Promise<void> {
  if (world.invite === undefined) return;
  const moment = new Moment(world);
  const a = await moment.side('a');
  const [own, elsewhere] = await a.nodes.list();
  const call = {
    inviteToken: new URL(world.invite).password,
    token: 'token-'.padEnd(40, 'q'),
    nodeIDB: '77',
  };
  for (const nodeIDs of [[elsewhere?.nodeID ?? ''], [elsewhere?.nodeID ?? '', own?.nodeID ?? '']])
    expect(['P9', await moment.try(() => a.nodes.handshake({ ...call, nodeIDs }))]).toEqual([
      'P9',
      undefined,
    ]);
}

async function next(world: World, step: Step): Promise<World | undefined> {
  const moment = new Moment(world);
  const change = await step.take(moment, world);
  if (!change) return undefined;
  return moment.after({
    ...change,
    disturbed: world.disturbed || step.disturbs === true,
  });
}

describe('pairing again, in every order of steps', () => {
  let beginning: World;
  let steps: readonly Step[];
  beforeAll(async () => {
    beginning = await pairedWorld();
    steps = stepsFrom(beginning);
  });

  it('keeps to P1–P9 of docs/pairing.md', { timeout: 600_000 }, async () => {
    const known = new Set<string>();
    let edge: { world: World; path: readonly string[] }[] = [];
    for (const path of WAYS) {
      let world = beginning;
      for (const name of path) {
        const step = steps.find((each) => each.name === name);
        const after = step && (await next(world, step));
        if (!after) throw new Error(`“${name}” cannot be done here.`);
        world = after;
      }
      known.add(likeness(world));
      edge.push({ world, path });
    }
    let transitions = 0;
    for (let depth = 0; depth <= DEPTH; depth += 1) {
      const further: typeof edge = [];
      for (const { world, path } of edge) {
        try {
          await mustHold(world, beginning);
          await mustComeToAnEnd(world);
          await wrongPathIsRefused(world);
          for (const step of depth < DEPTH ? steps : []) {
            const after = await next(world, step);
            if (!after) continue;
            transitions += 1;
            const name = likeness(after);
            if (known.has(name)) continue;
            known.add(name);
            further.push({ world: after, path: [...path, step.name] });
          }
        } catch (error) {
          throw new Error(`After: ${path.join(' · ') || 'nothing'}\n${String(error)}`, { cause: error });
        }
      }
      edge = further;
    }
    console.info(
      `Pairing: every order of ${steps.length} steps, ${DEPTH} deep from ${WAYS.length} places: ${transitions} taken, ${known.size} different worlds.`,
    );
    expect(known.size).toBeGreaterThan(200);
  });
});
