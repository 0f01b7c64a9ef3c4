import { lookup as systemLookup, type LookupAddress, type LookupAllOptions } from 'node:dns';
import type { LookupFunction } from 'node:net';

export type Lookup = (
  hostname: string,
  options: { all: true } & LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/**
 * Returns a DNS lookup that passes all found addresses to `check` first, and fails as that throws, or with `ENOTFOUND`
 * without any (guard against DNS rebinding and SSRF, S2).
 */
export function guardedLookup(
  check: (address: string) => void,
  lookup: Lookup = systemLookup,
): LookupFunction {
  return (hostname, wanted, callback) => {
    lookup(hostname, { ...wanted, all: true }, (error, found) => {
      if (error) {
        callback(error, '', 0);
        return;
      }
      try {
        for (const { address } of found) check(address);
      } catch (refusal) {
        callback(refusal as NodeJS.ErrnoException, '', 0);
        return;
      }
      const [first] = found;
      if (!first) callback(Object.assign(new Error('no address'), { code: 'ENOTFOUND' }), '', 0);
      else if (wanted.all) callback(null, found);
      else callback(null, first.address, first.family);
    });
  };
}

type Answer = Parameters<Parameters<Lookup>[2]>;

/** Looks up names one at a time, for any number of owners. */
export class NameLookups {
  /** Waiting look-ups by owner and name. Served owners go to the end. */
  readonly #owners = new Map<string, Map<string, LookupWait>>();
  #isBusy = false;

  /**
   * Returns a lookup that waits in this owner's queue, where equal names share one. One lookup runs at a time, of
   * owners in turn: the system looks up two names at a time, perhaps for minutes.
   */
  forOwner(owner: string, lookup: Lookup = systemLookup): Lookup {
    return (hostname, options, callback) => {
      const names = this.#owners.get(owner) ?? new Map<string, LookupWait>();
      this.#owners.set(owner, names);
      const key = `${options.family ?? 0} ${hostname}`;
      const known = names.get(key);
      if (known) known.callbacks.push(callback);
      else names.set(key, { start: (answer) => lookup(hostname, options, answer), callbacks: [callback] });
      this.#startNext();
    };
  }

  /** Starts the next owner's first lookup, unless one runs. Owners take turns; equal lookups share one. */
  #startNext(): void {
    const [owner, names] = this.#isBusy ? [] : (this.#owners.entries().next().value ?? []);
    const [key, wait] = names?.entries().next().value ?? [];
    if (owner === undefined || !names || key === undefined || !wait) return;
    this.#isBusy = true;
    wait.start((...answer) => {
      this.#isBusy = false;
      names.delete(key);
      this.#owners.delete(owner);
      if (names.size > 0) this.#owners.set(owner, names);
      for (const callback of wait.callbacks) callback(...answer);
      this.#startNext();
    });
  }
}

interface LookupWait {
  readonly start: (answer: (...answer: Answer) => void) => void;
  readonly callbacks: ((...answer: Answer) => void)[];
}
