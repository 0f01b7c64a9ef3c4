import { randomBytes } from 'node:crypto';
import type { Clock } from '../base/clock.ts';
import { asksForUs, isFromNearby, officesIn, type NearbyOffice } from './told.ts';
import { openMulticast, type Heard, type Multicast } from './multicast.ts';

export interface Looked {
  /** Whether it is looked for others at all; false also where the network has no way for it. */
  readonly looking: boolean;
  readonly offices: readonly NearbyOffice[];
}

/** Without another look in this time nobody is at the page any more. */
const OPEN_MS = 10_000;
/** More offices than this are not remembered, whoever tells of them. */
const MOST_OFFICES = 40;
/** And not more from one address: nobody else is crowded out by it. */
const MOST_OFFICES_FROM_ONE = 5;
/**
 * More packets than this between two looks are not read. The first one of an address does not count, nor do those of an
 * address from which an office was found: a few senders cannot keep others from being heard.
 */
const MOST_PACKETS = 200;
const MOST_PACKETS_FROM_ONE = 40;
const MOST_ADDRESSES = 1000;
/** Twice what an office tells takes. */
const MOST_BYTES = 600;
/** Seconds for which others may take our word. */
const TTL = 15;

interface NearbyDeps {
  readonly clock: Pick<Clock, 'after'>;
  /** Whether the user switched it on. */
  readonly isOn: () => boolean;
  readonly office: () => string;
  readonly open?: (heard: Heard) => Multicast;
}

/** Offices on the same network that look for partners as well. */
export class Nearby {
  readonly #deps: NearbyDeps;
  readonly #open: NonNullable<NearbyDeps['open']>;
  /** What was found stays until the page is closed, or until it is taken back by the address that told it. */
  readonly #known = new Map<string, { readonly name: string; readonly from: string }>();
  /** Packets since the last look, by the address that they came from. */
  readonly #packetsFrom = new Map<string, number>();
  #way: Multicast | undefined;
  #own = '';
  #packets = 0;
  /** Until nobody is at the page any more. */
  #hasFailed = false;
  #stop: (() => void) | undefined;

  constructor(deps: NearbyDeps) {
    this.#deps = deps;
    this.#open = deps.open ?? openMulticast;
  }

  /**
   * Our user looks at the page on which partners are added: for the next seconds this office asks and answers, if the
   * user switched that on. Answers with the names that are known so far.
   */
  look(): Looked {
    if (!this.#deps.isOn()) {
      this.close();
      return { looking: false, offices: [] };
    }
    this.#stop?.();
    this.#stop = this.#deps.clock.after(OPEN_MS, () => this.close());
    if (this.#hasFailed) return { looking: false, offices: [] };
    this.#packets = 0;
    this.#packetsFrom.clear();
    const isNew = this.#way === undefined;
    this.#way ??= this.#begin();
    if (isNew) this.#way.tell(this.#ourselves(), TTL);
    this.#way.ask();
    const offices = [...this.#known].map(([key, { name }]) => ({ key, name }));
    return { looking: true, offices: offices.sort((a, b) => (a.name < b.name ? -1 : 1)) };
  }

  close(): void {
    this.#stop?.();
    this.#stop = undefined;
    this.#hasFailed = false;
    this.#known.clear();
    const open = this.#way;
    this.#way = undefined;
    open?.leave(this.#ourselves());
  }

  #ourselves(): NearbyOffice {
    return { key: this.#own, name: this.#deps.office() };
  }

  /** From a network of ours, and not more than anybody honest sends. */
  #mayRead(bytes: number, from: string): boolean {
    if (bytes > MOST_BYTES || !isFromNearby(from)) return false;
    const before = this.#packetsFrom.get(from) ?? 0;
    const isFirst = before === 0 && this.#packetsFrom.size < MOST_ADDRESSES;
    const isFree = isFirst || [...this.#known.values()].some((office) => office.from === from);
    if (before >= MOST_PACKETS_FROM_ONE || (!isFree && this.#packets >= MOST_PACKETS)) return false;
    this.#packetsFrom.set(from, before + 1);
    if (!isFree) this.#packets++;
    return true;
  }

  /** What was found stays as it was first told, and only who told it takes it back. */
  #hear(offices: ReturnType<typeof officesIn>, from: string): void {
    for (const { key, name, gone } of offices) {
      if (key === this.#own) continue;
      const before = this.#known.get(key);
      const ofIt = [...this.#known.values()].filter((each) => each.from === from).length;
      if (before && before.from !== from) continue;
      if (gone) this.#known.delete(key);
      else if (!before && this.#known.size < MOST_OFFICES && ofIt < MOST_OFFICES_FROM_ONE)
        this.#known.set(key, { name, from });
    }
  }

  #begin(): Multicast {
    // Another one each time, by which nobody can follow this computer from network to network.
    this.#own = randomBytes(8).toString('hex');
    const opened = this.#open({
      mayRead: (bytes, from) => this.#mayRead(bytes, from),
      question: (packet) => {
        if (!this.#deps.isOn()) this.close();
        else if (asksForUs(packet)) this.#way?.tell(this.#ourselves(), TTL);
      },
      answer: (packet, from) => {
        this.#hear(officesIn(packet), from);
      },
      failed: () => {
        this.#hasFailed = true;
        this.#way = undefined;
        this.#known.clear();
        opened.close();
      },
    });
    return opened;
  }
}
