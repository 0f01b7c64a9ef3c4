import type { Federation } from '../../../server/federation/federation.ts';
import type { IncomingHandshake } from '../../../server/federation/partners/handshake.ts';
import type { Disclosure } from '../../../server/federation/sharing/ledger.ts';
import type {
  FederationChange,
  HandshakeCall,
  OwnAddress,
  PartnerCalls,
} from '../../../server/federation/ports.ts';
import type { Lists } from '../../../server/lists/lists.ts';
import { createInstallation } from '../../../server/base/installation-key.ts';
import { Refusal } from '../../../server/base/refusal.ts';
import { systemClock, type Clock } from '../../../server/base/clock.ts';
import type { Partition } from '../../../server/store/store.ts';
import type { Installation } from '../../../server/store/files/installation.ts';
import { openParts } from '../../support/harness/parts.ts';

/** A clock that tests set. */
export interface TestClock extends Clock {
  advance(ms: number): void;
}

export function testClock(start = Date.UTC(2026, 10, 20, 12)): TestClock {
  let now = start;
  return { ...systemClock, now: () => now, monotonic: () => now, advance: (ms) => void (now += ms) };
}

/** One office without HTTP: what it would send, it hands to the other one's services. */
export interface TestOffice {
  readonly federation: Federation;
  /** Its number. */
  readonly installation: string;
  /** What it keeps. */
  readonly system: Partition;
  readonly news: FederationChange[];
  readonly served: Disclosure[];
  readonly handshakes: HandshakeCall[];
  readonly goodbyes: string[];
  /** How calls to the partner go; tests put other ways in. */
  calls: PartnerCalls;
  /** Where it says that it can be reached; tests say otherwise. */
  address: OwnAddress;
  close(): Promise<void>;
}

/** What {@link PartnerCalls} reject with when the partner says no. */
export function refusedWith(status: number, message = 'No.', code?: string): Error {
  return Object.assign(new Error(message), { name: 'PartnerRefused', status, code });
}

const STATUS = { unauthenticated: 401, conflict: 409, gone: 410 } as Record<string, number>;

export async function testOffice(
  name: string,
  lists: Lists,
  clock: Clock = systemClock,
  installation: Installation = createInstallation(),
): Promise<TestOffice> {
  const cut = (): Promise<never> => Promise.reject(new Error('Nobody is connected.'));
  const office: Pick<TestOffice, 'calls' | 'address'> = {
    calls: { handshake: cut, complete: cut, goodbye: cut },
    address: { listener: `http://${name.toLowerCase()}.local:7420/federation` },
  };
  const parts = await openParts({
    ...{ lists, clock },
    secrets: {
      seal: (plain) => Promise.resolve(`sealed:${Buffer.from(plain).toString('base64')}`),
      open: (sealed) => Promise.resolve(Buffer.from(sealed.slice(7), 'base64').toString()),
    },
    calls: {
      handshake: (node, call) => office.calls.handshake(node, call),
      complete: (node, call) => office.calls.complete(node, call),
      goodbye: (node, call) => office.calls.goodbye(node, call),
    },
    office: {
      installation: installation.id,
      ...(installation.key ? { key: installation.key } : {}),
      name: () => name,
    },
    ownAddress: () => office.address,
  });
  return Object.assign(office, {
    ...{ federation: parts.federation, news: parts.news, served: parts.served, close: parts.close },
    installation: installation.id,
    system: await parts.store.partition('system'),
    handshakes: [],
    goodbyes: [],
  });
}

/** Lets the calls of both offices arrive at the other's services, refusals as HTTP would carry them. */
export function connect(a: TestOffice, b: TestOffice, footbridge = true): void {
  for (const [own, other] of [
    [a, b],
    [b, a],
  ] as const) {
    own.calls = {
      async handshake(node, call) {
        own.handshakes.push(call);
        await overHttp(other.federation.handshakes.handshake(incoming(call, footbridge)));
        return { footbridge, baseURL: node.baseURL };
      },
      async complete({ baseURL }, { heldToken, ...answer }) {
        const caller = await overHttp(other.federation.tokens.verify(heldToken));
        if (caller.kind === 'user') throw new Error('not a partner');
        const by = caller.kind === 'asked' ? caller.token : undefined;
        await overHttp(other.federation.handshakes.complete(caller.node, answer, by));
        return baseURL;
      },
      async goodbye(_node, { heldToken }) {
        own.goodbyes.push(heldToken);
        await overHttp(other.federation.tokens.verify(heldToken));
      },
    };
  }
}

export function incoming(call: HandshakeCall, footbridge = true): IncomingHandshake {
  return {
    nodeIDs: [call.sharedNodeID],
    inviteToken: call.inviteToken,
    token: call.token,
    nodeIDB: call.nodeIDB,
    ...(footbridge ? { footbridge: call.own } : {}),
  };
}

async function overHttp<T>(answer: Promise<T>): Promise<T> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof Refusal) throw refusedWith(STATUS[error.kind] ?? 400, error.message, error.code);
    throw error;
  }
}

/** For tests that touch no lists. */
const nothing = (): Promise<never[]> => Promise.resolve([]);
const none = { recovered: [], modules: nothing, binnedModules: nothing, beforeUse: () => undefined };
export const noLists = new Proxy(none as unknown as Lists, {
  get: (target, name) =>
    (Reflect.get(target, name) as unknown) ??
    (() => Promise.reject(new Error(`lists.${String(name)} is not part of this test`))),
});
