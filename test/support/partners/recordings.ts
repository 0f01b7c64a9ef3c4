import { readFileSync } from 'node:fs';
import { z } from 'zod';

const exchange = z.object({
  step: z.string(),
  request: z.object({
    method: z.string(),
    path: z.string(),
    /** `none`: sent without an Accept header, as live servers do among themselves. */
    accept: z.literal('none').optional(),
    body: z.unknown().optional(),
  }),
  response: z.object({ status: z.number(), contentType: z.string(), body: z.unknown() }),
});
/** One request to a live server and what it answered, cut to a few columns and rows. */
export type Exchange = z.infer<typeof exchange>;

/** Reads a fixture of recorded exchanges. */
export function recordings(name: string): Exchange[] {
  const file = new URL(`../../fixtures/recordings/${name}.json`, import.meta.url);
  return z.array(exchange).parse(JSON.parse(readFileSync(file, 'utf8')));
}

/** Ids and secrets of a recording and what stands for them here; learned from answers, put into requests. */
export interface IdMap {
  learn(recorded: string, ours: string): void;
  /** The value with all known ids of the recording replaced by ours. */
  translate<T>(value: T): T;
}

const ID = /^\d{15,20}$/;
const ID_OR_SECRET = /\d{15,20}|[A-Za-z0-9]{32}/g;

export function createIdMap(known: Readonly<Record<string, string>> = {}): IdMap {
  const ids = new Map(Object.entries(known));
  const text = (value: string): string => value.replaceAll(ID_OR_SECRET, (id) => ids.get(id) ?? id);
  const walk = (value: unknown): unknown => {
    if (typeof value === 'string') return text(value);
    if (Array.isArray(value)) return value.map(walk);
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, walk(part)]));
  };
  return {
    learn(recorded, ours) {
      if (!ids.has(recorded)) ids.set(recorded, ours);
    },
    translate: <T>(value: T) => walk(value) as T,
  };
}

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/;

/**
 * Compares our answer with a recorded one, field by field. Times count as equal to any time and a new id to
 * any id, which is remembered. @returns one line a difference, `path: recorded → ours`
 */
export function differences(recorded: unknown, ours: unknown, ids: IdMap, path = ''): string[] {
  if (isRecord(recorded) && isRecord(ours)) {
    const keys = [...new Set([...Object.keys(recorded), ...Object.keys(ours)])];
    return keys.flatMap((key) =>
      differences(recorded[key], ours[key], ids, path === '' ? key : `${path}.${key}`),
    );
  }
  if (Array.isArray(recorded) && Array.isArray(ours)) {
    if (sameInOtherOrder(recorded, ours)) return [`${path}: other order`];
    const length = Math.max(recorded.length, ours.length);
    return Array.from({ length }, (_, i) => differences(recorded[i], ours[i], ids, `${path}[${i}]`)).flat();
  }
  if (typeof recorded === 'string' && typeof ours === 'string') {
    if (TIME.test(recorded) && TIME.test(ours)) return [];
    if (ID.test(recorded) && ID.test(ours)) ids.learn(recorded, ours);
    if (ids.translate(recorded) === ours) return [];
  } else if (recorded === ours) return [];
  return [`${path}: ${show(recorded)} → ${show(ours)}`];
}

function sameInOtherOrder(recorded: readonly unknown[], ours: readonly unknown[]): boolean {
  const texts = (items: readonly unknown[]): string[] => items.map((item) => JSON.stringify(item));
  const [theirs, own] = [texts(recorded), texts(ours)];
  return theirs.join() !== own.join() && theirs.sort().join() === own.sort().join();
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Short, and the same whatever ids and times of this run are. */
function show(value: unknown): string {
  if (value === undefined) return 'absent';
  if (typeof value === 'string') {
    if (TIME.test(value)) return 'a time';
    if (ID.test(value)) return 'an id';
    if (/^https?:/.test(value)) return 'an address';
    if (value.startsWith('(createdBy')) return 'a filter';
  }
  if (typeof value === 'object' && value !== null) return `{${Object.keys(value).join()}}`;
  return JSON.stringify(value);
}
