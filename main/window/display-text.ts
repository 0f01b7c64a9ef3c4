import type { Translation } from '../text/i18n.ts';

// eslint-disable-next-line no-control-regex -- control characters are what is looked for
const UNSEEN = /[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]+/g;

const characters = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/**
 * Returns the text as one line of at most `limit` visible characters, with an ellipsis if cut. Removes control
 * characters and those that reverse or hide text: names come from partners.
 */
export function oneLine(text: string, limit: number): string {
  const line = text.replace(UNSEEN, ' ').replace(/\s+/g, ' ').trim();
  const parts = [...characters.segment(line)].map(({ segment }) => segment);
  if (parts.length <= limit) return line;
  return `${parts
    .slice(0, limit - 1)
    .join('')
    .trimEnd()}…`;
}

/**
 * Replaces angle brackets by similar characters: Linux desktops may take them for tags in notifications, others show
 * escapes.
 */
export const withoutMarkup = (text: string): string => text.replaceAll('<', '‹').replaceAll('>', '›');

/** Returns one line for a menu, where a single `&` would mark a shortcut. */
export const menuText = (text: string, limit: number): string => oneLine(text, limit).replaceAll('&', '&&');

const DAY = 86_400_000;

/**
 * Formats a time (milliseconds): on the day of `now` alone, yesterday and tomorrow by that word, else with the date.
 */
export function formatMoment(moment: number, now: number, { t, locale }: Translation): string {
  const midnight = new Date(now).setHours(0, 0, 0, 0);
  const time = new Intl.DateTimeFormat(locale, { timeStyle: 'short' }).format(moment);
  if (moment >= midnight && moment < midnight + DAY) return time;
  if (moment >= midnight - DAY && moment < midnight) return t('moment.yesterday', { time });
  if (moment >= midnight + DAY && moment < midnight + 2 * DAY) return t('moment.tomorrow', { time });
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short' }).format(moment);
}
