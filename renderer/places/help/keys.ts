import type { Key } from '../../text/catalogue.ts';
import type { Route } from '../../state/route.ts';

interface KeyHelp {
  readonly keys: Key;
  readonly does: Key;
  readonly sign?: string;
}

const key = (name: KeyName): KeyHelp => ({ keys: `keys.${name}`, does: `key.${name}` });
type KeyName = Extract<Key, `key.${string}`> extends `key.${infer Name}` ? Name : never;

const ANYWHERE = [
  { ...key('help'), sign: '?' },
  ...(['places', 'settings', 'sync', 'close'] as const).map(key),
];
const READING = (['move', 'ends', 'range', 'copy', 'details', 'tick', 'tick-all'] as const).map(key);
const WRITING = (['edit', 'type', 'fill', 'clear', 'undo', 'redo'] as const).map(key);

export interface KeyGroup {
  readonly title: Key;
  readonly keys: readonly KeyHelp[];
}

/** Returns a page's keys in groups; in a bin, which is read-only, none for editing. */
export function keysAt(route: Route): readonly KeyGroup[] {
  const anywhere = { title: 'keys.anywhere', keys: ANYWHERE } as const;
  if (route.place !== 'list') return [anywhere];
  const keys = route.bin ? READING : [...READING, ...WRITING];
  return [{ title: 'keys.in-list', keys }, anywhere];
}

export const ALL_KEYS = keysAt({ place: 'list', moduleID: '', bin: false });

/** Works anywhere; pages by their names in `to`. */
type ShortcutAction = 'home' | 'partners' | 'lists' | 'settings' | 'sync';

const WISHES: Readonly<Record<string, ShortcutAction>> = {
  '1': 'home',
  '2': 'partners',
  '3': 'lists',
  '4': 'settings',
  ',': 'settings',
  r: 'sync',
};

type Press = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>;

/** Returns the action of Ctrl (Cmd on a Mac) with 1 to 4, comma or R; undefined for other keys. */
export function shortcut(press: Press): ShortcutAction | undefined {
  if (press.altKey || press.shiftKey || press.ctrlKey === press.metaKey) return undefined;
  return WISHES[press.key.toLowerCase()];
}
