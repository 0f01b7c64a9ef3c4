import type { common as english } from '../../en/window/common.ts';
import type { Translated } from '../../catalogue.ts';

/** Texts that several places use. */
export const common: Translated<typeof english> = {
  'action.add': 'Hinzufügen',
  'action.back': 'Zurück',
  'action.cancel': 'Abbrechen',
  'action.close': 'Schließen',
  'action.continue': 'Weiter',
  'action.more': 'Weitere Aktionen',
  'action.open': 'Öffnen',
  'action.save': 'Speichern',
  'action.try-again': 'Erneut versuchen',
  'action.undo': 'Rückgängig',
  'action.redo': 'Wiederholen',

  'state.up-to-date': 'Aktuell',
  'state.syncing': 'Abgleich läuft',
  'state.paused': 'Pausiert',
  'state.offline': 'Offline',
  'state.awaited': 'Partner ist am Zug',
  'state.connected': 'Verbunden',
  'state.unconnected': 'Noch nicht verbunden',
  'state.needs-you': 'Wartet auf Sie',
  'state.error': 'Problem',

  'standing.as-of': 'Stand: {when}',
  'standing.unknown': 'Nichts gehört seit {when}.',
  'standing.unknown-ever': 'Noch nichts gehört.',

  'nav.label': 'Bereiche',
  'nav.home': 'Übersicht',
  'nav.partners': 'Partner',
  'nav.lists': 'Listen',
  'nav.settings': 'Einstellungen',
  'nav.waiting': { one: '{n} Sache wartet auf Sie', other: '{n} Sachen warten auf Sie' },

  'page.skip': 'Zum Inhalt springen',
  'page.trail': 'Sie sind hier',
  'page.loading': 'Wird geladen',

  'unknown.title': 'Nicht gefunden',
  'unknown.nothing': 'Hier ist nichts',
  'unknown.text': 'Diese Adresse führt in Footbridge zu nichts, oder der Inhalt wurde inzwischen entfernt.',
  'unknown.action': 'Zur Übersicht',

  'banner.away': 'Footbridge antwortet nicht.',
  'banner.away-hint':
    'Die Anzeige ist vielleicht veraltet. Dieses Fenster verbindet sich von selbst wieder, sobald es geht.',
  'banner.reopening': 'Netzwerkeinstellungen werden übernommen …',
  'banner.reopening-hint': 'Das dauert einige Sekunden. Sie müssen nichts tun.',
  'banner.signed-out': 'Dieses Fenster ist nicht mehr angemeldet.',
  'banner.signed-out-hint':
    'Schließen Sie diese Seite und starten Sie Footbridge erneut oder führen Sie „footbridge window“ aus: Beides öffnet eine neue.',

  'error.no-answer':
    'Footbridge antwortet nicht. Ihre letzte Änderung ist vielleicht nicht gespeichert. Versuchen Sie es gleich noch einmal.',
  'error.signed-out': 'Dieses Fenster ist nicht mehr angemeldet. Schließen Sie es und öffnen Sie es neu.',
  'error.not-taken':
    'Footbridge konnte das nicht annehmen. Prüfen Sie, was Sie eingegeben oder gewählt haben, und versuchen Sie es noch einmal.',
  'error.unknown':
    'Etwas Unerwartetes ist passiert. Versuchen Sie es noch einmal; bleibt es dabei, speichern Sie in den Einstellungen eine Support-Datei und bitten Sie um Hilfe.',

  'notices.label': 'Meldungen',

  'copy.action': 'Kopieren',
  'copy.done': 'Kopiert!',
  'copy.failed': 'Das Kopieren hat nicht geklappt. Der Text ist markiert: Kopieren Sie ihn von Hand.',

  'call.call': 'Anrufen',

  'sync.now': 'Abgleichen',
  'sync.running': 'Läuft …',

  'pause.label': 'Pause',
  'pause.resume': 'Fortsetzen',
  'pause.half-hour': 'Für 30 Minuten',
  'pause.hour': 'Für 1 Stunde',
  'pause.tomorrow': 'Bis morgen früh',
  'pause.fetching': 'Nur nicht mehr von dort holen',
  'pause.reading': 'Dort nur nichts mehr lesen lassen',
  'pause.open-end': 'Bis ich fortsetze',

  'progress.label': 'Neue Zeilen in {list}',
  'progress.rows': { one: '{n} Zeile', other: '{n} Zeilen' },
  'progress.rows-of': { one: '{done} von {n} Zeile', other: '{done} von {n} Zeilen' },
  'progress.rate': { one: '{n} Zeile pro Sekunde', other: '{n} Zeilen pro Sekunde' },
  'progress.minutes-left': { one: 'noch etwa {n} Minute', other: 'noch etwa {n} Minuten' },
  'progress.seconds-left': 'noch weniger als eine Minute',

  'count.rows': { one: '{n} Zeile', other: '{n} Zeilen' },
  'count.columns': { one: '{n} Spalte', other: '{n} Spalten' },
  'count.lists': { one: '{n} Liste', other: '{n} Listen' },
  'count.partners': { one: '{n} Partner', other: '{n} Partner' },
  'count.created': '{n} neu',
  'count.updated': '{n} geändert',
  'count.deleted': '{n} entfernt',
  'count.failed': '{n} nicht übernommen',
  'count.nothing': 'nichts Neues',

  'kind.String': 'Text',
  'kind.Number': 'Zahl',
  'kind.DateTime': 'Datum und Uhrzeit',
  'kind.Bool': 'Ja oder Nein',
  'kind.Select': 'Auswahl',
  'kind.Email': 'E-Mail-Adresse',
  'kind.Url': 'Webadresse',
  'kind.User': 'Person',
  'kind.Record': 'Zeile einer anderen Liste',
  'kind.File': 'Datei',
  'kind.Geometry': 'Ort auf der Karte',
  'kind.several': '{kind}, mehrere Werte',
};
