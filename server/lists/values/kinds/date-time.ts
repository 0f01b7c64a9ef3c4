import { accept, refuse, type Checked } from './checked.ts';
import { said } from '../../../words/said.ts';

const MOMENT = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?\s*(Z|[+-]\d\d:?\d\d)?$/i;
const DATE = /^\d{4}-\d\d-\d\d$/;
const EVERY_MONTH = /^(?!0000)\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])$/;
const TIME = /^(\d{1,2}:\d\d)(:\d\d)?$/;

/**
 * Accepts a time stored as `YYYY-MM-DDTHH:MM:SSZ` in UTC with any fraction, a date `YYYY-MM-DD` or a clock `HH:MM:SS`.
 * Without a zone a time is UTC. A column of dates takes a time's date too, as written; without `only` all three forms
 * stay.
 */
export function checkDateTime(text: string, only: 'date' | 'time' | undefined): Checked {
  const trimmed = text.trim();
  if (only === 'time') return checkTime(trimmed);
  if (only === 'date') return checkDate(trimmed);
  if (DATE.test(trimmed)) return checkDate(trimmed);
  if (TIME.test(trimmed)) return checkTime(trimmed);
  return checkMoment(trimmed);
}

/** Accepts the date part of a moment too; refuses days that don't exist. */
function checkDate(text: string): Checked {
  const date = DATE.test(text) ? text : MOMENT.exec(text)?.[1];
  if (date === undefined || !isDate(date)) return refuse(said('value.no-date'));
  return accept(date);
}

/** Accepts `H:MM` or `H:MM:SS`, stored as `HH:MM:SS`. */
function checkTime(text: string): Checked {
  const [, minutes, seconds = ':00'] = TIME.exec(text) ?? [];
  const time = minutes === undefined ? undefined : `${minutes}${seconds}`.padStart(8, '0');
  if (time === undefined || !isTime(time)) return refuse(said('value.no-time'));
  return accept(time);
}

/**
 * Accepts a date with time and converts it to UTC; without a zone it is read as UTC. Refuses years beyond 1 to 9999.
 */
function checkMoment(text: string): Checked {
  const parts = MOMENT.exec(text);
  const [, date = '', minutes = '', seconds = '00', fraction = '', zone = 'Z'] = parts ?? [];
  const time = `${minutes}:${seconds}`;
  if (!parts || !isDate(date) || !isTime(time)) {
    return refuse(said('value.no-date-time'));
  }
  const offset = /^[+-]\d{4}$/.test(zone) ? `${zone.slice(0, 3)}:${zone.slice(3)}` : zone.toUpperCase();
  const moment = new Date(`${date}T${time}${offset}`);
  if (Number.isNaN(moment.getTime()) || moment.getUTCFullYear() < 1 || moment.getUTCFullYear() > 9999) {
    return refuse(said('value.no-year'));
  }
  const kept = fraction.replace(/0+$/, '');
  return accept(`${moment.toISOString().slice(0, 19)}${kept ? `.${kept}` : ''}Z`);
}

/** Returns whether `YYYY-MM-DD` exists, from year 1; `Date` reads February 30 as a day of March. Checks no form. */
function isDate(text: string): boolean {
  // Most dates need no calendar.
  if (EVERY_MONTH.test(text)) return true;
  return new Date(`${text}T00:00:00Z`).getUTCDate() === Number(text.slice(8)) && !text.startsWith('0000');
}

/** Returns whether hours, minutes and seconds are in range. Checks no form. */
function isTime(text: string): boolean {
  const [hours = '', minutes = '', seconds = ''] = text.split(':');
  return Number(hours) < 24 && Number(minutes) < 60 && Number(seconds) < 60;
}
