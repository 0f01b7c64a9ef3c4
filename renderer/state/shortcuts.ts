/** What a key does anywhere in the window; pages by their names in `to`. */
export type ShortcutAction = 'home' | 'partners' | 'lists' | 'settings' | 'sync';

const WISHES: Readonly<Record<string, ShortcutAction>> = {
  '1': 'home',
  '2': 'partners',
  '3': 'lists',
  '4': 'settings',
  ',': 'settings',
  r: 'sync',
};

type Press = Pick<KeyboardEvent, 'key' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey'>;

/** Returns the action for Ctrl (Cmd on a Mac) with 1 to 4, comma or R; undefined for other keys. */
export function shortcut(press: Press): ShortcutAction | undefined {
  if (press.altKey || press.shiftKey || press.ctrlKey === press.metaKey) return undefined;
  return WISHES[press.key.toLowerCase()];
}
