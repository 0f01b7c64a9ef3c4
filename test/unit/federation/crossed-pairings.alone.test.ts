import { createSecretKey } from 'node:crypto';
import { setImmediate as turn } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import type { Federation } from '../../../server/federation/federation.ts';
import type { Node } from '../../../server/federation/model.ts';
import { createUserKey } from '../../../server/federation/partners/user-key.ts';
import type { PartnerCalls } from '../../../server/federation/ports.ts';
import { ISSUED_TOKENS } from '../../../server/federation/tables.ts';
import { createInstallation } from '../../../server/base/installation-key.ts';
import { Refusal } from '../../../server/base/refusal.ts';
import { sha256 } from '../../../server/base/hashes.ts';
import { systemClock, type Clock } from '../../../server/base/clock.ts';
import { createIds } from '../../../server/base/ids.ts';
import type { OpenPartner } from '../../../server/sync/ports.ts';
import { isToCollect, startCollecting, type Collecting } from '../../../server/sync/schedule/collecting.ts';
import { runsOf, seedOf } from '../../support/data/luck.ts';
import { seeded, type Seeded } from '../../support/data/seeded.ts';
import { testFederation } from '../../support/harness/parts.ts';
import { memoryStore, type Held } from './memory-store.ts';
import { incoming, noLists, refusedWith } from './two-offices.ts';

// The true ones cost tens of milliseconds each, on purpose; test/unit/federation/words.test.ts looks at them.
vi.mock(import('../../../server/federation/partners/words.ts'), async (importOriginal) => ({
  ...(await importOriginal()),
  verificationWords: (facts) => Promise.resolve(sha256(JSON.stringify(facts))),
}));

const userKey = createUserKey(createSecretKey(Buffer.alloc(32, 7)));
const STATUS: Record<string, number> = { unauthenticated: 401, conflict: 409, gone: 410 };

async function overHttp<T>(answer: Promise<T>): Promise<T> {
  return answer.catch((error: unknown) => {
    if (!(error instanceof Refusal)) throw error;
    throw refusedWith(STATUS[error.kind] ?? 400, error.message, error.code);
  });
}

/** The line between both offices: calls take their time, are lost, lose their answers, or arrive twice. */
interface Line {
  readonly luck: Seeded;
  isBad: boolean;
}

const LONGEST = 12;

const cut = (): Error => new Error('The line was cut.');

async function over<T>({ luck, isBad }: Line, call: () => Promise<T>): Promise<T> {
  const wait = async (): Promise<void> => {
    for (let turns = luck.below(isBad ? LONGEST : 2); turns > 0; turns -= 1) await turn();
  };
  await wait();
  if (isBad && luck.happens(0.15)) throw cut();
  if (isBad && luck.happens(0.1)) {
    // Arrives only after the caller has given up.
    void wait()
      .then(wait)
      .then(call)
      .catch(() => undefined);
    throw cut();
  }
  const answer = await call();
  if (isBad && luck.happens(0.1))
    void wait()
      .then(call)
      .catch(() => undefined);
  await wait();
  if (isBad && luck.happens(0.2)) throw cut();
  return answer;
}

/** One office that is killed and started again, with what its engine does by itself. */
class Office {
  readonly name: string;
  readonly line: Line;
  readonly address: { listener: string; certificate: string };
  readonly seen: string[] = [];
  peer!: Office;
  federation!: Federation;
  #held: Held = new Map();
  #store = memoryStore(this.#held);
  #life = 0;
  readonly #installation;
  readonly #collecting = new Map<string, Collecting>();
  #isUp = false;
  #kill: () => void = () => undefined;
  killed: Promise<void> = Promise.resolve();

  constructor(name: string, line: Line, installation: ReturnType<typeof createInstallation>) {
    this.name = name;
    this.line = line;
    this.#installation = installation;
    this.address = {
      listener: `https://${name.toLowerCase()}.example:7420/federation`,
      certificate: sha256(name),
    };
  }

