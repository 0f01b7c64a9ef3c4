import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { sha256 } from '../../../server/base/hashes.ts';
import type { Node } from '../../../server/federation/model.ts';
import { omit } from '../../../server/base/omit.ts';
import { likeness } from './pairing-likeness.ts';
import { STEPS, type Step } from './pairing-steps.ts';
import {
  ADDRESS,
  emptyWorld,
  makerOf,
  Moment,
  other,
  ownerOf,
  pairedWorld,
  type Line,
  type Side,
  type World,
} from './pairing-world.ts';

// The true ones cost tens of milliseconds each, on purpose; test/unit/federation/words.test.ts looks at them.
vi.mock(import('../../../server/federation/partners/words.ts'), async (importOriginal) => ({
  ...(await importOriginal()),
  verificationWords: (facts) => Promise.resolve(sha256(JSON.stringify(facts))),
}));

/** So many steps are taken in every order from both beginnings, and one less from each place on the way. */
const DEPTH = Number(process.env.PAIRING_DEPTH ?? 2);

const ASKED = ['A invites', 'B takes the invite in', 'B asks, through'];
const RENEWED = ['A renews the other’s token, which is used', 'B renews the other’s token, which is used'];

/** Where walks begin that start from two offices that know nothing of each other, by the steps that lead there. */
const FIRST: readonly (readonly string[])[] = [
  [],
  ['A invites', 'B takes the invite in'],
  [...ASKED, 'B makes a backup'],
  ['A invites', 'B takes the invite in', 'B asks, killed after it arrived'],
  [...ASKED, 'A makes a backup', 'A says yes, killed after it arrived'],
  [...ASKED, 'A says yes, killed with nothing but notes written'],
  ['A invites', 'B takes in the invite that the thief rewrote', 'B asks, through'],
  ['A invites', 'B takes the invite in', 'B asks, and the relay holds it back'],
  ['A invites', 'B takes in the invite whose routes the relay rewrote', 'B asks, through'],
  [...ASKED, 'A says yes, and the relay holds it back'],
];

/** The same from two offices that are connected. */
const AGAIN: readonly (readonly string[])[] = [
  [],
  ['A invites', 'B takes the invite in'],
  ASKED,
  ['A invites', 'B takes the invite in', 'B asks, killed after it arrived'],
  [...ASKED, 'A says yes, killed before it arrives'],
  ['A invites', 'B takes in the invite that the thief rewrote', 'B asks, through'],
  [...ASKED, 'A says yes, killed after it arrived', 'B takes in the invite that the thief rewrote'],
  [
    'A invites',
    'B takes in the invite that the thief rewrote',
    'B asks, through',
    'the thief asks A with the token that B gave it',
    'A says yes, through',
  ],
  ['65 days pass', ...RENEWED, 'A makes a backup', 'B makes a backup', ...RENEWED],
  ['65 days pass', ...RENEWED, '65 days pass'],
  [...ASKED, 'A makes a backup', 'B makes a backup', 'A says yes, through', 'A calls', 'B calls'],
  ['A ends the connection'],
  ['95 days pass', 'A calls'],
  [...ASKED, 'A says yes, killed with nothing but notes written'],
  [...ASKED, 'A says yes, killed after it arrived'],
];

/** Everything that lies on a disk or in a backup. */
function stored({ disk, beside, backups }: World): readonly unknown[] {
  const stores = [disk.a, disk.b, ...backups.a, ...backups.b];
  const notes = [beside.a, beside.b].flatMap((files) => [...files.values()].map(String));
  const lines = notes.flatMap((text) =>
    text
      .trimEnd()
      .split('\n')
      .map((line): unknown => JSON.parse(line)),
  );
  return [...stores.map((held) => [...held].map(([, entries]) => [...entries])), ...lines];
}

/** All texts of it that are longer than a word. */
function storedTexts(world: World): string[] {
  const texts = new Set<string>();
  JSON.stringify(stored(world), (_key, value: unknown) => {
    if (typeof value === 'string' && value.length >= 16) texts.add(value);
    return value;
  });
  return [...texts];
}

