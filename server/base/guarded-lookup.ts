import { lookup as systemLookup, type LookupAddress, type LookupAllOptions } from 'node:dns';
import type { LookupFunction } from 'node:net';

/** The part of node:dns `lookup` that is used here. */
export type Lookup = (
  hostname: string,
  options: { all: true } & LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** Returns a DNS lookup whose addresses all pass `check`, or the name is refused (DNS rebinding guard, S2). */
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
