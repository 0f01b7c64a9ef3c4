/** What is said about lists, columns, rows, values and files. */
export const lists: Readonly<Record<string, string>> = {
  'There is no such list.': 'Diese Liste gibt es nicht.',
  'At most {0} lists are possible.': 'Mehr als {0} Listen sind nicht möglich.',
  'There is a list “{0}” in this workspace already.':
    'In diesem Arbeitsbereich gibt es schon eine Liste „{0}“.',
  'There are still {0} lists in this workspace. Remove them first.':
    'In diesem Arbeitsbereich gibt es noch {0} Listen. Entfernen Sie sie zuerst.',
  'At most {0} workspaces are possible.': 'Mehr als {0} Arbeitsbereiche sind nicht möglich.',
  'There is a workspace “{0}” already.': 'Es gibt schon einen Arbeitsbereich „{0}“.',
  'There is no such workspace.': 'Diesen Arbeitsbereich gibt es nicht.',
  'The list is not in that workspace.': 'Die Liste gehört nicht zu diesem Arbeitsbereich.',
  'There is no list with the id {0}.': 'Es gibt keine Liste mit der Nummer {0}.',
  'This list is shared with a partner. Stop sharing it first, then delete it.':
    'Diese Liste wird mit einem Partner geteilt. Beenden Sie zuerst das Teilen, dann lässt sie sich löschen.',

  'A list needs at least one column.': 'Eine Liste braucht mindestens eine Spalte.',
  'A list takes at most {0} columns.': 'Eine Liste fasst höchstens {0} Spalten.',
  'This list has no column with id {0}.': 'Diese Liste hat keine Spalte mit der Nummer {0}.',
  'There are two columns named “{0}”.': 'Es gibt zwei Spalten mit dem Namen „{0}“.',
  'There is no column “{0}” in the list.': 'In der Liste gibt es keine Spalte „{0}“.',
  'There is no column “{0}” in this list': 'In dieser Liste gibt es keine Spalte „{0}“',
  'There is no column “{0}” to find rows by.':
    'Es gibt keine Spalte „{0}“, an der sich Zeilen erkennen ließen.',
  'The name of a list has 1 to {0} characters.': 'Der Name einer Liste hat 1 bis {0} Zeichen.',
  'The name of a column has 1 to {0} characters.': 'Der Name einer Spalte hat 1 bis {0} Zeichen.',
  'The name of a workspace has 1 to {0} characters.': 'Der Name eines Arbeitsbereichs hat 1 bis {0} Zeichen.',
  '“{0}” cannot be a handle: use 2 to {1} letters, digits, _, - or ., starting with a letter.':
    '„{0}“ ist als Kurzname nicht möglich: 2 bis {1} Buchstaben, Ziffern, _, - oder ., ein Buchstabe zuerst.',
  '“{0}” cannot be a column’s name: use 2 to {1} letters, digits, _ or -, starting with a letter.':
    '„{0}“ ist als Spaltenname nicht möglich: 2 bis {1} Buchstaben, Ziffern, _ oder -, ein Buchstabe zuerst.',
  '“{0}” in {1} {2}': '„{0}“ in {1} {2}',
  'The column cannot be changed: {0}. Change this value first.':
    'Die Spalte lässt sich nicht ändern: {0}. Ändern Sie zuerst diesen Wert.',
  'The column cannot be changed: {0}, and {1} more do not fit either. Change these values first.':
    'Die Spalte lässt sich nicht ändern: {0}; {1} weitere passen auch nicht. Ändern Sie zuerst diese Werte.',
  'are several values': 'sind mehrere Werte',

  'The values of this row are gone; it cannot come back.':
    'Die Werte dieser Zeile sind nicht mehr da; sie lässt sich nicht zurückholen.',
  'There is no row {0} in this list.': 'In dieser Liste gibt es keine Zeile {0}.',
  'This row is in the bin. Restore it before changing it.':
    'Diese Zeile liegt im Papierkorb. Stellen Sie sie wieder her, bevor Sie sie ändern.',

  '{0} must not be empty': '{0} darf nicht leer sein',
  '{0}. And {1} more.': '{0}. Und {1} weitere.',
  '{0} takes one value, not {1}': '{0} fasst einen Wert, nicht {1}',
  'is no email address': 'ist keine E-Mail-Adresse',
  'is no web address; write it like https://example.org':
    'ist keine Webadresse; schreiben Sie sie wie https://example.org',
  'starts with {0}, which is not allowed in a web address':
    'beginnt mit {0}; das ist in einer Webadresse nicht erlaubt',
  'is neither yes nor no; write 1 or 0': 'ist weder Ja noch Nein; schreiben Sie 1 oder 0',
  'is longer than 1 MiB': 'ist länger als 1 MiB',
  'is not among the choices: {0}': 'gehört nicht zur Auswahl: {0}',
  'is no date; write it as YYYY-MM-DD': 'ist kein Datum; schreiben Sie es als JJJJ-MM-TT',
  'is no time of day; write it as HH:MM': 'ist keine Uhrzeit; schreiben Sie sie als HH:MM',
  'is no date and time; write it as YYYY-MM-DD HH:MM':
    'ist kein Datum mit Uhrzeit; schreiben Sie es als JJJJ-MM-TT HH:MM',
  'is no date and time between the years 1 and 9999': 'ist kein Zeitpunkt zwischen den Jahren 1 und 9999',
  'is no place; write latitude and longitude, like 46.05, 14.5':
    'ist kein Ort; schreiben Sie Breiten- und Längengrad, etwa 46.05, 14.5',
  'is no number; write digits with a point, like 1234.50':
    'ist keine Zahl; schreiben Sie Ziffern mit Punkt, etwa 1234.50',
  'has more than {0} digits': 'hat mehr als {0} Ziffern',

  'Say into which list: ?list=<name> or ?moduleID=<id>.':
    'Sagen Sie, in welche Liste: ?list=<Name> oder ?moduleID=<Nummer>.',
  'The file is empty. Choose a CSV file with a header and rows.':
    'Die Datei ist leer. Wählen Sie eine CSV-Datei mit Kopfzeile und Zeilen.',
  'The file is empty: there is not even a line of headers.':
    'Die Datei ist leer: Nicht einmal eine Kopfzeile ist da.',
  'This is a workbook or an archive. Save it as CSV from your spreadsheet and take that file.':
    'Dies ist eine Arbeitsmappe oder ein Archiv. Speichern Sie sie in Ihrem Tabellenprogramm als CSV und nehmen Sie diese Datei.',
  'This file is no text. Export the list as CSV and take that file.':
    'Diese Datei ist kein Text. Exportieren Sie die Liste als CSV und nehmen Sie diese Datei.',
  'There is no encoding “{0}”.': 'Die Schreibweise „{0}“ gibt es nicht.',
  'There is no column “{0}”.': 'Es gibt keine Spalte „{0}“.',
  'No column of the file fits a column of “{0}”.': 'Keine Spalte der Datei passt zu einer Spalte von „{0}“.',
  '“{0}” is no column of both the file and “{1}”.': '„{0}“ gibt es nicht in der Datei und in „{1}“ zugleich.',
  '“{0}” takes several values, so no row can be found by it.':
    '„{0}“ fasst mehrere Werte; daran lässt sich keine Zeile erkennen.',
  '{0} is empty, so that no row can be found by it.': '{0} ist leer; daran lässt sich keine Zeile erkennen.',
  'Several rows of the list have {0} “{1}”.': 'Mehrere Zeilen der Liste haben {0} „{1}“.',
  '{0} “{1}” came in an earlier line already.': '{0} „{1}“ kam schon in einer früheren Zeile vor.',
  'A CSV file may have at most 64 MiB.': 'Eine CSV-Datei darf höchstens 64 MiB groß sein.',
  'The delimiter is one character, such as a comma or a semicolon.':
    'Das Trennzeichen ist ein einzelnes Zeichen, etwa ein Komma oder ein Semikolon.',
  'The line of headers cannot be read. {0}': 'Die Kopfzeile ist nicht lesbar. {0}',
  'The line has {0} values, the header {1}.': 'Die Zeile hat {0} Werte, die Kopfzeile {1}.',
  'The line has {0} values, the header only {1}.': 'Die Zeile hat {0} Werte, die Kopfzeile nur {1}.',
  'A quotation mark is never closed.': 'Ein Anführungszeichen wird nicht geschlossen.',
  'From here on the file was not read: too many quotation marks are never closed.':
    'Ab hier wurde die Datei nicht gelesen: Zu viele Anführungszeichen werden nicht geschlossen.',
  'Text follows a closing quotation mark; quotation marks inside a value must be doubled.':
    'Nach einem schließenden Anführungszeichen folgt Text; Anführungszeichen in einem Wert müssen doppelt stehen.',
  'Two columns of the file go into “{0}”.': 'Zwei Spalten der Datei kommen in „{0}“.',
  '“{0}” is matched with “{1}”, which is no column.':
    '„{0}“ ist „{1}“ zugeordnet, aber das ist keine Spalte.',
};