  /** Starts from what is on the disk. What the killed one still does reaches nobody. */
  async start(): Promise<void> {
    const life = ++this.#life;
    this.#isUp = false;
    this.#kill();
    for (const each of this.#collecting.values()) void each.stop();
    this.#collecting.clear();
    // What is written is on the disk some turns later.
    this.#store = memoryStore(this.#store.held(), () => turns(this.line.luck.below(4)));
    const never = (): Promise<never> => new Promise(() => undefined);
    const call = <T>(body: () => Promise<T>): Promise<T> =>
      life === this.#life
        ? over(this.line, body).finally(() => (life === this.#life ? undefined : never()))
        : never();
    const calls: PartnerCalls = {
      handshake: (node, asked) =>
        call(() =>
          this.peer.receive(async ({ handshakes }) => {
            await overHttp(handshakes.handshake(incoming(asked)));
            return { footbridge: true, baseURL: node.baseURL };
          }),
        ),
      complete: (node, { heldToken, ...answer }) =>
        call(() =>
          this.peer.receive(async ({ tokens, handshakes }) => {
            const who = await overHttp(tokens.verify(heldToken));
            if (who.kind === 'user') throw new Error('not a partner');
            const by = who.kind === 'asked' ? who.token : undefined;
            await overHttp(handshakes.complete(who.node, answer, by));
            return node.baseURL;
          }),
        ),
      goodbye: () => Promise.resolve(),
    };
    this.federation = await testFederation({
      ...{ store: this.#store.store, lists: noLists, clock: systemClock, ids: createIds(systemClock) },
      secrets: {
        seal: (plain) => Promise.resolve(`sealed:${Buffer.from(plain).toString('base64')}`),
        open: (sealed) => Promise.resolve(Buffer.from(sealed.slice(7), 'base64').toString()),
      },
      ...{ userKey, calls },
      office: {
        installation: this.#installation.id,
        key: this.#installation.key,
        name: () => this.name,
      },
      ownAddress: () => this.address,
      onChange: (change) => {
        if (life === this.#life && change.kind === 'node') void this.#follow(change.nodeID);
      },
    });
    this.killed = new Promise((resolve) => (this.#kill = resolve));
    this.#isUp = true;
    for (const { nodeID } of await this.federation.nodes.list()) await this.#follow(nodeID);
  }

  /** Takes a call of the other office. One that is killed meanwhile answers nothing. */
  async receive<T>(call: (federation: Federation) => Promise<T>): Promise<T> {
    const life = this.#life;
    if (!this.#isUp) throw cut();
    try {
      return await call(this.federation);
    } finally {
      // eslint-disable-next-line no-unsafe-finally -- whatever came of it is not answered
      if (life !== this.#life) throw cut();
    }
  }

  async nodes(): Promise<Node[]> {
    return this.federation.nodes.list();
  }

  /** What the screen shows is looked at after every change. */
  async look(): Promise<void> {
    const nodes = await this.nodes();
    const connected = nodes.filter(({ status }) => status === 'paired');
    if (connected.length > 1) this.seen.push('two connections');
    for (const { status, problem } of nodes) {
      if (status === 'unpaired') this.seen.push(`ended: ${JSON.stringify(problem)}`);
      if (JSON.stringify(problem ?? '').includes('pairing.not-waiting')) this.seen.push('not waiting');
    }
  }

  /** The engine asks for answers to requests, as of a running node. */
  async #follow(nodeID: string): Promise<void> {
    await this.look();
    const node = await this.federation.nodes.get(nodeID).catch(() => undefined);
    const known = this.#collecting.get(nodeID);
    if (node && isToCollect(node)) {
      if (known) return;
      const openPartner = (() => ({
        footbridge: {
          collectPairing: (n: string, proof: string) =>
            over(this.line, () =>
              this.peer.receive(({ handshakes }) => overHttp(handshakes.collect(n, proof))),
            ),
        },
        close: () => Promise.resolve(),
      })) as unknown as OpenPartner;
      const clock = quickClock(this.line.luck);
      this.#collecting.set(
        nodeID,
        startCollecting(nodeID, { federation: this.federation, openPartner, clock }),
      );
    } else {
      void known?.stop();
      this.#collecting.delete(nodeID);
    }
  }

  /** Its engine calls each connected partner. */
  async poll(): Promise<void> {
    const { federation } = this;
    for (const { nodeID, status, reach } of await federation.nodes.list()) {
      if (status !== 'paired') continue;
      try {
        const held = await federation.tokens.held(nodeID);
        await over(this.line, () => this.peer.receive(({ tokens }) => tokens.verify(held)));
        if (reach === 'they-call-us') await federation.nodes.recordReached(nodeID);
      } catch (error) {
        if (!(error instanceof Refusal)) continue;
        if (error.code === 'auth.ended') await federation.disconnects.endedByPartner(nodeID);
        else if (error.kind === 'unauthenticated')
          await federation.disconnects.markEnded(nodeID, error.words);
      }
    }
  }

  async usableTokens(): Promise<string[]> {
    const system = await this.#store.store.partition('system');
    const all = (await system.page(ISSUED_TOKENS, { limit: 100 })).map(({ value }) => value);
    return all.filter(({ revokedAt }) => revokedAt === undefined).map(({ nodeID }) => nodeID);
  }

  stop(): void {
    for (const each of this.#collecting.values()) void each.stop();
    this.#life += 1;
  }
}

/** Pauses last some turns. */
const quickClock = (luck: Seeded): Clock => ({
  ...systemClock,
  after(_ms, fn) {
    const timer = { isOver: false };
    void turns(1 + luck.below(6)).then(() => {
      if (!timer.isOver) fn();
    });
    return () => void (timer.isOver = true);
  },
});

/** An invite on its way to the other office. */
interface Mail {
  uri?: string;
}

const turns = async (count: number): Promise<void> => {
  for (let left = count; left > 0; left -= 1) await turn();
};

/** What its user does, in an order of its own, and as often as the screen offers it. */
class User {
  readonly #office: Office;
  readonly #mail: Mail;
  #hasPasted = false;

  constructor(office: Office, mail: Mail) {
    this.#office = office;
    this.#mail = mail;
  }

  async invite(mail: Mail): Promise<void> {
    const { nodes, invites } = this.#office.federation;
    const { nodeID } = await nodes.create({ name: this.#office.peer.name }, '1');
    mail.uri = (await invites.create(nodeID)).uri;
  }

  async round(): Promise<void> {
    const { luck } = this.#office.line;
    await turns(luck.below(30));
    if (luck.happens(0.5)) await this.#paste();
    if (luck.happens(0.6)) await this.#approve();
    await this.#askAgain();
  }

  async #paste(): Promise<void> {
    const { uri } = this.#mail;
    const nodes = await this.#office.nodes();
    const isKnown = nodes.some(({ status, pairing }) => status === 'paired' || pairing?.as === 'invitee');
    if (uri === undefined || (this.#hasPasted && isKnown)) return;
    this.#hasPasted = true;
    await this.#step(({ connecting }) => connecting.connect(uri, {}, '1'));
  }

  async #approve(): Promise<void> {
    for (const { nodeID, status, role } of await this.#office.nodes())
      if (status === 'pair_requested' && role === 'inviter')
        await this.#step(({ pairing }) => pairing.confirm(nodeID));
  }

  async #askAgain(): Promise<void> {
    for (const { nodeID, status, pairing } of await this.#office.nodes())
      if (status === 'pending' && pairing?.as === 'invitee')
        await this.#step(({ pairing }) => pairing.pair(nodeID));
  }

  /** Takes a step, which a kill ends where it is. */
  async #step(step: (federation: Federation) => Promise<unknown>): Promise<void> {
    const { federation, seen, killed } = this.#office;
    const taken = step(federation).catch((error: unknown) => {
      if (error instanceof Refusal && error.code === 'node.unknown') seen.push('unknown partner');
    });
    await Promise.race([taken, killed]);
  }
}

/** Two offices invite each other, and both say yes, over a bad line and with kills; then the line is good. */
async function crossed(seed: number): Promise<Record<'c' | 'd', Office>> {
  const luck = seeded(seed);
  const line: Line = { luck, isBad: true };
  const installations = [createInstallation(), createInstallation()];
  const [c, d] = [new Office('Cadiz', line, installations[0]!), new Office('Dover', line, installations[1]!)];
  [c.peer, d.peer] = [d, c];
  await c.start();
  await d.start();
  const [ofC, ofD]: Mail[] = [{}, {}];
  const users = [new User(c, ofD!), new User(d, ofC!)] as const;
  await users[0].invite(ofC!);
  await users[1].invite(ofD!);
  let isOver = false;
  const engine = async (office: Office): Promise<void> => {
    while (!isOver) {
      await turns(1 + luck.below(10));
      if (line.isBad && luck.happens(0.02)) await office.start();
      await Promise.race([office.poll(), office.killed]);
    }
  };
  const engines = [c, d].map(engine);
  const rounds = (count: number) => async (user: User) => {
    for (let left = count; left > 0; left -= 1) await user.round();
  };
  await Promise.all(users.map(rounds(8)));
  line.isBad = false;
  await Promise.all(users.map(rounds(16)));
  isOver = true;
  await Promise.all(engines);
  c.stop();
  d.stop();
  return { c, d };
}

it(
  'two offices that approve each other are one connection, whatever comes late, twice or not at all, and whoever is killed',
  { timeout: 600_000 },
  async () => {
    const first = seedOf(1);
    for (let seed = first; seed < first + runsOf(3000, 60); seed += 1) {
      const { c, d } = await crossed(seed);
      const about = [`seed ${seed}`];
      expect([...about, ...c.seen, ...d.seen]).toEqual(about);
      // An invite that was never used still waits, and is no request of anybody.
      const isUsed = ({ status, pairing }: Node): boolean => status !== 'pending' || pairing !== undefined;
      const [atC, atD] = [(await c.nodes()).filter(isUsed), (await d.nodes()).filter(isUsed)];
      const known = (nodes: readonly Node[]): string[] => nodes.map(({ status }) => status);
      expect([...about, known(atC), known(atD)]).toEqual([...about, ['paired'], ['paired']]);
      expect([...about, atC[0]?.sharedNodeID, atC[0]?.words]).toEqual([
        ...about,
        atD[0]?.nodeID,
        atD[0]?.words,
      ]);
      for (const [office, [node]] of [
        [c, atC],
        [d, atD],
      ] as const) {
        expect([...about, ...new Set(await office.usableTokens())]).toEqual([...about, node?.nodeID]);
        const held = await office.federation.tokens.held(node?.nodeID ?? '');
        expect(await office.peer.federation.tokens.verify(held)).toMatchObject({ kind: 'node' });
      }
    }
  },
);
