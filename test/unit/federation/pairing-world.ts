import { createSecretKey } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { Federation } from '../../../server/federation/federation.ts';
import type { Answer } from '../../../server/federation/partners/handshake.ts';
import type { Node } from '../../../server/federation/model.ts';
import type { CompleteCall, HandshakeCall, OwnAddress } from '../../../server/federation/ports.ts';
import { createUserKey } from '../../../server/federation/partners/user-key.ts';
import { REVOCABLE_TABLES } from '../../../server/federation/sharing/revocable-tables.ts';
import { createInstallation } from '../../../server/base/installation-key.ts';
import type { AnnouncedRoutes } from '../../../server/base/routes.ts';
import { PartnerUnreachableError } from '../../../server/peer/guard/errors.ts';
import { Refusal } from '../../../server/base/refusal.ts';
import { systemClock } from '../../../server/base/clock.ts';
import { createIds } from '../../../server/base/ids.ts';
import { notesFileIn } from '../../../server/store/recovery/withdrawals/revocations-file.ts';
import {
  RevocationLog,
  recordRevocations,
} from '../../../server/store/recovery/withdrawals/revocation-log.ts';
import { memoryDisk, type MemoryDisk } from '../../support/faults/disk-memory.ts';
import { testFederation } from '../../support/harness/parts.ts';
import { memoryStore, type Held } from './memory-store.ts';
import { incoming, noLists, refusedWith } from './two-offices.ts';

export type Side = 'a' | 'b';
export const other = (side: Side): Side => (side === 'a' ? 'b' : 'a');

/** Everything at one moment: what lies on both disks, in the users' hands, and what the thief has. */
export interface World {
  readonly disk: Readonly<Record<Side, Held>>;
  /** What lies beside the store on both disks, and goes back with no backup. */
  readonly beside: Readonly<Record<Side, ReadonlyMap<string, Buffer>>>;
  /** Backups that the users have made, oldest first. */
  readonly backups: Readonly<Record<Side, readonly Held[]>>;
  /** Both clocks. */
  readonly now: number;
  /** A's own number of B, for as long as A has a record of it. */
  readonly idA: string;
  /** The newest invite, as A's user sent it. */
  readonly invite?: string | undefined;
  readonly heldBack?: HeldBack | undefined;
  /** Tokens that the thief has seen. */
  readonly seen: readonly string[];
  /** Tokens that were given out as A's answer, for each yes of its user. */
  readonly given: readonly (readonly string[])[];
  /** Whether our users' own steps ended a connection, or time did: then it need not go on. */
  readonly disturbed: boolean;
}

const NAMES = { a: 'Oslo', b: 'Bergen' } as const;
const mapped = (certificate: string, host: string): { routes: AnnouncedRoutes } => ({
  routes: { pin: certificate, texts: [`mapped:${host}`] },
});
export const ADDRESS: Readonly<
  Record<Side | 'thief', OwnAddress & { certificate: string; routes: AnnouncedRoutes }>
> = {
  a: {
    listener: 'https://192.168.1.10:7420/federation',
    certificate: '3f9c'.repeat(16),
    ...mapped('3f9c'.repeat(16), '198.51.100.10:40112'),
  },
  b: {
    listener: 'https://192.168.1.20:7420/federation',
    certificate: 'b07d'.repeat(16),
    ...mapped('b07d'.repeat(16), '198.51.100.20:40112'),
  },
  thief: {
    listener: 'https://203.0.113.66:443/federation',
    certificate: '91e4'.repeat(16),
    ...mapped('91e4'.repeat(16), '203.0.113.66:443'),
  },
};
const userKey = createUserKey(createSecretKey(Buffer.alloc(32, 7)));
const STATUS: Record<string, number> = { unauthenticated: 401, conflict: 409, gone: 410 };

/** How one call to the other side goes, and where the one who makes it is killed. */
export type Line =
  | 'through'
  | 'as B fetches it'
  | 'cut before it arrives'
  | 'killed before it arrives'
  | 'killed after it arrived'
  | 'killed with nothing but notes written'
  | 'refused'
  // What a relay on the way can do beside letting it through; what it answers itself is refused by the pin.
  | 'and the relay drops the answer'
  | 'and the relay holds it back'
  | 'and the relay joins somebody else';

