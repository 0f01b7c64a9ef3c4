import { randomBytes } from 'node:crypto';
import type { Clock } from '../base/clock.ts';
import { asksForUs, isFromNearby, officesIn, type Told } from './told.ts';
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
  readonly offices: readonly Told[];
}

/** Without another look in this time nobody is at the page any more. */
const OPEN_MS = 10_000;
/** An office that was not heard of for so long is gone. */
const KNOWN_MS = 15_000;
/** More offices than this are not remembered, whoever tells of them. */
const MOST_OFFICES = 40;
/** More packets than this between two looks are not listened to. */
const MOST_PACKETS = 200;
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
  const known = new Map<string, { readonly name: string; readonly at: number }>();
  let way: Multicast | undefined;
  let own = '';
  let packets = 0;
  /** Until nobody is at the page any more. */
  let hasFailed = false;
  let stop: (() => void) | undefined;

  const ourselves = (): Told => ({ key: own, name: deps.office() });

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
  const isHeard = (from: string): boolean => isFromNearby(from) && ++packets <= MOST_PACKETS;

  function hear(offices: ReturnType<typeof officesIn>): void {
    for (const { key, name, gone } of offices) {
      if (key === own) continue;
      if (gone) known.delete(key);
      else if (known.has(key) || known.size < MOST_OFFICES) known.set(key, { name, at: clock.monotonic() });
    }
  }

  function begin(): Multicast {
    // Another one each time, by which nobody can follow this computer from network to network.
    own = randomBytes(8).toString('hex');
    const opened = open({
      question: (packet, from) => {
        if (!deps.isOn()) shut();
        else if (isHeard(from) && asksForUs(packet)) way?.tell(ourselves(), TTL);
      },
      answer: (packet, from) => {
        if (isHeard(from)) hear(officesIn(packet));
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
