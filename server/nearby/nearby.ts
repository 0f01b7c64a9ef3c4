import { randomBytes } from 'node:crypto';
import type { Clock } from '../base/clock.ts';
import { asksForOffices, isFromNearby, readOffices, type NearbyOffice } from './announcements.ts';
import { openMulticast, type PacketHandlers, type Multicast } from './multicast.ts';

export interface NearbyOffices {
  /** Also false if the network doesn't support it. */
  readonly looking: boolean;
  readonly offices: readonly NearbyOffice[];
}

/** Without a call in this time the page counts as closed. */
const OPEN_MS = 10_000;
const MAX_OFFICES = 40;
/** One address can't crowd out others. */
const MAX_OFFICES_FROM_ONE = 5;
/**
 * Packets read between calls. Each address's first and those of found offices don't count: a few senders
 * can't drown out others.
 */
const MAX_PACKETS = 200;
const MAX_PACKETS_FROM_ONE = 40;
const MAX_ADDRESSES = 1000;
/** Offices' packets are half as large. */
const MAX_BYTES = 600;
/** In seconds. */
const TTL = 15;

interface NearbyDeps {
  readonly clock: Pick<Clock, 'after'>;
  readonly isOn: () => boolean;
  readonly office: () => string;
  readonly open?: (handlers: PacketHandlers) => Multicast;
}

/** Finds offices on the same network that look for partners. */
export class Nearby {
  readonly #deps: NearbyDeps;
  readonly #open: NonNullable<NearbyDeps['open']>;
  /** Found offices stay until the page is closed, or the same address withdraws them. */
  readonly #known = new Map<string, { readonly name: string; readonly from: string }>();
  /** Since the last call, by sender address. */
  readonly #packetsFrom = new Map<string, number>();
  #multicast: Multicast | undefined;
  #own = '';
  #packets = 0;
  #hasFailed = false;
  #stop: (() => void) | undefined;

  constructor(deps: NearbyDeps) {
    this.#deps = deps;
    this.#open = deps.open ?? openMulticast;
  }

  /**
   * Asks for other offices, and announces this one when it joins the network; returns those found so far, by name, or
   * none if it is switched off or unsupported. Call it regularly: after 10 seconds without a call it leaves the
   * network.
   */
  refresh(): NearbyOffices {
    if (!this.#deps.isOn()) {
      this.close();
      return { looking: false, offices: [] };
    }
    this.#stop?.();
    this.#stop = this.#deps.clock.after(OPEN_MS, () => this.close());
    if (this.#hasFailed) return { looking: false, offices: [] };
    this.#packets = 0;
    this.#packetsFrom.clear();
    const isNew = this.#multicast === undefined;
    this.#multicast ??= this.#openSocket();
    if (isNew) this.#multicast.announce(this.#ownOffice(), TTL);
    this.#multicast.query();
    const offices = [...this.#known].map(([key, { name }]) => ({ key, name }));
    return { looking: true, offices: offices.sort((a, b) => (a.name < b.name ? -1 : 1)) };
  }

  /** Withdraws this office and closes the socket, if open; forgets the offices found and a failure of the socket. */
  close(): void {
    this.#stop?.();
    this.#stop = undefined;
    this.#hasFailed = false;
    this.#known.clear();
    const open = this.#multicast;
    this.#multicast = undefined;
    open?.withdraw(this.#ownOffice());
  }

  /** Returns this office as it is announced. */
  #ownOffice(): NearbyOffice {
    return { key: this.#own, name: this.#deps.office() };
  }

  /**
   * Returns whether to parse a packet, and then counts it: small, from a local network, and within its sender's limit.
   * Beyond {@link MAX_PACKETS} only first packets and those of found offices pass (flood guard).
   */
  #acceptPacket(bytes: number, from: string): boolean {
    if (bytes > MAX_BYTES || !isFromNearby(from)) return false;
    const before = this.#packetsFrom.get(from) ?? 0;
    const isFirst = before === 0 && this.#packetsFrom.size < MAX_ADDRESSES;
    const isFree = isFirst || [...this.#known.values()].some((office) => office.from === from);
    if (before >= MAX_PACKETS_FROM_ONE || (!isFree && this.#packets >= MAX_PACKETS)) return false;
    this.#packetsFrom.set(from, before + 1);
    if (!isFree) this.#packets++;
    return true;
  }

  /**
   * Adds announced offices but ours, at most 5 of an address, and removes withdrawn ones, which only their address
   * withdraws.
   */
  #recordOffices(offices: ReturnType<typeof readOffices>, from: string): void {
    for (const { key, name, gone } of offices) {
      if (key === this.#own) continue;
      const before = this.#known.get(key);
      const ofIt = [...this.#known.values()].filter((each) => each.from === from).length;
      if (before && before.from !== from) continue;
      if (gone) this.#known.delete(key);
      else if (!before && ofIt < MAX_OFFICES_FROM_ONE && this.#makeRoom(ofIt + 1))
        this.#known.set(key, { name, from });
    }
  }

  /**
   * Returns whether another office has room, as the `nth` of its address. If all 40 places are taken, first forgets the
   * last office of the address with most, unless that has no more than `nth` (then false).
   */
  #makeRoom(nth: number): boolean {
    if (this.#known.size < MAX_OFFICES) return true;
    const keysOf = new Map<string, string[]>();
    for (const [key, { from }] of this.#known) keysOf.set(from, [...(keysOf.get(from) ?? []), key]);
    const [most = []] = [...keysOf.values()].sort((a, b) => b.length - a.length);
    const last = most.at(-1);
    return most.length > nth && last !== undefined && this.#known.delete(last);
  }

  /**
   * Opens the multicast socket under a new random key, to announce us when asked and record other offices. If it fails,
   * no offices are found until the page is closed.
   */
  #openSocket(): Multicast {
    // New each time: nobody can track this computer between networks.
    this.#own = randomBytes(8).toString('hex');
    const opened = this.#open({
      acceptPacket: (bytes, from) => this.#acceptPacket(bytes, from),
      question: (packet) => {
        if (!this.#deps.isOn()) this.close();
        else if (asksForOffices(packet)) this.#multicast?.announce(this.#ownOffice(), TTL);
      },
      answer: (packet, from) => {
        this.#recordOffices(readOffices(packet), from);
      },
      failed: () => {
        this.#hasFailed = true;
        this.#multicast = undefined;
        this.#known.clear();
        opened.close();
      },
    });
    return opened;
  }
}
