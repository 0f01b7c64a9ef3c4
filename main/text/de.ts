import type { Texts } from './en.ts';

const rows = (count: number): string => (count === 1 ? '1 Zeile' : `${count.toLocaleString('de')} Zeilen`);

/** What the shell says in German. */
export const de: Texts = {
  states: {
    'up-to-date': 'Aktuell',
    syncing: 'Abgleich läuft',
    paused: 'Pausiert',
    offline: 'Offline',
    'needs-you': 'Wartet auf Sie',
    error: 'Problem',
  },
  moments: {
    yesterday: (time) => `gestern ${time}`,
    tomorrow: (time) => `morgen ${time}`,
  },
  tray: {
    pausedUntil: (moment) => `Pausiert bis ${moment}`,
    lastSync: (moment) => `Letzter Abgleich ${moment}`,
    starting: 'Startet',
    nothingSynced: 'Nichts wird abgeglichen',
    partner: (name, state) => `${name} (${state})`,
    more: (count) => `${count} weitere…`,
    syncNow: 'Jetzt abgleichen',
    pause: 'Pause',
    pauses: {
      'half-hour': '30 Minuten',
      hour: '1 Stunde',
      tomorrow: 'Bis morgen',
      indefinitely: 'Bis ich fortsetze',
    },
    resume: 'Fortsetzen',
    open: 'Footbridge öffnen',
    settings: 'Einstellungen…',
    restartToUpdate: 'Neu starten und aktualisieren',
    quit: 'Footbridge beenden',
  },
  menu: {
    file: 'Datei',
    addPartner: 'Partner hinzufügen…',
    checkForUpdates: 'Nach Aktualisierungen suchen…',
    closeWindow: 'Fenster schließen',
    about: 'Über Footbridge',
    hide: 'Footbridge ausblenden',
    hideOthers: 'Andere ausblenden',
    showAll: 'Alle einblenden',
    edit: 'Bearbeiten',
    undo: 'Rückgängig',
    redo: 'Wiederholen',
    cut: 'Ausschneiden',
    copy: 'Kopieren',
    paste: 'Einfügen',
    selectAll: 'Alles auswählen',
    view: 'Ansicht',
    actualSize: 'Originalgröße',
    zoomIn: 'Größer',
    zoomOut: 'Kleiner',
    fullScreen: 'Vollbild',
    window: 'Fenster',
    minimize: 'Minimieren',
    zoom: 'Zoomen',
  },
  closing: {
    title: 'Footbridge läuft weiter',
    hidden: {
      win32:
        'Der Abgleich geht weiter. Das Symbol im Infobereich holt dieses Fenster zurück, und im Menü dort beenden Sie das Programm. Ändern können Sie das in den Einstellungen.',
      darwin:
        'Der Abgleich geht weiter. Das Symbol in der Menüleiste holt dieses Fenster zurück, und im Menü dort beenden Sie das Programm. Ändern können Sie das in den Einstellungen.',
      linux:
        'Der Abgleich geht weiter. Das Symbol in der Leiste holt dieses Fenster zurück, und im Menü dort beenden Sie das Programm. Ändern können Sie das in den Einstellungen.',
    },
    minimized:
      'Der Abgleich geht minimiert weiter, denn dieser Desktop zeigt keine Symbole in der Leiste. Beenden Sie das Programm im Menü Datei. Ändern können Sie das in den Einstellungen.',
    keep: 'Weiterlaufen lassen',
  },
  notices: {
    arrived: (count, where) => `${rows(count)} in ${where} geändert`,
    lists: (count) => `${count} Listen`,
    partners: (count) => `${count} Partner`,
    needsYou: 'Footbridge wartet auf Sie',
    decisions: (count) => `${count} Dinge warten auf Ihre Entscheidung.`,
  },
  updates: {
    fromSources: 'Footbridge läuft hier aus seinem Quelltext; aktualisieren Sie diesen.',
    noFeed: 'Diese Kopie kennt keine Adresse für Aktualisierungen.',
    unsignedPackage: 'Dieses Paket ist nicht signiert; installieren Sie zum Aktualisieren ein neueres Paket.',
    unsigned:
      'Diese Kopie ist nicht signiert; eine Aktualisierung wäre von einer Fälschung nicht zu unterscheiden.',
    switchedOff: 'Die selbsttätige Suche nach Aktualisierungen ist ausgeschaltet.',
    looking: 'Sucht nach einer neueren Version …',
    newest: 'Dies ist die neueste Version.',
    loading: (version) => `Version ${version} wird geladen.`,
    title: 'Aktualisierungen',
    later: 'Später',
    ready: (version) => `Version ${version} ist bereit. Starten Sie Footbridge neu, um sie zu verwenden.`,
    notLoaded: 'Die neuere Version konnte nicht geladen werden. Es wird wieder versucht.',
    unknown: 'Ob es eine neuere Version gibt, ließ sich nicht feststellen.',
  },
  login: {
    fromSources: 'Footbridge läuft hier aus seinem Quelltext und kann nicht bei der Anmeldung starten.',
  },
  links: {
    title: 'Dieser Link ist nicht zu gebrauchen',
    tooLong: 'Er ist zu lang für eine Einladung.',
    oddCharacters: 'Er enthält Zeichen, die keine Einladung hat.',
    unknown: 'Footbridge versteht diesen Link nicht.',
    nowhere: 'Er führt nirgendwohin. Bitten Sie um eine neue Einladung.',
    fileTooLarge: 'Diese Datei ist zu groß für eine Einladung.',
    fileWithout: 'Diese Datei enthält keine Einladung.',
    fileUnreadable: 'Diese Datei ließ sich nicht lesen.',
  },
  failures: {
    locked: {
      message: 'Footbridge läuft bereits',
      advice: 'Wenn Sie es nicht sehen, starten Sie den Computer neu.',
    },
    'newer-version': {
      message: 'Diese Listen wurden zuletzt von einem neueren Footbridge benutzt',
      advice: 'Installieren Sie die neueste Version. Es wurde nichts verändert.',
    },
    damaged: {
      message: 'Ihre Listen lassen sich nicht lesen',
      advice:
        'Es wurde nichts gelöscht. Stellen Sie eine Sicherung wieder her, oder lassen Sie sich helfen und den Ordner, wie er ist.',
    },
    permission: {
      message: 'Footbridge darf seinen Datenordner nicht benutzen',
      advice:
        'Geben Sie Ihrem Benutzer das Recht, darin zu lesen und zu schreiben, und versuchen Sie es erneut.',
    },
    full: {
      message: 'Der Datenträger ist voll',
      advice: 'Schaffen Sie Platz und versuchen Sie es erneut. Es ging nichts verloren.',
    },
    io: {
      message: 'Der Datenträger antwortet nicht, wie er sollte',
      advice: 'Prüfen Sie den Datenträger und versuchen Sie es erneut.',
    },
    closed: { message: 'Footbridge wurde beim Starten beendet', advice: 'Versuchen Sie es erneut.' },
    port: {
      message: 'Footbridge konnte nicht starten',
      advice:
        'Schließen Sie das andere Programm oder starten Sie den Computer neu, und versuchen Sie es erneut.',
    },
    unforeseen: {
      message: 'Footbridge konnte nicht starten',
      advice:
        'Etwas Unvorhergesehenes ist geschehen. Ihre Listen wurden nicht verändert. Für jemanden, der Ihnen hilft, wurde ein Bericht geschrieben.',
    },
  },
  dialogs: {
    quit: 'Beenden',
    tryAgain: 'Erneut versuchen',
    ok: 'OK',
    showReport: 'Bericht zeigen',
    showFolder: 'Datenordner zeigen',
    restarted: 'Footbridge hatte ein Problem und ist neu gestartet',
    restartedDetail:
      'Es ging nichts verloren, und der Abgleich geht weiter. Für jemanden, der Ihnen hilft, wurde ein Bericht geschrieben.',
    keepsStopping: 'Footbridge bricht immer wieder ab',
    keepsStoppingDetail:
      'Ihre Listen sind auf diesem Computer sicher, aber zur Zeit wird nichts abgeglichen.',
    keyringShut: 'Der Schlüsselbund dieses Computers bleibt verschlossen',
    keyringShutDetail:
      'Er hütet die Schlüssel zu Ihren Partnern. Beenden Sie, entsperren Sie den Schlüsselbund oder melden Sie sich wie gewohnt an, und starten Sie erneut. Oder fahren Sie ohne diese Schlüssel fort: Ihre Listen bleiben, aber Sie verbinden sich mit jedem Partner neu.',
    goOnWithoutKeys: 'Fortfahren und neu verbinden',
    pageFails: 'Das Fenster bricht immer wieder ab',
    pageFailsDetail: 'Ihre Listen sind sicher, und der Abgleich geht ohne das Fenster weiter.',
    pageHangs: 'Das Fenster antwortet nicht',
    pageHangsDetail: 'Der Abgleich geht derweil weiter.',
    wait: 'Warten',
    openAnew: 'Neu öffnen',
  },
};
