import { randomBytes } from 'node:crypto';
import type { Clock } from '../base/clock.ts';
import { asksForUs, isFromNearby, officesIn, type NearbyOffice } from './told.ts';
import { openMulticast, type Heard, type Multicast } from './multicast.ts';

/** Offices on the same network that look for partners as well. */
export interface Nearby {
  /**
   * Our user looks at the page on which partners are added: for the next seconds this office asks and answers, if the
   * user switched that on. Answers with the names that are known so far.
   */
  look(): Looked;
  close(): void;
}

export interface Looked {
  /** Whether it is looked for others at all; false also where the network has no way for it. */
  readonly looking: boolean;
  readonly offices: readonly NearbyOffice[];
}

/** Without another look in this time nobody is at the page any more. */
const OPEN_MS = 10_000;
/** An office that was not heard of for so long is gone. */
const KNOWN_MS = 15_000;
/** More offices than this are not remembered, whoever tells of them. */
const MOST_OFFICES = 40;
/** And not more from one address: nobody else is crowded out by it. */
const MOST_OFFICES_FROM_ONE = 5;
/** More packets than this between two looks are not listened to. */
const MOST_PACKETS = 200;
const MOST_PACKETS_FROM_ONE = 40;
/** Twice what an office tells takes. */
const MOST_BYTES = 600;
/** Seconds for which others may take our word. */
const TTL = 15;

export function createNearby(deps: {
  readonly clock: Pick<Clock, 'monotonic' | 'after'>;
  /** Whether the user switched it on. */
  readonly isOn: () => boolean;
  readonly office: () => string;
  readonly open?: (heard: Heard) => Multicast;
}): Nearby {
  const { clock, open = openMulticast } = deps;
  const known = new Map<string, { readonly name: string; readonly from: string; readonly at: number }>();
  /** Packets since the last look, by the address that they came from. */
  const packetsFrom = new Map<string, number>();
  let way: Multicast | undefined;
  let own = '';
  let packets = 0;
  /** Until nobody is at the page any more. */
  let hasFailed = false;
  let stop: (() => void) | undefined;

  const ourselves = (): NearbyOffice => ({ key: own, name: deps.office() });

  function shut(): void {
    stop?.();
    stop = undefined;
    hasFailed = false;
    known.clear();
    const open = way;
    way = undefined;
    open?.leave(ourselves());
  }

  /** From a network of ours, and not more than anybody honest sends. */
  function mayRead(bytes: number, from: string): boolean {
    if (bytes > MOST_BYTES || packets >= MOST_PACKETS || !isFromNearby(from)) return false;
    const before = packetsFrom.get(from) ?? 0;
    if (before >= MOST_PACKETS_FROM_ONE) return false;
    packetsFrom.set(from, before + 1);
    packets++;
    return true;
  }

  /** What was found stays as it was first told, and only who told it takes it back. */
  function hear(offices: ReturnType<typeof officesIn>, from: string): void {
    for (const { key, name, gone } of offices) {
      if (key === own) continue;
      const before = known.get(key);
      const ofIt = [...known.values()].filter((each) => each.from === from).length;
      if (before && before.from !== from) continue;
      if (gone) known.delete(key);
      else if (before) known.set(key, { ...before, at: clock.monotonic() });
      else if (known.size < MOST_OFFICES && ofIt < MOST_OFFICES_FROM_ONE)
        known.set(key, { name, from, at: clock.monotonic() });
    }
  }

  function begin(): Multicast {
    // Another one each time, by which nobody can follow this computer from network to network.
    own = randomBytes(8).toString('hex');
    const opened = open({
      mayRead,
      question: (packet) => {
        if (!deps.isOn()) shut();
        else if (asksForUs(packet)) way?.tell(ourselves(), TTL);
      },
      answer: (packet, from) => {
        hear(officesIn(packet), from);
      },
      failed: () => {
        hasFailed = true;
        way = undefined;
        known.clear();
        opened.close();
      },
    });
    return opened;
  }

  return {
    look() {
      if (!deps.isOn()) {
        shut();
        return { looking: false, offices: [] };
      }
      stop?.();
      stop = clock.after(OPEN_MS, shut);
      if (hasFailed) return { looking: false, offices: [] };
      packets = 0;
      packetsFrom.clear();
      const isNew = way === undefined;
      way ??= begin();
      if (isNew) way.tell(ourselves(), TTL);
      way.ask();
      for (const [key, { at }] of known) if (clock.monotonic() - at > KNOWN_MS) known.delete(key);
      const offices = [...known].map(([key, { name }]) => ({ key, name }));
      return { looking: true, offices: offices.sort((a, b) => (a.name < b.name ? -1 : 1)) };
    },
    close: shut,
  };
}
