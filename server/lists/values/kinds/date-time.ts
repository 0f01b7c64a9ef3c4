import { accept, refuse, type Checked } from './checked.ts';
import { said } from '../../../words/said.ts';

const MOMENT = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?\s*(Z|[+-]\d\d:?\d\d)?$/i;
const DATE = /^\d{4}-\d\d-\d\d$/;
/** A day that each month of each year has. */
const EVERY_MONTH = /^(?!0000)\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])$/;
const TIME = /^(\d{1,2}:\d\d)(:\d\d)?$/;

/**
 * DateTime: `YYYY-MM-DDTHH:MM:SSZ` in UTC (fractions kept where there are any), or only `YYYY-MM-DD`, or only
 * `HH:MM:SS`. A moment without a zone is taken as UTC; a column of dates takes the date as it is written. A
 * column that says nothing of it holds all three, as partners do not tell which theirs is: a day gets no time
 * that nobody wrote.
 */
export function checkDateTime(text: string, only: 'date' | 'time' | undefined): Checked {
  const trimmed = text.trim();
  if (only === 'time') return checkTime(trimmed);
  if (only === 'date') return checkDate(trimmed);
  if (DATE.test(trimmed)) return checkDate(trimmed);
  if (TIME.test(trimmed)) return checkTime(trimmed);
  return checkMoment(trimmed);
}

function checkDate(text: string): Checked {
  const date = DATE.test(text) ? text : MOMENT.exec(text)?.[1];
  if (date === undefined || !isDate(date)) return refuse(said('value.no-date'));
  return accept(date);
}

function checkTime(text: string): Checked {
  const [, minutes, seconds = ':00'] = TIME.exec(text) ?? [];
  const time = minutes === undefined ? undefined : `${minutes}${seconds}`.padStart(8, '0');
  if (time === undefined || !isTime(time)) return refuse(said('value.no-time'));
  return accept(time);
}

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

/** @param text of the form `YYYY-MM-DD`; JavaScript reads a day that its month lacks as one of the next */
function isDate(text: string): boolean {
  // Most dates need no calendar.
  if (EVERY_MONTH.test(text)) return true;
  return new Date(`${text}T00:00:00Z`).getUTCDate() === Number(text.slice(8)) && !text.startsWith('0000');
}

function isTime(text: string): boolean {
  const [hours = '', minutes = '', seconds = ''] = text.split(':');
  return Number(hours) < 24 && Number(minutes) < 60 && Number(seconds) < 60;
}
