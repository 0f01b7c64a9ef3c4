import type { Settings, SettingsChange } from '../contract/app/settings.ts';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { PartitionState } from '../store/engine/partition-state.ts';
import { entryOf } from '../store/engine/slot.ts';
import type { Partition, Table } from '../store/store.ts';
import { withdrawable } from '../store/recovery/withdrawals/withdrawable.ts';

const SETTINGS: Table<Partial<Settings>> = { name: 'settings' };
const KEY = 'settings';

const DEFAULTS: Settings = {
  office: '',
  firstRunDone: false,
  network: false,
  nearby: false,
  port: 7420,
  plainPartners: false,
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

const DOORS = ['network', 'plainPartners', 'nearby'] as const;
/** What opens the office, and where partners are told that it is. */
type Doors = Pick<Settings, (typeof DOORS)[number] | 'publicUrl'>;
const doorsOf = ({
  network = DEFAULTS.network,
  plainPartners = DEFAULTS.plainPartners,
  nearby = DEFAULTS.nearby,
  publicUrl = DEFAULTS.publicUrl,
}: Partial<Settings> = {}): Doors => ({ network, plainPartners, nearby, publicUrl });
const SHUT = doorsOf();

/**
 * Doors that the user closed stay closed when older settings come back, and the address is the newest. A backup opens none
 * that is not open here: on another computer all are closed at first.
 */
export const withdrawableSettings = withdrawable({
  table: SETTINGS,
  // Notes of before know of two doors, the third was shut then; and of no address.
  note: z.object({
    network: z.boolean(),
    plainPartners: z.boolean(),
    nearby: z.boolean().default(false),
    publicUrl: z.string().exactOptional(),
  }),
  noted(before, after) {
    const is = doorsOf(after);
    return isDeepStrictEqual(doorsOf(before), is) ? undefined : is;
  },
  reapply: asNoted,
  restored: (settings, note = SHUT) => asNoted(settings, { ...note, publicUrl: note.publicUrl ?? '' }),
  lacking(settings, note) {
    const is = doorsOf(settings);
    return note?.publicUrl !== undefined || isDeepStrictEqual(is, SHUT) ? undefined : is;
  },
});

function asNoted(
  settings: Partial<Settings>,
  note: Omit<Doors, 'publicUrl'> & Partial<Doors>,
): Partial<Settings> {
  const is = doorsOf(settings);
  const closed = DOORS.filter((door) => is[door] && !note[door]);
  const { publicUrl = is.publicUrl } = note;
  if (closed.length === 0 && publicUrl === is.publicUrl) return settings;
  return { ...settings, ...Object.fromEntries(closed.map((door) => [door, false])), publicUrl };
}

/** What the user set, with defaults for the rest. `office` is empty until the first run is done. */
export interface SettingsStore {
  current(): Settings;
  /** Resolves when the change is on disk. */
  change(part: SettingsChange): Promise<Settings>;
}

/** As they are set in a partition `system` that is not in use. */
export function settingsIn(system: PartitionState): Settings {
  const slot = system.table(SETTINGS.name).byKey.get(KEY);
  return { ...DEFAULTS, ...(slot && entryOf<Partial<Settings>>(slot).value) };
}

/**
 * @param seed values that hold until the user sets their own, such as a label given on the command line
 * @param onChange called after a change is durable
 */
export async function openSettings(
  system: Partition,
  seed: Partial<Settings>,
  onChange: (settings: Settings) => void,
): Promise<SettingsStore> {
  let own = (await system.get(SETTINGS, KEY)) ?? {};
  const current = (): Settings => ({ ...DEFAULTS, ...seed, ...own });
  return {
    current,
    async change({ notify, ...part }) {
      own = await system.transaction(async (tx) => {
        const before = (await tx.get(SETTINGS, KEY)) ?? {};
        const next = { ...before, ...part };
        if (notify) next.notify = { ...DEFAULTS.notify, ...seed.notify, ...before.notify, ...notify };
        tx.put(SETTINGS, KEY, next);
        return next;
      });
      onChange(current());
      return current();
    },
  };
}
