import { said, type Words } from '../words/said.ts';

/** Tokens live for hours at least: a clock that is off by less than this makes nobody refuse one. */
const FAR_OFF = 30 * 60_000;

/**
 * What is to be said of two clocks that are so far apart that one side takes the other's token for ended; undefined
 * where they are not. Both in milliseconds since the epoch.
 */
export function farApart(theirs: number | undefined, ours: number): Words | undefined {
  const apart = theirs === undefined ? 0 : Math.abs(theirs - ours);
  if (apart < FAR_OFF) return undefined;
  const minutes = Math.round(apart / 60_000);
  if (minutes < 120)
    return said`The partner’s clock and this computer’s are ${minutes} minutes apart, so that it does not accept us. Set right the one that is wrong; it goes on by itself.`;
  const hours = Math.round(minutes / 60);
  return hours < 48
    ? said`The partner’s clock and this computer’s are ${hours} hours apart, so that it does not accept us. Set right the one that is wrong; it goes on by itself.`
    : said`The partner’s clock and this computer’s are ${Math.round(hours / 24)} days apart, so that it does not accept us. Set right the one that is wrong; it goes on by itself.`;
}