/** What lies there in clear, but for times. */
const clearTexts = (world: World): string[] =>
  storedTexts(world).filter((text) => !/^(?:sealed:|\d{4}-\d\d-\d\dT)/.test(text));

interface Has {
  readonly node: Node | undefined;
  readonly token: string | undefined;
}

async function heldBy(moment: Moment, side: Side): Promise<Has> {
  const node = await moment.partner(side);
  const token =
    node?.sealedToken === undefined
      ? undefined
      : await moment.try(async () => (await moment.side(side)).tokens.tokenFor(node.nodeID));
  return { node, token };
}

/** Whether the routes that a partner is called on lead to the thief, whoever then answers. */
const usesThief = ({ routes }: Node): boolean =>
  routes?.texts.includes(ADDRESS.thief.routes.texts[0] ?? '') === true;

const isConnected = ({ node }: Has): boolean => node?.status === 'paired' && node.pairing === undefined;

/** What never happens, whatever did. Each line has its number in docs/pairing.md. */
async function mustHold(world: World, beginning: World): Promise<void> {
  const moment = new Moment(world);
  const sides = { a: await heldBy(moment, 'a'), b: await heldBy(moment, 'b') };

  // P1: a token is kept with the way to whoever made it, or gave it, and is sent nowhere else.
  for (const { node, token } of Object.values(sides)) {
    if (node === undefined || token === undefined) continue;
    const owner = ownerOf(node);
    const isOfThief = owner === 'thief' && (makerOf(token) === 'thief' || world.seen.includes(token));
    if (!isOfThief) expect(['P1', owner]).toEqual(['P1', makerOf(token)]);
  }

  // P2: nobody in between goes unseen: who holds a token of ours that opens something is whom the words are of.
  const words = { a: sides.a.node?.words, b: sides.b.node?.words };
  const between = (['a', 'b'] as const).filter((side) => {
    const { node } = sides[side];
    return node?.status === 'paired' && ownerOf(node) === 'thief';
  });
  if (between.length > 0) expect(['P2', words.a === words.b]).toEqual(['P2', false]);

  // P2: nor does a relay that put itself among the routes of an invite.
  const isRerouted = sides.b.node?.status === 'paired' && usesThief(sides.b.node);
  if (isRerouted) expect(['P2', 'rerouted', words.a === words.b]).toEqual(['P2', 'rerouted', false]);

  // P3: what the thief has opens an office only where its own user agreed on the thief with it.
  for (const token of world.seen) {
    const maker = makerOf(token);
    if (maker === 'thief') continue;
    const fork = new Moment(world);
    if ((await fork.use(token)) !== 'node') continue;
    const node = await fork.partner(maker);
    expect(['P3', node && ownerOf(node)]).toEqual(['P3', 'thief']);
  }

  // P4: one yes gives one token, for as long as that is good.
  for (const tokens of world.given) expect(['P4', tokens.length < 2]).toEqual(['P4', true]);

  // P5: nothing that lies on a disk or in a backup collects an answer.
  const { idA } = world;
  const a = await moment.side('a');
  if (sides.a.node !== undefined && !isConnected(sides.a))
    for (const text of clearTexts(world))
      for (const proof of [text, createHmac('sha256', text).update(`pairing ${idA}`).digest('hex')])
        expect(['P5', await moment.try(() => a.handshakes.collect(idA, proof))]).toEqual(['P5', undefined]);

  // P6: until a new pairing completes at either side, the connection is as it was.
  const first = new Moment(beginning);
  const unchanged = await Promise.all(
    (['a', 'b'] as const).map(async (side) => {
      const before = await first.partner(side);
      return before?.words === sides[side].node?.words;
    }),
  );
  if (!world.disturbed && unchanged.every(Boolean))
    for (const side of ['a', 'b'] as const) {
      const before = await first.partner(side);
      const { node, token } = sides[side];
      const way = (of: Node | undefined): unknown =>
        of &&
        omit(
          of,
          ...(['pairing', 'invite', 'updatedAt', 'problem'] as const),
          ...(['sealedToken', 'sealedBefore', 'tokenSince', 'tokenExpiresAt'] as const),
        );
      expect(['P6', way(node)]).toEqual(['P6', way(before)]);
      expect(['P6', token && (await new Moment(world).use(token))]).toEqual(['P6', 'node']);
    }

  // P7: two offices that hold good tokens of each other, with nothing under way, show the same words.
  if (between.length === 0 && (await areConnected(world, sides)))
    expect(['P7', words.a]).toEqual(['P7', words.b]);
}

