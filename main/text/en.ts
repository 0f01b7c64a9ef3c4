const rows = (count: number): string => (count === 1 ? '1 row' : `${count.toLocaleString('en')} rows`);

/** What the shell says in English; the other languages have the same entries. */
export const en = {
  states: {
    'up-to-date': 'Up to date',
    syncing: 'Checking for changes',
    paused: 'Paused',
    offline: 'Offline',
    'needs-you': 'Needs you',
    error: 'Problem',
  },
  moments: {
    yesterday: (time: string) => `yesterday ${time}`,
    tomorrow: (time: string) => `tomorrow ${time}`,
  },
  tray: {
    pausedUntil: (moment: string) => `Paused until ${moment}`,
    lastSync: (moment: string) => `Last sync ${moment}`,
    starting: 'Starting',
    nothingSynced: 'Nothing is synced',
    partner: (name: string, state: string) => `${name} (${state.toLowerCase()})`,
    more: (count: number) => `${count} more…`,
    syncNow: 'Sync now',
    pause: 'Pause',
    pauses: {
      'half-hour': '30 minutes',
      hour: '1 hour',
      tomorrow: 'Until tomorrow',
      indefinitely: 'Until I resume',
    },
    resume: 'Resume',
    open: 'Open Footbridge',
    settings: 'Settings…',
    restartToUpdate: 'Restart to update',
    quit: 'Quit Footbridge',
  },
  menu: {
    file: 'File',
    addPartner: 'Add a partner…',
    checkForUpdates: 'Check for updates…',
    closeWindow: 'Close window',
    about: 'About Footbridge',
    hide: 'Hide Footbridge',
    hideOthers: 'Hide others',
    showAll: 'Show all',
    edit: 'Edit',
    undo: 'Undo',
    redo: 'Redo',
    cut: 'Cut',
    copy: 'Copy',
    paste: 'Paste',
    selectAll: 'Select all',
    view: 'View',
    actualSize: 'Actual size',
    zoomIn: 'Larger',
    zoomOut: 'Smaller',
    fullScreen: 'Full screen',
    window: 'Window',
    minimize: 'Minimize',
    zoom: 'Zoom',
  },
  closing: {
    title: 'Footbridge keeps running',
    hidden: {
      win32:
        'It goes on syncing. Its icon in the notification area brings this window back, and the menu there quits it. You can change this in Settings.',
      darwin:
        'It goes on syncing. Its icon in the menu bar brings this window back, and the menu there quits it. You can change this in Settings.',
      linux:
        'It goes on syncing. Its icon in the tray brings this window back, and the menu there quits it. You can change this in Settings.',
    },
    minimized:
      'It goes on syncing, minimized, since this desktop shows no tray icons. Quit it from the File menu. You can change this in Settings.',
    keep: 'Keep running',
  },
  notices: {
    arrived: (count: number, where: string) => `${rows(count)} changed in ${where}`,
    lists: (count: number) => `${count} lists`,
    partners: (count: number) => `${count} partners`,
    needsYou: 'Footbridge needs you',
    decisions: (count: number) => `${count} things wait for your decision.`,
  },
  updates: {
    fromSources: 'Footbridge runs from its sources here; update those instead.',
    noFeed: 'This copy was made without an address to update from.',
    unsignedPackage: 'This package is not signed; install a newer package to update.',
    unsigned: 'This copy is not signed, so an update could not be told from a forgery.',
    switchedOff: 'Looking for updates by itself is switched off.',
    looking: 'Looking for a newer version …',
    newest: 'This is the newest version.',
    loading: (version: string) => `Version ${version} is being loaded.`,
    title: 'Updates',
    later: 'Later',
    ready: (version: string) => `Version ${version} is ready. Restart Footbridge to use it.`,
    notLoaded: 'The newer version could not be loaded. It will be tried again.',
    unknown: 'Whether there is a newer version could not be found out.',
  },
  login: { fromSources: 'Footbridge runs from its sources here and cannot start at login.' },
  links: {
    title: 'This link cannot be used',
    tooLong: 'It is too long to be an invite.',
    oddCharacters: 'It contains characters that no invite has.',
    unknown: 'It is not a link that Footbridge understands.',
    nowhere: 'It leads nowhere. Ask for a new invite.',
    fileTooLarge: 'This file is too large to be an invite.',
    fileWithout: 'This file does not contain an invite.',
    fileUnreadable: 'This file could not be read.',
  },
  failures: {
    locked: {
      message: 'Footbridge is running already',
      advice: 'If you do not see it, restart the computer.',
    },
    'newer-version': {
      message: 'These lists were last used by a newer Footbridge',
      advice: 'Install the newest version. Nothing was changed.',
    },
    damaged: {
      message: 'Your lists cannot be read',
      advice: 'Nothing was deleted. Restore a backup, or ask for help and keep the folder as it is.',
    },
    permission: {
      message: 'Footbridge may not use its data folder',
      advice: 'Give your user the right to read and write it, then try again.',
    },
    full: { message: 'The disk is full', advice: 'Make room, then try again. Nothing was lost.' },
    io: {
      message: 'The disk does not answer as it should',
      advice: 'Check the disk, then try again.',
    },
    closed: { message: 'Footbridge stopped while it was starting', advice: 'Try again.' },
    port: {
      message: 'Footbridge could not start',
      advice: 'Close the other program, or restart the computer, and try again.',
    },
    unforeseen: {
      message: 'Footbridge could not start',
      advice:
        'Something unforeseen happened. Your lists were not changed. A report was written for whoever helps you.',
    },
  },
  dialogs: {
    quit: 'Quit',
    tryAgain: 'Try again',
    ok: 'OK',
    showReport: 'Show report',
    showFolder: 'Show data folder',
    restarted: 'Footbridge had a problem and started again',
    restartedDetail: 'Nothing was lost, and syncing goes on. A report was written for whoever helps you.',
    keepsStopping: 'Footbridge keeps stopping',
    keepsStoppingDetail: 'Your lists are safe on this computer, but nothing is synced at the moment.',
    keyringShut: 'The keyring of this computer stays shut',
    keyringShutDetail:
      'It guards the keys to your partners. Quit, unlock the keyring or sign in as usual, and start again. Or go on without these keys: your lists stay, but you pair again with every partner.',
    goOnWithoutKeys: 'Go on and pair again',
    pageFails: 'The window keeps failing',
    pageFailsDetail: 'Your lists are safe, and syncing goes on without the window.',
    pageHangs: 'The window does not respond',
    pageHangsDetail: 'Syncing goes on meanwhile.',
    wait: 'Wait',
    openAnew: 'Open it anew',
  },
};

type Widened<T> = T extends string
  ? string
  : T extends (...args: infer Args) => string
    ? (...args: Args) => string
    : { readonly [Key in keyof T]: Widened<T[Key]> };

/** Everything that the shell says, in one language. */
export type Texts = Widened<typeof en>;
