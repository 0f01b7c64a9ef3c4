import type { Translated } from '../../catalogue.ts';
import type { receive as english } from '../../en/window/receive.ts';

/** What comes from a partner: offers, matches, and what waits for a yes. */
export const receive: Translated<typeof english> = {
  'receive.empty-title': '{partner} bietet Ihnen noch nichts an',
  'receive.empty-text': 'Was Ihr Partner teilt, erscheint hier von selbst.',
  'receive.offered': 'Angebotene Listen',
  'receive.received': 'Listen, die wir erhalten',
  'receive.dismissed': 'Zurückgestellt',
  'receive.withdrawn': 'Nicht mehr angeboten',
  'receive.offers-columns': { one: 'Angeboten wird {n} Spalte', other: 'Angeboten werden {n} Spalten' },
  'receive.their-columns': 'Angebotene Spalten',
  'receive.count-offered': { one: '{n} angeboten', other: '{n} angeboten' },
  'receive.make': 'Gleiche Liste anlegen',
  'receive.match': 'Eigener Liste zuordnen',
  'receive.not-now': 'Jetzt nicht',
  'receive.recall': 'Wieder anbieten',
  'receive.made': '„{list}“ ist angelegt. Die Zeilen sind unterwegs.',
  'receive.into': 'in {list}',
  'receive.rows': { one: '{n} Zeile erhalten', other: '{n} Zeilen erhalten' },
  'receive.last': 'zuletzt nachgesehen: {when}',
  'receive.unmatched': {
    one: '{n} Spalte nicht zugeordnet: {columns}',
    other: '{n} Spalten nicht zugeordnet: {columns}',
  },
  'receive.parked': '{origin} → {destination}: {why}',
  'receive.parked-title': 'Einige Spalten kommen nicht mehr an. Ändern Sie die Zuordnung, um weiterzumachen.',
  'receive.edit': 'Zuordnung ändern',
  'receive.bin': { one: 'Papierkorb: {n} Zeile', other: 'Papierkorb: {n} Zeilen' },
  'receive.stop': 'Nicht mehr erhalten',
  'receive.stop-title': '„{list}“ nicht mehr von {partner} erhalten?',
  'receive.stop-text': {
    one: 'Es kommt nichts Neues mehr an. Die {n} erhaltene Zeile bleibt in Ihrer Liste.',
    other: 'Es kommt nichts Neues mehr an. Die {n} erhaltenen Zeilen bleiben in Ihrer Liste.',
  },
  'receive.keep-rows': 'Zeilen als eigene behalten',
  'receive.rows-to-bin': {
    one: '{n} Zeile in den Papierkorb legen',
    other: '{n} Zeilen in den Papierkorb legen',
  },
  'receive.ended': 'Sie erhalten „{list}“ nicht mehr. Die Zeilen bleiben in Ihrer Liste.',
  'receive.ended-bin': {
    one: 'Sie erhalten „{list}“ nicht mehr. {n} Zeile ist im Papierkorb.',
    other: 'Sie erhalten „{list}“ nicht mehr. {n} Zeilen sind im Papierkorb.',
  },
  'receive.withdrawn-text': {
    one: 'Ihr Partner teilt sie nicht mehr. Die {n} erhaltene Zeile bleibt in Ihrer Liste. Teilt er sie wieder, geht es von dort weiter.',
    other:
      'Ihr Partner teilt sie nicht mehr. Die {n} erhaltenen Zeilen bleiben in Ihrer Liste. Teilt er sie wieder, geht es von dort weiter.',
  },

  'brake.title': 'Das würde viel ändern und wartet deshalb auf Ihr Ja',
  'brake.removes': {
    one: '{n} von {of} erhaltenen Zeilen käme in den Papierkorb.',
    other: '{n} von {of} erhaltenen Zeilen kämen in den Papierkorb.',
  },
  'brake.gone-before': {
    one: '{n} Zeile ging am letzten Tag schon in den Papierkorb, weil es bis dahin wenig war.',
    other: '{n} Zeilen gingen am letzten Tag schon in den Papierkorb, weil es bis dahin wenige waren.',
  },
  'brake.empties': { one: '{n} Zeile würde Werte verlieren.', other: '{n} Zeilen würden Werte verlieren.' },
  'brake.emptied-before': {
    one: '{n} Zeile verlor am letzten Tag schon Werte, weil es bis dahin wenig war. Die Einzelheiten der Zeile zeigen, was es war.',
    other:
      '{n} Zeilen verloren am letzten Tag schon Werte, weil es bis dahin wenige waren. Die Einzelheiten jeder Zeile zeigen, was es war.',
  },
  'brake.rows': 'Zeilen, die warten',
  'brake.row-goes': 'würde entfernt',
  'brake.row-empties': 'würde Werte verlieren',
  'brake.row-older': 'ist dort älter',
  'brake.all': { one: 'Zeigen', other: 'Alle {n} zeigen' },
  'brake.more': { one: 'Die ersten {shown} von {n}.', other: 'Die ersten {shown} von {n}.' },
  'brake.all-file': 'Alle als Datei speichern',
  'brake.hint': 'Wenn Sie das überrascht, fragen Sie {partner}, bevor Sie es zulassen.',
  'back.title':
    'Die Liste dort ist auf einen früheren Stand zurückgefallen. Das wartet auf Ihre Entscheidung',
  'back.gone': {
    one: '{n} Zeile, die Sie haben, fehlt dort.',
    other: '{n} Zeilen, die Sie haben, fehlen dort.',
  },
  'back.older': {
    one: '{n} Zeile ist dort, wie sie war, bevor Sie Ihre Fassung erhielten.',
    other: '{n} Zeilen sind dort, wie sie waren, bevor Sie Ihre Fassungen erhielten.',
  },
  'back.hint':
    'Bei {partner} wurde eine ältere Kopie der Daten zurückgelegt, oder der neueste Teil ging verloren. Geben Sie dort Bescheid, vielleicht ist es niemandem aufgefallen. Sichern Sie diese Zeilen als Datei, schicken Sie sie hin und lassen Sie sie dort importieren. Sind die Zeilen dann hier angekommen, übernehmen Sie den Stand von dort.',
  'back.save': 'Diese Zeilen als Datei sichern',
  'back.go': 'Den Stand von dort übernehmen',
  'not-there.title': 'Zeilen sind bei {partner} nicht mehr da',
  'not-there.rows': {
    one: '{n} Zeile, die Sie haben, ist dort nicht mehr da.',
    other: '{n} Zeilen, die Sie haben, sind dort nicht mehr da.',
  },
  'not-there.hint':
    'Von {partner} wurde nicht gesagt, dass etwas entfernt ist: Es fehlt einfach. Wenn Sie das überrascht, fragen Sie dort, bevor Sie es hier entfernen.',
  'not-there.go': { one: '{n} Zeile entfernen', other: '{n} Zeilen entfernen' },
  'brake.go': { one: 'Zulassen: {n} Zeile entfernen', other: 'Zulassen: {n} Zeilen entfernen' },
  'brake.go-both': {
    one: 'Zulassen: {n} Zeile entfernen, in {empties} Werte leeren',
    other: 'Zulassen: {n} Zeilen entfernen, in {empties} Werte leeren',
  },
  'brake.go-values': 'Zulassen',
  'brake.keep': 'Meine Zeilen behalten',
  'brake.kept': 'Diese Zeilen bleiben in Ihrer Liste.',
  'brake.gone': 'Erledigt. Entfernte Zeilen liegen im Papierkorb; Sie können sie wiederherstellen.',

  'failed.title': {
    one: '{n} Zeile konnte nicht übernommen werden',
    other: '{n} Zeilen konnten nicht übernommen werden',
  },
  'failed.hint':
    'Ändern Sie die Zuordnung oder Ihre Spalte, oder bitten Sie {partner} um Berichtigung. Sie werden hier aufbewahrt und jede Stunde erneut versucht; die anderen hält das nicht auf.',
  'failed.retry': 'Jetzt erneut versuchen',
  'failed.show': 'Zeigen',
  'failed.first': {
    one: 'Nur die erste Zeile wird gezeigt.',
    other: 'Nur die ersten {n} Zeilen werden gezeigt.',
  },
  'failed.hide': 'Ausblenden',
  'failed.since': 'zuerst {when}',
  'failed.tries': { one: '{n}-mal versucht', other: '{n}-mal versucht' },

  'match.title': '„{list}“ von {partner} zuordnen',
  'match.into': 'In welche Ihrer Listen sollen die Zeilen kommen?',
  'match.into-placeholder': 'Eigene Liste wählen',
  'match.no-lists':
    'Sie haben noch keine eigene Liste. Mit „Gleiche Liste anlegen“ wird sie für Sie erstellt.',
  'match.beside': {
    one: 'Die Zeilen von {partner} kommen zu der {n} Zeile hinzu, die Sie haben. Zeilen, die Sie beide haben, stehen dann doppelt da.',
    other:
      'Die Zeilen von {partner} kommen zu den {n} Zeilen hinzu, die Sie haben. Zeilen, die Sie beide haben, stehen dann doppelt da.',
  },
  'match.both': {
    one: 'Von deren ersten {looked} Zeilen hat {n} in {columns} dieselben Werte wie eine von Ihren.',
    other: 'Von deren ersten {looked} Zeilen haben {n} in {columns} dieselben Werte wie eine von Ihren.',
  },
  'match.beside-instead':
    'Solche Zeilen können Sie danach zusammenführen, ohne dass ein Wert verloren geht. Um sie getrennt zu halten, brechen Sie ab und wählen Sie „Gleiche Liste anlegen“.',
  'match.theirs': 'Spalte des Partners',
  'match.ours': 'Kommt in Ihre Spalte',
  'match.samples': 'Was mit Werten geschieht',
  'match.proposed': 'Nach den Werten könnte es „{column}“ sein',
  'match.proposed-equal': 'Nach den Werten könnte es „{column}“ sein: {n} von {of} sind gleich',
  'match.take': 'Übernehmen',
  'match.take-for': 'Übernehmen für „{column}“',
  'match.nowhere': 'Nicht erhalten',
  'match.column-of': 'Ihre Spalte für „{column}“',
  'match.same': 'passt',
  'match.converts': 'wird umgewandelt',
  'match.may-refuse': 'einige Werte passen vielleicht nicht',
  'match.impossible': 'passt nicht',
  'match.twice':
    'Zwei Spalten des Partners kommen in „{column}“. Wählen Sie für eine davon eine andere Spalte.',
  'match.gone':
    'Beim Speichern entfällt, was es nicht mehr gibt: {columns}. Um darauf zu warten, verlassen Sie die Seite ohne zu speichern.',
  'match.nothing': 'Ordnen Sie mindestens eine Spalte zu.',
  'match.save': { one: '{n} Spalte erhalten', other: '{n} Spalten erhalten' },
  'match.saved': 'Listen zugeordnet.',
  'match.before': 'vorher',
  'match.after': 'nachher',
  'match.empty-value': 'leer',
};