/** Whether nothing is under way, and each side's token opens the other. */
async function areConnected(world: World, sides: Readonly<Record<Side, Has>>): Promise<boolean> {
  if (!isConnected(sides.a) || !isConnected(sides.b)) return false;
  for (const { token = '' } of [sides.a, sides.b])
    if ((await new Moment(world).use(token)) !== 'node') return false;
  return true;
}

/** P10: older data lets nobody in who was out, and locks out nobody whom it knows as connected. */
async function mustCarryOver(before: World, after: World, side: Side): Promise<void> {
  const tokens = [...before.seen, ...storedTexts(before).flatMap(tokenIn)];
  for (const token of new Set(tokens)) {
    const was = await new Moment(before).use(token);
    const is = await new Moment(after).use(token);
    if (is === 'node') expect(['P10', was]).toEqual(['P10', 'node']);
  }
  const backup = new Moment({ ...before, disk: after.disk, beside: { ...before.beside, [side]: new Map() } });
  const [was, is] = [new Moment(before), new Moment(after)];
  const sides = { a: await heldBy(was, 'a'), b: await heldBy(was, 'b') };
  if ((await backup.partner(side))?.status !== 'paired' || !(await areConnected(before, sides))) return;
  const now = { a: await heldBy(is, 'a'), b: await heldBy(is, 'b') };
  expect(['P10', await areConnected(after, now)]).toEqual(['P10', true]);
  expect(['P10', now.a.node?.words, now.b.node?.words]).toEqual([
    'P10',
    sides.a.node?.words,
    sides.b.node?.words,
  ]);
}

/** The token that was sealed, where that is one of ours. */
function tokenIn(text: string): string[] {
  if (!text.startsWith('sealed:')) return [];
  const plain = Buffer.from(text.slice(9), 'base64').toString();
  return plain.startsWith('eyJ') ? [plain] : [];
}

/** P8: from wherever it is, the two users get to a connection by taking the usual steps once. */
async function mustComeToAnEnd(world: World): Promise<void> {
  const moment = new Moment(world);
  const [a, b] = [await moment.side('a'), await moment.side('b')];
  const { nodeID: idA } = (await moment.partner('a')) ?? (await a.nodes.create({ name: 'Bergen' }, '1'));
  const known = await moment.partner('b');
  const options = known ? { nodeID: known.nodeID } : {};
  const { nodeID } = await b.invites.accept((await a.invites.create(idA)).uri, options, '1');
  await b.pairing.pair(nodeID);
  await a.pairing.confirm(idA);
  moment.knows(idA);
  const after = { a: await heldBy(moment, 'a'), b: await heldBy(moment, 'b') };
  for (const side of ['a', 'b'] as const) {
    const { node, token } = after[side];
    expect(['P8', node?.status, node && ownerOf(node)]).toEqual(['P8', 'paired', other(side)]);
    expect(['P8', token && (await moment.use(token))]).toEqual(['P8', 'node']);
  }
  expect(['P8', after.a.node?.words]).toEqual(['P8', after.b.node?.words]);
}

/** P11: two sides in the middle of one pairing complete it with the yes, whatever was killed on the way and however it comes. */
async function mustGoOn(world: World, line: Line): Promise<void> {
  const moment = new Moment(world);
  const [a, b] = [await moment.partner('a'), await moment.partner('b')];
  if (a?.pairing?.as !== 'inviter' || b?.pairing?.as !== 'invitee') return;
  const isOne = a.pairing.invite === b.pairing.invite && a.pairing.facts?.tokenB === b.pairing.facts?.tokenB;
  if (!isOne || ownerOf(a.pairing.link) !== 'b' || ownerOf(b.pairing.link) !== 'a') return;
  // B's token for the answer is still good.
  const own = await moment.try(async () => (await moment.side('b')).handshakes.collectProof(b.nodeID));
  if (!own) return;
  const { pairing } = await moment.side('a');
  await moment.under(line, () => pairing.confirm(a.nodeID));
  const after = { a: await heldBy(moment, 'a'), b: await heldBy(moment, 'b') };
  expect(['P11', await areConnected(moment.after(), after)]).toEqual(['P11', true]);
  expect(['P11', after.a.node?.words]).toEqual(['P11', after.b.node?.words]);
}

