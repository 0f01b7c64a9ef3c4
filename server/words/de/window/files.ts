import type { Translated } from '../../catalogue.ts';
import type { files as english } from '../../en/window/files.ts';

/** Files on this computer that lists are kept as in, and copies of lists. */
export const files: Translated<typeof english> = {
  'files.title': 'Dateien auf diesem Computer',
  'files.of': 'Dateien von „{list}“',
  'files.watched': 'Einer Datei folgen',
  'files.watched-hint':
    'Was sich in der Datei ändert, ändert sich auch hier, wenige Sekunden nach dem Speichern. Zeilen, die nicht mehr in der Datei stehen, kommen in den Papierkorb, bei einer CSV-Datei etwa zehn Sekunden später; bei sehr vielen werden Sie vorher gefragt. Was Sie hier ändern, bleibt, bis sich dieselbe Zelle in der Datei ändert.',
  'files.path-open': 'Datei oder Ordner',
  'files.path-open-hint':
    'xlsx, ods oder CSV, mit ganzem Pfad. Von einem Ordner wird die Tabelle gelesen, die zuletzt geändert wurde.',
  'files.path-save': 'Datei',
  'files.path-save-hint': 'Der ganze Pfad einer Datei, die auf .xlsx oder .csv endet.',
  'files.path-example': '/home/buero/Kunden.xlsx',
  'files.choose-file': 'Datei wählen …',
  'files.choose-folder': 'Ordner wählen …',
  'files.choose-copy': 'Ort wählen …',
  'files.choose-key': 'Spalte wählen',
  'files.key-hint':
    'Eine Spalte, die in jeder Zeile anders ist, etwa eine Nummer, oder mehrere, die es zusammen sind. Ohne Wahl wird in der Datei danach gesucht.',
  'files.would': 'Zuerst ergibt das:',
  'files.rejected-hint':
    'Berichtigen Sie sie in der Datei; nach dem Speichern liest Footbridge sie neu. Die anderen Zeilen sind nicht betroffen.',
  'files.look': 'Datei prüfen',
  'files.begin-watched': 'Dieser Datei folgen',
  'files.end-watched': 'Nicht mehr folgen',
  'files.read': 'Gelesen',
  'files.sums': {
    one: 'Weggelassen, da sie wie eine Summe oder Fußzeile aussieht: {lines}',
    other: 'Weggelassen, da sie wie Summen oder Fußzeilen aussehen: {lines}',
  },
  'files.removed': { one: '{n} Zeile in den Papierkorb', other: '{n} Zeilen in den Papierkorb' },
  'files.waiting': {
    one: '{n} Zeile steht nicht mehr in der Datei. Soll sie in den Papierkorb?',
    other: '{n} Zeilen stehen nicht mehr in der Datei. Sollen sie in den Papierkorb?',
  },
  'files.let-go': { one: '{n} Zeile in den Papierkorb', other: '{n} Zeilen in den Papierkorb' },
  'files.emptied': {
    one: 'In der Datei hat 1 Zeile Werte verloren. Soll sie sie auch hier verlieren?',
    other: 'In der Datei haben {n} Zeilen Werte verloren. Sollen sie sie auch hier verlieren?',
  },
  'files.as-there': 'Auch hier ändern',
  'files.as-here': 'Meine Werte behalten',
  'files.keep-here': 'Behalten',
  'files.doubts-hint':
    'Die Datei hat sich geändert und lässt sich auf mehrere Arten lesen. Bis Sie wählen, wird nichts übernommen.',
  'files.use-answers': 'So lesen',
  'files.not-read-yet': 'Die Datei wird zum ersten Mal gelesen …',
  'files.by-key': 'Zeilen werden erkannt an: {columns}',
  'files.copy': 'Eine Kopie für die Tabellenkalkulation',
  'files.copy-hint':
    'Footbridge schreibt diese Datei neu, sobald sich die Liste ändert. Was Sie in ihr ändern, geht verloren.',
  'files.written': 'Geschrieben',
  'files.begin-copy': 'Die Kopie schreiben',
  'files.end-copy': 'Keine Kopie mehr schreiben',
  'files.replace-title': 'Die Datei ersetzen?',
  'files.replace': 'Ersetzen',
  'files.replace-text': 'Diese Datei gibt es schon. Was in ihr steht, geht verloren.',
};
