import type { Settings, SettingsChange } from '../contract/app/settings.ts';
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
type Doors = Pick<Settings, (typeof DOORS)[number]>;
const doorsOf = (settings: Partial<Settings> = {}): Doors => ({
  network: settings.network ?? DEFAULTS.network,
  plainPartners: settings.plainPartners ?? DEFAULTS.plainPartners,
  nearby: settings.nearby ?? DEFAULTS.nearby,
});

/** Doors that the user closed stay closed when older settings come back. */
export const withdrawableSettings = withdrawable({
  table: SETTINGS,
  // Notes of before know of two doors; the third was shut then.
  note: z.object({ network: z.boolean(), plainPartners: z.boolean(), nearby: z.boolean().default(false) }),
  noted(before, after) {
    const [was, is] = [doorsOf(before), doorsOf(after)];
    return DOORS.every((door) => was[door] === is[door]) ? undefined : is;
  },
  reapply(settings, note) {
    const open = doorsOf(settings);
    const closed = DOORS.filter((door) => open[door] && !note[door]);
    return closed.length === 0
      ? settings
      : { ...settings, ...Object.fromEntries(closed.map((door) => [door, false])) };
  },
});

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