async function wrongPathIsRefused(world: World): Promise<void> {
  if (world.invite === undefined) return;
  const moment = new Moment(world);
  const a = await moment.side('a');
  const own = await moment.partner('a');
  const elsewhere = (await a.nodes.list()).find(({ nodeID }) => nodeID !== own?.nodeID);
  const call = {
    inviteToken: new URL(world.invite).password,
    token: 'token-'.padEnd(40, 'q'),
    nodeIDB: '77',
  };
  for (const nodeIDs of [[elsewhere?.nodeID ?? ''], [elsewhere?.nodeID ?? '', own?.nodeID ?? '']])
    expect(['P9', await moment.try(() => a.handshakes.handshake({ ...call, nodeIDs }))]).toEqual([
      'P9',
      undefined,
    ]);
}

async function next(world: World, step: Step): Promise<World | undefined> {
  const moment = new Moment(world);
  const change = await step.take(moment, world);
  if (!change) return undefined;
  const disturbed = world.disturbed || step.disturbs === true || change.disturbed === true;
  const after = moment.after({ ...change, disturbed });
  if (step.putsBack) await mustCarryOver(world, after, step.putsBack);
  return after;
}

interface Place {
  readonly world: World;
  readonly beginning: World;
  readonly path: readonly string[];
}

async function placeOf(beginning: World, path: readonly string[]): Promise<Place> {
  let world = beginning;
  for (const name of path) {
    const step = STEPS.find((each) => each.name === name);
    const after = step && (await next(world, step));
    if (!after) throw new Error(`“${name}” cannot be done here.`);
    world = after;
  }
  return { world, beginning, path: [beginning.disturbed ? 'from nothing' : 'connected', ...path] };
}

describe('pairing, in every order of steps', () => {
  let places: Place[];
  const { stackTraceLimit } = Error;
  afterAll(() => void (Error.stackTraceLimit = stackTraceLimit));
  beforeAll(async () => {
    // Most steps are refused somewhere, and where in the program is not asked.
    Error.stackTraceLimit = 0;
    const [empty, paired] = [await emptyWorld(), await pairedWorld()];
    places = [
      ...(await Promise.all(FIRST.map((path) => placeOf(empty, path)))),
      ...(await Promise.all(AGAIN.map((path) => placeOf(paired, path)))),
    ];
  });

  it('keeps to P1–P11 of docs/pairing.md', { timeout: 600_000 }, async () => {
    const known = new Set(places.map(({ world }) => likeness(world)));
    let edge: readonly Place[] = [];
    let transitions = 0;
    for (let left = DEPTH; left >= 0; left -= 1) {
      const further: Place[] = [];
      const begun = places.filter(
        ({ world, beginning }) => left === (world === beginning ? DEPTH : DEPTH - 1),
      );
      for (const { world, beginning, path } of [...begun, ...edge]) {
        let last = 'nothing more';
        try {
          await mustHold(world, beginning);
          await mustComeToAnEnd(world);
          for (const line of ['through', 'as B fetches it'] as const) await mustGoOn(world, line);
          await wrongPathIsRefused(world);
          for (const step of left > 0 ? STEPS : []) {
            last = step.name;
            const after = await next(world, step);
            if (!after) continue;
            transitions += 1;
            const name = likeness(after);
            if (known.has(name)) continue;
            known.add(name);
            further.push({ world: after, beginning, path: [...path, step.name] });
          }
        } catch (error) {
          throw new Error(`After: ${path.join(' · ')}, then ${last}\n${String(error)}`, { cause: error });
        }
      }
      edge = further;
    }
    console.info(
      `Pairing: every order of ${STEPS.length} steps, ${DEPTH} deep from ${places.length} places: ${transitions} taken, ${known.size} different worlds.`,
    );
    expect(known.size).toBeGreaterThan(200);
  });
});