/** A call that a relay has held back, and delivers at a time of its own choice. */
export type HeldBack =
  { readonly to: 'a'; readonly call: HandshakeCall } | { readonly to: 'b'; readonly call: CompleteCall };

/** Who is at the address that a partner's record would be called at, by address and certificate together. */
export function ownerOf({
  baseURL,
  certificate,
}: Pick<Node, 'baseURL' | 'certificate'>): Side | 'thief' | 'nobody' {
  const sides = ['a', 'b', 'thief'] as const;
  const own = (side: Side | 'thief'): boolean =>
    ADDRESS[side].certificate === certificate &&
    new URL(ADDRESS[side].listener).host === new URL(baseURL || 'http://x').host;
  return sides.find(own) ?? 'nobody';
}

/** Which installation each office is, through all its lives. */
const INSTALLATION = { a: createInstallation(), b: createInstallation() };

/** Who made a token: each office signs with its own installation. */
export function makerOf(token: string): Side | 'thief' {
  const payload = Buffer.from(token.split('.')[1] ?? '', 'base64url').toString();
  return (['a', 'b'] as const).find((side) => payload.includes(INSTALLATION[side].id)) ?? 'thief';
}

/** One moment, opened: both offices started from their disks. */
export class Moment {
  private readonly world: World;
  private idA: string;
  private readonly seen: string[];
  private given: (readonly string[])[];
  private readonly disks: Record<Side, ReturnType<typeof memoryStore>>;
  private readonly beside: Record<Side, MemoryDisk>;
  private now: number;
  private heldBack: HeldBack | undefined;
  /** What is to be written at B waits for it. */
  private diskOfB = Promise.resolve();
  private readonly open: Partial<Record<Side, Promise<Federation>>> = {};
  private line: Line = 'through';
  private kill: () => void = () => undefined;

  constructor(world: World) {
    this.world = world;
    this.idA = world.idA;
    this.seen = [...world.seen];
    this.given = [...world.given];
    this.now = world.now;
    this.heldBack = world.heldBack;
    this.disks = { a: memoryStore(world.disk.a), b: memoryStore(world.disk.b, () => this.diskOfB) };
    const beside = (side: Side): MemoryDisk => memoryDisk(world.beside[side], () => this.noted());
    this.beside = { a: beside('a'), b: beside('b') };
  }

  /** What became of it, to go on from; with what the step changed beside the disks. */
  after(change: Partial<World> = {}): World {
    return {
      ...this.world,
      disk: { a: this.disks.a.held(), b: this.disks.b.held() },
      beside: { a: this.beside.a.files(), b: this.beside.b.files() },
      now: this.now,
      heldBack: this.heldBack,
      idA: this.idA,
      seen: [...new Set(this.seen)],
      given: this.given,
      ...change,
    };
  }

  learn(...tokens: readonly string[]): void {
    this.seen.push(...tokens);
  }

  /** Time goes by, for both. */
  pass(milliseconds: number): void {
    this.now += milliseconds;
  }

  side(side: Side): Promise<Federation> {
    return (this.open[side] ??= this.start(side));
  }

  private async start(side: Side): Promise<Federation> {
    const clock = { ...systemClock, now: () => this.now, monotonic: () => this.now };
    const withdrawals = new RevocationLog({
      notes: notesFileIn({ dataDir: '', clock, disk: this.beside[side] }),
      clock,
      rules: REVOCABLE_TABLES,
    });
    const store = recordRevocations(this.disks[side].store, withdrawals);
    await withdrawals.reapply(await store.partition('system'), () => undefined);
    return testFederation({
      store,
      lists: noLists,
      clock,
      ids: createIds(clock),
      secrets: {
        seal: (plain) => Promise.resolve(`sealed:${side}:${Buffer.from(plain).toString('base64')}`),
        open: (sealed) => Promise.resolve(Buffer.from(sealed.slice(9), 'base64').toString()),
      },
      userKey,
      calls: {
        handshake: (node, call) => this.call(() => this.ask(node, call)),
        complete: (node, call) => this.call(() => this.answer(node, call)),
        goodbye: () => Promise.resolve(),
      },
      office: { installation: INSTALLATION[side].id, key: INSTALLATION[side].key, name: () => NAMES[side] },
      ownAddress: () => ADDRESS[side],
    });
  }

