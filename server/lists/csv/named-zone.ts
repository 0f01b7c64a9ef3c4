/** `Created (UTC)`, `date_gmt`, `startUtc`, `Start (UTC+02:00)`. */
const NAMED =
  /(?:(?<!\p{L})(?:[Uu][Tt][Cc]|[Gg][Mm][Tt])|(?<=\p{Ll})(?:U(?:TC|tc)|G(?:MT|mt)))(?!\p{L})(?: ?([+−-])(\d{1,2})(?::?(\d\d))?(?!\d))?/u;
/** `Local time (UTC in the next column)`. */
const LOCAL = /\blo[ck]al/iu;

/** Returns the minutes by which the zone that a column's name tells is ahead of UTC; undefined if it tells none. */
export function zoneOffsetInName(header: string): number | undefined {
  const found = LOCAL.test(header) ? null : NAMED.exec(header);
  if (!found) return undefined;
  const [, sign, hours = '0', minutes = '0'] = found;
  const offset = Number(hours) * 60 + Number(minutes);
  return sign === undefined || sign === '+' ? offset : -offset;
}
