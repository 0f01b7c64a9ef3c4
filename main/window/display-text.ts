import type { Translation } from '../text/i18n.ts';

/** Names come from partners: characters that reverse or hide text don't belong on the user's screen. */
// eslint-disable-next-line no-control-regex -- control characters are what is looked for
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]+/g;

const characters = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/**
 * Returns one line of at most `limit` visible characters, cut at a whole character, with an ellipsis. Removes
 * control characters and those that reverse or hide text.
 */
export function cut(text: string, limit: number): string {
  const line = text.replace(UNSEEN, ' ').replace(/\s+/g, ' ').trim();
  const parts = [...characters.segment(line)].map(({ segment }) => segment);
  if (parts.length <= limit) return line;
  return `${parts
    .slice(0, limit - 1)
    .join('')
    .trimEnd()}…`;
}

/**
 * Replaces angle brackets for a notification: Linux desktops interpret tags and show links, and names come from
 * partners. Desktops that don't interpret markup would show escapes.
 */
export const withoutMarkup = (text: string): string => text.replaceAll('<', '‹').replaceAll('>', '›');

/** Returns one line for a menu, where `&` is doubled so that it doesn't mark a shortcut. */
export const menuText = (text: string, limit: number): string => cut(text, limit).replaceAll('&', '&&');

const DAY = 86_400_000;

/** Formats a time, in milliseconds: only the time if it is on the day of `now`, otherwise with the day. */
export function formatMoment(moment: number, now: number, { t, locale }: Translation): string {
  const midnight = new Date(now).setHours(0, 0, 0, 0);
  const time = new Intl.DateTimeFormat(locale, { timeStyle: 'short' }).format(moment);
  if (moment >= midnight && moment < midnight + DAY) return time;
  if (moment >= midnight - DAY && moment < midnight) return t('moment.yesterday', { time });
  if (moment >= midnight + DAY && moment < midnight + 2 * DAY) return t('moment.tomorrow', { time });
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }).format(moment);
}
