import type { Clock } from '../../base/clock.ts';
import type { Ids } from '../../base/ids.ts';
import type { Entry, Partition, Table } from '../../store/store.ts';
import type { PullCounts } from '../pull/job.ts';
import type { Words } from '../../words/said.ts';

export interface Activity {
  readonly activityID: string;
  /** ISO 8601. */
  readonly at: string;
  readonly nodeID: string;
  readonly partner: string;
  readonly kind: 'pull' | 'structure' | 'pairing' | 'sharing' | 'connection' | 'served';
  readonly outcome: 'ok' | 'failed' | 'waiting';
  readonly moduleID?: string;
  readonly listName?: string;
  readonly counts?: PullCounts;
  readonly milliseconds?: number;
  readonly message: Words;
}

const ACTIVITIES: Table<Activity> = { name: 'activity', indexes: { node: (activity) => activity.nodeID } };

/** Durable and bounded. Latest entries first. */
export interface History {
  /** Adds an entry with new id and present time; returns it once durable. */
  add(activity: Omit<Activity, 'activityID' | 'at'>): Promise<Activity>;
  /** Returns entries of one partner or all; `before`: only older than this entry's id. */
  list(options: {
    readonly nodeID?: string;
    readonly limit: number;
    readonly before?: string;
  }): Promise<Activity[]>;
  measureEntries(): Promise<{ readonly entries: number; readonly bytes: number; readonly since?: string }>;
  /** Deletes entries before this time (milliseconds since the epoch); returns their number. */
  deleteBefore(before: number): Promise<number>;
}

const MAX_ENTRIES = 10_000;
/** Saves writes. */
const TRIMMED_AT_ONCE = 100;

/**
 * Opens the activity log of about 10,000 entries, which lists the newest first. `onActivity` receives each new one once
 * stored.
 */
export async function openHistory(deps: {
  readonly system: Partition;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly onActivity: (activity: Activity) => void;
}): Promise<History> {
  const { system, clock, ids, onActivity } = deps;
  let count = await system.count(ACTIVITIES);
  const [last] = await system.page(ACTIVITIES, { limit: 1, reverse: true });
  let trimming: Promise<void> | undefined;

  /** Deletes the oldest entries beyond the limit, once there are a hundred too many. Calls mustn't overlap. */
  async function trimToLimit(): Promise<void> {
    while (count >= MAX_ENTRIES + TRIMMED_AT_ONCE) {
      const old = await system.page(ACTIVITIES, { limit: count - MAX_ENTRIES });
      await system.transaction((tx) => {
        for (const { key } of old) tx.delete(ACTIVITIES, key);
      });
      count -= old.length;
    }
  }

  return {
    /**
     * Stores an activity with id and time, announces and returns it. Waits while the oldest are deleted if there are
     * too many.
     */
    async add(news) {
      const at = new Date(clock.now()).toISOString();
      // Last even if the clock was set back.
      const activity: Activity = { ...news, activityID: ids.next(last?.key), at };
      await system.transaction((tx) => tx.put(ACTIVITIES, activity.activityID, activity));
      count++;
      onActivity(activity);
      if (count >= MAX_ENTRIES + TRIMMED_AT_ONCE)
        await (trimming ??= trimToLimit().finally(() => (trimming = undefined)));
      return activity;
    },

    /** Returns the newest `limit` activities before the id `before`, of one partner or all, newest first. */
    async list({ nodeID, limit, before }) {
      const found: Activity[] = [];
      let after = before;
      while (found.length < limit) {
        const page = await system.page(ACTIVITIES, {
          limit: nodeID === undefined ? limit - found.length : 200,
          reverse: true,
          ...(after === undefined ? {} : { after }),
        });
        if (page.length === 0) break;
        after = page.at(-1)?.key;
        found.push(
          ...page.map(({ value }) => value).filter((each) => nodeID === undefined || each.nodeID === nodeID),
        );
      }
      return found.slice(0, limit);
    },

    /** Returns the number of entries, their bytes and the oldest one's time, by reading all. */
    async measureEntries() {
      const entries = await system.page(ACTIVITIES, { limit: Infinity });
      const bytes = entries.reduce((sum, entry) => sum + entry.bytes, 0);
      const since = entries[0]?.value.at;
      return { entries: entries.length, bytes, ...(since === undefined ? {} : { since }) };
    },

    /** Deletes activities from before this time (ms), in transactions of limited size; returns their number. */
    async deleteBefore(before) {
      const time = new Date(before).toISOString();
      // A future entry must not keep older ones behind it.
      const now = new Date(clock.now()).toISOString();
      let [gone, after]: [number, string | undefined] = [0, undefined];
      for (;;) {
        const oldest: Entry<Activity>[] = await system.page(ACTIVITIES, {
          limit: TRIMMED_AT_ONCE,
          ...(after === undefined ? {} : { after }),
        });
        const old = oldest.filter(({ value }) => value.at < time);
        await system.transaction((tx) => {
          for (const { key } of old) tx.delete(ACTIVITIES, key);
        });
        gone += old.length;
        count -= old.length;
        const isYoung = oldest.some(({ value: { at } }) => at >= time && at <= now);
        if (isYoung || oldest.length < TRIMMED_AT_ONCE) return gone;
        after = oldest.at(-1)?.key;
      }
    },
  };
}