  /** A has a new record of B, under this number. */
  knows(idA: string): void {
    this.idA = idA;
  }

  /** What this side has of the other. */
  async partner(side: Side): Promise<Node | undefined> {
    const nodes = await (await this.side(side)).nodes.list();
    return side === 'b' ? nodes[0] : nodes.find(({ nodeID }) => nodeID === this.idA);
  }

  /** Takes a step while calls go as `line` says; a kill ends it where it stands. */
  async under(line: Line, step: () => Promise<unknown>): Promise<void> {
    this.line = line;
    const killed = new Promise<void>((resolve) => (this.kill = resolve));
    await Promise.race([killed, step().catch(orThrow)]);
    if (line !== 'killed with nothing but notes written') this.line = 'through';
  }

  /** Tries something that may be refused. */
  async try<T>(step: () => Promise<T>): Promise<T | undefined> {
    return step().catch(orThrow);
  }

  /** Somebody brings a token, as with any call. */
  async use(token: string): Promise<string | undefined> {
    const maker = makerOf(token);
    if (maker === 'thief') return undefined;
    return (await this.try(async () => (await this.side(maker)).tokens.verify(token)))?.kind;
  }

  /** Somebody who has a token of B answers B's request with a token. */
  async complete(bearer: string, answer: Answer): Promise<void> {
    const b = await this.side('b');
    const who = await overHttp(b.tokens.verify(bearer));
    if (who.kind === 'user') throw new Error('a user');
    await overHttp(b.handshakes.complete(who.node, answer, who.kind === 'asked' ? who.token : undefined));
  }

  /** What is noted beside the store is there before what it is about. */
  private noted(): Promise<void> {
    if (this.line !== 'killed with nothing but notes written') return Promise.resolve();
    this.kill();
    return new Promise(() => undefined);
  }

  private async call<T>(through: () => Promise<T>): Promise<T> {
    const { line } = this;
    const stop = (): Promise<never> => {
      this.kill();
      return new Promise(() => undefined);
    };
    if (line === 'cut before it arrives') throw cut();
    if (line === 'killed before it arrives') return stop();
    if (line === 'refused') throw refusedWith(410);
    if (line === 'and the relay joins somebody else')
      throw new PartnerUnreachableError('certificate', 'Another certificate.');
    const answer = await through();
    if (line === 'and the relay drops the answer') throw cut();
    return line === 'killed after it arrived' ? stop() : answer;
  }

  private async ask(node: Node, call: HandshakeCall): Promise<{ footbridge: true; baseURL: string }> {
    const owner = ownerOf(node);
    if (owner === 'thief') this.learn(call.token);
    else if (owner === 'a' && this.line === 'and the relay holds it back') this.holdBack({ to: 'a', call });
    else if (owner === 'a') await overHttp((await this.side('a')).handshakes.handshake(incoming(call)));
    else throw new Error('Nobody is there.');
    return { footbridge: true, baseURL: node.baseURL };
  }

  private async answer(node: Node, call: CompleteCall): Promise<string> {
    const owner = ownerOf(node);
    this.give(call.token);
    if (owner === 'thief') this.learn(call.token, call.heldToken);
    else if (owner === 'b' && this.line === 'and the relay holds it back') this.holdBack({ to: 'b', call });
    else if (owner === 'b' && this.line === 'as B fetches it')
      await this.whileFetched(() => this.complete(call.heldToken, call));
    else if (owner === 'b') await this.complete(call.heldToken, call);
    else throw new Error('Nobody is there.');
    return node.baseURL;
  }

