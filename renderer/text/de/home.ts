import type { home as english } from '../en/home.ts';
import type { InLanguage } from '../en/index.ts';

/** Home: what needs the user, and what arrived. */
export const home: InLanguage<typeof english> = {
  'home.title': 'Übersicht',
  'home.last': 'Zuletzt alles in Ordnung: {when}',
  'home.needs-you': 'Was auf Sie wartet',
  'home.nothing-waiting': 'Nichts wartet auf Sie.',
  'home.arrived': 'Zuletzt eingetroffen',
  'home.nothing-arrived': 'Noch ist nichts eingetroffen. Was Partner mit Ihnen teilen, erscheint hier.',
  'home.all-activity': 'Gesamter Verlauf',
  'home.charts': 'Zeilen pro Tag',
  'home.chart': {
    one: '{n} Zeile in den letzten {days} Tagen',
    other: '{n} Zeilen in den letzten {days} Tagen',
  },
  'home.chart-bar': { one: '{day}: {n} Zeile', other: '{day}: {n} Zeilen' },
  'home.start-title': 'Verbinden Sie sich mit Ihrem ersten Partner',
  'home.start-text':
    'Ein Partner ist ein anderes Büro mit Footbridge. Schicken Sie ihm eine Einladung, oder nutzen Sie die, die Sie bekommen haben. Dann wählt jeder, was der andere sehen darf.',
  'home.start-action': 'Partner hinzufügen',
  'home.shared': 'Was Sie teilen',
  'home.share-title': 'Verbunden. Nun teilt einer von Ihnen eine Liste',
  'home.share-text':
    'Was {partner} teilt, erscheint hier von selbst. Von Ihren Listen geht nichts hinaus, bis Sie Spalten ankreuzen.',
  'home.share-action': 'Liste mit {partner} teilen',

  'inbox.pair-request': '{partner} möchte sich mit Ihnen verbinden',
  'inbox.list-offered': '{partner} bietet Ihnen die Liste „{list}“ an',
  'inbox.list-withdrawn': '{partner} teilt „{list}“ nicht mehr',
  'inbox.columns-changed': 'Spalten von „{list}“ haben sich bei {partner} geändert',
  'inbox.brake': 'Wartet auf Ihr Ja: „{list}“ von {partner} würde viele Zeilen verlieren',
  'inbox.connection-ending': 'Die Verbindung mit {partner} endet bald',
  'inbox.connection-ended': 'Die Verbindung mit {partner} ist beendet',
  'inbox.could-not-apply': 'Einige Zeilen aus „{list}“ von {partner} konnten nicht übernommen werden',
  'inbox.remove-request': '{partner} hat die Verbindung beendet',
  'inbox.stranger': 'Jemand ohne Berechtigung wurde abgewiesen',
  'inbox.store-notice': 'Zu Ihren Daten',
  'inbox.kept-withdrawn': 'Zu dem, was Sie zurückgenommen hatten',
  'inbox.approve': 'Zustimmen',
  'inbox.decline': 'Ablehnen',
  'inbox.approved': 'Mit {partner} verbunden.',
  'inbox.make-list': 'Gleiche Liste anlegen',
  'inbox.match': 'Eigener Liste zuordnen',
  'inbox.not-now': 'Jetzt nicht',
  'inbox.look-matching': 'Zuordnung ansehen',
  'inbox.understood': 'Verstanden',
  'inbox.brake-look': 'Ansehen und entscheiden',
  'inbox.pair-again': 'Neu verbinden',
  'inbox.look': 'Ansehen',
  'inbox.show-failed': 'Zeilen zeigen',
  'inbox.retry': 'Jetzt erneut versuchen',
};
