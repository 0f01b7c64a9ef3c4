import type { MenuItemConstructorOptions } from 'electron';
import type { Texts } from '../text/i18n.ts';

interface MenuActions {
  settings(): void;
  syncNow(): void;
  addPartner(): void;
  checkForUpdates(): void;
  hideWindow(): void;
  quit(): void;
}

const SEPARATOR: MenuItemConstructorOptions = { type: 'separator' };

/**
 * Returns the menu bar. macOS needs it for copy and paste; elsewhere Alt shows it. No entry reloads the page: Ctrl+R
 * means "Sync now".
 */
export function appMenu(
  platform: NodeJS.Platform,
  actions: MenuActions,
  t: Texts,
): MenuItemConstructorOptions[] {
  const mac = platform === 'darwin';
  const entries = createAppEntries(actions, t);
  const { settings, updates, quit } = entries;
  const work = workEntries(actions, t);
  return [
    ...(mac ? [createMacMenu(entries, t)] : []),
    { label: t('menu.file'), submenu: mac ? work : [...work, SEPARATOR, settings, updates, SEPARATOR, quit] },
    ...createSystemMenus(t),
  ];
}

type EntriesOfApp = Readonly<Record<'settings' | 'updates' | 'quit', MenuItemConstructorOptions>>;

/** Returns the entries that macOS has in another menu than other systems. */
const createAppEntries = (actions: MenuActions, t: Texts): EntriesOfApp => ({
  settings: {
    id: 'settings',
    label: t('tray.settings'),
    accelerator: 'CmdOrCtrl+,',
    click: () => actions.settings(),
  },
  updates: {
    id: 'check-updates',
    label: t('menu.check-for-updates'),
    click: () => actions.checkForUpdates(),
  },
  quit: {
    id: 'quit',
    label: t('tray.quit'),
    accelerator: 'CmdOrCtrl+Q',
    click: () => actions.quit(),
  },
});

/** Returns the entries for sync, partners and closing the window. */
const workEntries = (actions: MenuActions, t: Texts): MenuItemConstructorOptions[] => [
  { id: 'sync', label: t('tray.sync-now'), accelerator: 'CmdOrCtrl+R', click: () => actions.syncNow() },
  { id: 'add-partner', label: t('menu.add-partner'), click: () => actions.addPartner() },
  SEPARATOR,
  {
    id: 'hide',
    label: t('menu.close-window'),
    accelerator: 'CmdOrCtrl+W',
    click: () => actions.hideWindow(),
  },
];

/** Returns the app's own menu on macOS. */
const createMacMenu = ({ settings, updates, quit }: EntriesOfApp, t: Texts): MenuItemConstructorOptions => ({
  label: 'Footbridge',
  submenu: [
    { role: 'about', label: t('menu.about') },
    updates,
    SEPARATOR,
    settings,
    SEPARATOR,
    { role: 'hide', label: t('menu.hide') },
    { role: 'hideOthers', label: t('menu.hide-others') },
    { role: 'unhide', label: t('menu.show-all') },
    SEPARATOR,
    quit,
  ],
});

/** Returns the Edit, View and Window menus: the system's actions with our texts. */
const createSystemMenus = (t: Texts): MenuItemConstructorOptions[] => [
  {
    label: t('menu.edit'),
    submenu: [
      { role: 'undo', label: t('menu.undo') },
      { role: 'redo', label: t('menu.redo') },
      SEPARATOR,
      { role: 'cut', label: t('menu.cut') },
      { role: 'copy', label: t('menu.copy') },
      { role: 'paste', label: t('menu.paste') },
      { role: 'selectAll', label: t('menu.select-all') },
    ],
  },
  {
    label: t('menu.view'),
    submenu: [
      { role: 'resetZoom', label: t('menu.actual-size') },
      { role: 'zoomIn', label: t('menu.zoom-in') },
      { role: 'zoomOut', label: t('menu.zoom-out') },
      SEPARATOR,
      { role: 'togglefullscreen', label: t('menu.full-screen') },
    ],
  },
  {
    label: t('menu.window'),
    submenu: [
      { role: 'minimize', label: t('menu.minimize') },
      { role: 'zoom', label: t('menu.zoom') },
    ],
  },
];

interface ContextSituation {
  readonly isEditable: boolean;
  readonly selectionText: string;
  readonly editFlags: {
    readonly canCut: boolean;
    readonly canCopy: boolean;
    readonly canPaste: boolean;
    readonly canSelectAll: boolean;
  };
}

/** Returns the context menu: actions on text, or none. */
export function contextMenu(situation: ContextSituation, t: Texts): MenuItemConstructorOptions[] {
  const { canCut, canCopy, canPaste, canSelectAll } = situation.editFlags;
  const copy: MenuItemConstructorOptions = { role: 'copy', label: t('menu.copy'), enabled: canCopy };
  if (!situation.isEditable) return situation.selectionText.trim() === '' ? [] : [copy];
  return [
    { role: 'cut', label: t('menu.cut'), enabled: canCut },
    copy,
    { role: 'paste', label: t('menu.paste'), enabled: canPaste },
    SEPARATOR,
    { role: 'selectAll', label: t('menu.select-all'), enabled: canSelectAll },
  ];
}
