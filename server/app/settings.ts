import {
  ROUTE_SETTINGS,
  settings as schema,
  type Settings,
  type SettingsAnswer,
  type SettingsChange,
} from '../contract/app/settings.ts';
import { omit } from '../base/omit.ts';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { PartitionState } from '../store/engine/partition-state.ts';
import { entryOf } from '../store/engine/record-ref.ts';
import type { Partition, Table } from '../store/store.ts';
import { revocable } from '../store/recovery/withdrawals/revocable.ts';

type OpenedBy = NonNullable<SettingsAnswer['openedBy']>;
type Kept = Partial<Settings> & { readonly openedBy?: OpenedBy };

const SETTINGS: Table<Kept> = { name: 'settings' };
const KEY = 'settings';

const DEFAULTS: Settings = {
  office: '',
  firstRunDone: false,
  network: false,
  nearby: false,
  port: 7420,
  plainPartners: false,
  relay: '',
  partnerRelays: false,
  reverse: false,
  mapPort: false,
  carry: false,
  publicUrl: '',
  syncIntervalSeconds: 60,
  theme: 'system',
  language: 'system',
  startAtLogin: false,
  closeToTray: true,
  notify: { arrived: true, needsYou: true, problems: true },
  checkForUpdates: true,
  keepLedgerDays: 730,
  keepHistoryDays: 730,
  keepBinDays: 90,
};

const LISTEN_SETTINGS = [
  ...(['network', 'plainPartners', 'nearby'] as const),
  ...(['partnerRelays', 'reverse', 'mapPort', 'carry'] as const),
] as const;
/** Settings that open the office, its public address, and the sharing log's retention. */
type Guarded = Pick<Settings, (typeof LISTEN_SETTINGS)[number] | 'relay' | 'publicUrl' | 'keepLedgerDays'>;
/** Returns the settings that a restore of older data must not reopen, with defaults. */
const pickGuarded = (settings: Partial<Settings> = {}): Guarded => {
  const { network, plainPartners, nearby, partnerRelays, reverse, mapPort, carry, ...rest } = {
    ...DEFAULTS,
    ...settings,
  };
  const { relay, publicUrl, keepLedgerDays } = rest;
  return {
    ...{ network, plainPartners, nearby, partnerRelays, reverse, mapPort, carry },
    ...{ relay, publicUrl, keepLedgerDays },
  };
};
const AT_FIRST = pickGuarded();

/** A restore keeps closed listeners closed, the newest address and the longest retention. */
export const revocableSettings = revocable({
  table: SETTINGS,
  // Older notes know two listeners, as all others were closed then, and neither address nor retention.
  note: z.object({
    network: z.boolean(),
    plainPartners: z.boolean(),
    nearby: z.boolean().default(false),
    partnerRelays: z.boolean().default(false),
    reverse: z.boolean().default(false),
    mapPort: z.boolean().default(false),
    carry: z.boolean().default(false),
    relay: z.string().default(''),
    publicUrl: z.string().exactOptional(),
    keepLedgerDays: z.number().exactOptional(),
  }),
  /** Returns the note for the revocation log; undefined if no guarded setting changed. */
  noteForChange(before, after) {
    const is = pickGuarded(after);
    return isDeepStrictEqual(pickGuarded(before), is) ? undefined : is;
  },
  reapply: closeRevoked,
  /**
   * Returns a backup's settings without invalid values, limited by `note` as in {@link closeRevoked}. What it lacks
   * counts as default, except a longer retention of the sharing log.
   */
  limitRestored(settings, note) {
    const possible = dropInvalidSettings(settings);
    const { publicUrl = '', ...openings } = note ?? AT_FIRST;
    const { keepLedgerDays = Math.max(pickGuarded(possible).keepLedgerDays, DEFAULTS.keepLedgerDays) } =
      note ?? {};
    return closeRevoked(possible, { ...openings, publicUrl, keepLedgerDays });
  },
  /** Returns the note that the revocation log lacks; undefined if it has one or all is as at first. */
  noteIfLacking(settings, note) {
    const is = pickGuarded(settings);
    const isNoted = note?.publicUrl !== undefined && note.keepLedgerDays !== undefined;
    return isNoted || isDeepStrictEqual(is, AT_FIRST) ? undefined : is;
  },
});