  private holdBack(held: HeldBack): never {
    this.heldBack = held;
    throw cut();
  }

  /** The relay lets go of what it held back. @returns whether there was anything */
  async deliver(): Promise<boolean> {
    const { heldBack } = this;
    this.heldBack = undefined;
    if (heldBack?.to === 'a')
      await this.try(async () =>
        overHttp((await this.side('a')).handshakes.handshake(incoming(heldBack.call))),
      );
    else if (heldBack) await this.try(() => this.complete(heldBack.call.heldToken, heldBack.call));
    return heldBack !== undefined;
  }

  /** B asks for what A's user said, as it does by itself. @returns whether it had an answer */
  async fetch(arrives = true): Promise<boolean> {
    const node = await this.partner('b');
    const b = await this.side('b');
    const known = node && (await this.try(() => b.handshakes.collectProof(node.nodeID)));
    if (!known || node.pairing?.link.baseURL !== ADDRESS.a.listener) return false;
    const a = await this.side('a');
    const answer = await this.try(() => a.handshakes.collect(known.sharedNodeID, known.proof));
    if (answer?.state !== 'ready') return false;
    this.give(answer.token);
    if (arrives) await this.try(() => b.handshakes.completeCollected(node.nodeID, answer));
    return true;
  }

  /** The step arrives while B has just fetched the same, which is not on its disk yet. */
  private async whileFetched(step: () => Promise<void>): Promise<void> {
    let written = (): void => undefined;
    this.diskOfB = new Promise((resolve) => (written = resolve));
    const fetched = this.fetch();
    await setImmediate();
    // By then it has been looked at as far as that goes without the disk.
    void setImmediate().then(written);
    await Promise.all([step(), fetched]);
  }

  /** A's user says yes to something that was not agreed on before. */
  agree(): void {
    this.given.push([]);
  }

  /** Notes a token that left A as the answer to a pairing. */
  give(token: string): void {
    const before = this.given.pop() ?? [];
    this.given.push([...new Set([...before, token])]);
  }
}

const cut = (): Error => new Error('The line was cut.');

function orThrow(error: unknown): undefined {
  if (error instanceof Refusal || (error instanceof Error && error.name === 'PartnerRefused'))
    return undefined;
  throw error;
}

async function overHttp<T>(answer: Promise<T>): Promise<T> {
  return answer.catch((error: unknown) => {
    throw error instanceof Refusal ? refusedWith(STATUS[error.kind] ?? 400, error.message) : error;
  });
}

/** With what was made of it as its first backups. */
function backedUp(world: World): World {
  return { ...world, backups: { a: [world.disk.a], b: [world.disk.b] } };
}

/** Two offices that know nothing of each other. */
export async function emptyWorld(): Promise<World> {
  const moment = new Moment({
    disk: { a: new Map(), b: new Map() },
    beside: { a: new Map(), b: new Map() },
    backups: { a: [], b: [] },
    now: Date.UTC(2026, 10, 20, 12),
    idA: '',
    seen: [],
    given: [],
    disturbed: true,
  });
  const a = await moment.side('a');
  const { nodeID: idA } = await a.nodes.create({ name: 'Bergen' }, '1');
  // A second partner, whose path is not for this pair.
  await a.nodes.create({ name: 'Drammen' }, '1');
  await moment.side('b');
  return backedUp(moment.after({ idA }));
}

/** Two offices that are paired. */
export async function pairedWorld(): Promise<World> {
  const empty = await emptyWorld();
  const { idA } = empty;
  const moment = new Moment(empty);
  const [a, b] = [await moment.side('a'), await moment.side('b')];
  const { nodeID: idB } = await b.invites.accept((await a.invites.create(idA)).uri, {}, '1');
  await b.pairing.pair(idB);
  await a.pairing.confirm(idA);
  await moment.use(await a.tokens.tokenFor(idA));
  await moment.use(await b.tokens.tokenFor(idB));
  moment.pass(60_000);
  return backedUp(moment.after({ given: [], disturbed: false }));
}