/**
 * Returns the settings with the listeners closed that `note` has closed, and with its public address and retention if
 * it has them. A relay becomes the note's; no relay stays none. The same object if nothing changes.
 */
function closeRevoked(
  settings: Partial<Settings>,
  note: Omit<Guarded, 'publicUrl' | 'keepLedgerDays'> & Partial<Guarded>,
): Partial<Settings> {
  const is = pickGuarded(settings);
  const closed = LISTEN_SETTINGS.filter((door) => is[door] && !note[door]);
  const { publicUrl = is.publicUrl, keepLedgerDays = is.keepLedgerDays } = note;
  // An older relay would get connections that the user took away.
  const relay = is.relay === '' ? '' : note.relay;
  const isSo = publicUrl === is.publicUrl && keepLedgerDays === is.keepLedgerDays && relay === is.relay;
  if (closed.length === 0 && isSo) return settings;
  const shut = Object.fromEntries(closed.map((door) => [door, false]));
  return { ...settings, ...shut, ...(relay === is.relay ? {} : { relay }), publicUrl, keepLedgerDays };
}

/** Returns the settings without values a user couldn't have set; the same object if there are none. */
function dropInvalidSettings(settings: Partial<Settings>): Partial<Settings> {
  const { data } = schema.partial().safeParse(settings);
  if (data) return settings;
  const possible = Object.entries(settings).filter(
    ([name, value]) => schema.partial().safeParse({ [name]: value }).success,
  );
  return Object.fromEntries(possible);
}

export interface SettingsStore {
  current(): Settings;
  /**
   * Resolves, with all settings, once they are on disk.
   * @param by who made it
   */
  change(part: SettingsChange, by?: OpenedBy[keyof OpenedBy]): Promise<Settings>;
  /** Returns who allowed routes around the office's router, and when. */
  openedBy(): OpenedBy;
}

/** Returns the settings in a closed store's partition `system`. */
export function settingsIn(system: PartitionState): Settings {
  const slot = system.table(SETTINGS.name).byKey.get(KEY);
  return { ...DEFAULTS, ...(slot && entryOf<Partial<Settings>>(slot).value) };
}

/**
 * Returns who opened which routes after `part`: `by` for those that it turns on, nobody for the others it names. {} if
 * it names no route. Writes nothing.
 */
function updateOpenedBy(
  before: OpenedBy = {},
  part: SettingsChange,
  by: OpenedBy[keyof OpenedBy],
): Pick<Kept, 'openedBy'> {
  const changed = ROUTE_SETTINGS.filter((name) => part[name] !== undefined);
  if (changed.length === 0) return {};
  const opened = changed.filter((name) => Boolean(part[name]) && by !== undefined);
  const openedBy = { ...omit(before, ...changed), ...Object.fromEntries(opened.map((name) => [name, by])) };
  return { openedBy };
}

/**
 * Opens the settings.
 * @param seed values until the user sets their own
 * @param onChange called after each change
 */
export async function openSettings(
  system: Partition,
  seed: Partial<Settings>,
  onChange: (settings: Settings) => void,
): Promise<SettingsStore> {
  let own = (await system.get(SETTINGS, KEY)) ?? {};
  const current = (): Settings => omit({ ...DEFAULTS, ...seed, ...own }, 'openedBy');
  return {
    current,
    openedBy: () => own.openedBy ?? {},
    /**
     * Stores the given settings (of `notify` single members), with `by` as who opened the routes they open; then calls
     * `onChange` and returns all settings.
     */
    async change({ notify, ...part }, by) {
      own = await system.transaction(async (tx) => {
        const before = (await tx.get(SETTINGS, KEY)) ?? {};
        const next: Kept = {
          ...{ ...before, ...part, ...updateOpenedBy(before.openedBy, part, by) },
          ...(notify && { notify: { ...DEFAULTS.notify, ...seed.notify, ...before.notify, ...notify } }),
        };
        tx.put(SETTINGS, KEY, next);
        return next;
      });
      onChange(current());
      return current();
    },
  };
}
