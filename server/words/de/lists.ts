/** What is said about lists, columns, rows, values and files. */
export const lists: Readonly<Record<string, string>> = {
  'Column {0}': 'Spalte {0}',
  'This list is not here any more. Look for it under Lists.':
    'Diese Liste gibt es nicht mehr. Sehen Sie unter „Listen“ nach.',
  'At most {0} lists are possible. Delete one first.':
    'Mehr als {0} Listen sind nicht möglich. Löschen Sie zuerst eine.',
  'There is a list “{0}” in this workspace already. Choose another name.':
    'In diesem Arbeitsbereich gibt es schon eine Liste „{0}“. Wählen Sie einen anderen Namen.',
  'There are still {0} lists in this workspace. Remove them first.':
    'In diesem Arbeitsbereich gibt es noch {0} Listen. Entfernen Sie sie zuerst.',
  'At most {0} workspaces are possible. Remove one first.':
    'Mehr als {0} Arbeitsbereiche sind nicht möglich. Entfernen Sie zuerst einen.',
  'There is a workspace “{0}” already. Choose another name.':
    'Es gibt schon einen Arbeitsbereich „{0}“. Wählen Sie einen anderen Namen.',
  'There is no such workspace. Choose another one.':
    'Diesen Arbeitsbereich gibt es nicht. Wählen Sie einen anderen.',
  'The list is not in that workspace. Choose another one.':
    'Die Liste gehört nicht zu diesem Arbeitsbereich. Wählen Sie einen anderen.',
  'There is no list with the number {0}. Choose another list.':
    'Es gibt keine Liste mit der Nummer {0}. Wählen Sie eine andere Liste.',
  'This list is shared with a partner. Stop sharing it first, then delete it.':
    'Diese Liste wird mit einem Partner geteilt. Beenden Sie zuerst das Teilen, dann lässt sie sich löschen.',

  'This search looks at too much text. Use fewer or shorter words.':
    'Diese Suche sieht zu viel Text durch. Nehmen Sie weniger oder kürzere Wörter.',

  'A list needs at least one column. Add one.':
    'Eine Liste braucht mindestens eine Spalte. Fügen Sie eine hinzu.',
  'A list takes at most {0} columns. Remove some.':
    'Eine Liste fasst höchstens {0} Spalten. Entfernen Sie einige.',
  'This list has no column with the number {0} any more. Open the list again.':
    'Diese Liste hat keine Spalte mit der Nummer {0} mehr. Öffnen Sie die Liste noch einmal.',
  'There are two columns named “{0}”. Rename one of them.':
    'Es gibt zwei Spalten mit dem Namen „{0}“. Benennen Sie eine davon um.',
  'There is no column “{0}” in the list. Choose among those that it has.':
    'In der Liste gibt es keine Spalte „{0}“. Wählen Sie unter den vorhandenen.',
  'there is no column “{0}” in this list; open the list again':
    'in dieser Liste gibt es keine Spalte „{0}“; öffnen Sie die Liste noch einmal',
  'There is no column “{0}” to find rows by. Choose another one.':
    'Es gibt keine Spalte „{0}“, an der sich Zeilen erkennen ließen. Wählen Sie eine andere.',
  'The name of a list has 1 to {0} characters. Choose another name.':
    'Der Name einer Liste hat 1 bis {0} Zeichen. Wählen Sie einen anderen Namen.',
  'The name of a column has 1 to {0} characters. Choose another name.':
    'Der Name einer Spalte hat 1 bis {0} Zeichen. Wählen Sie einen anderen Namen.',
  'The name of a workspace has 1 to {0} characters. Choose another name.':
    'Der Name eines Arbeitsbereichs hat 1 bis {0} Zeichen. Wählen Sie einen anderen Namen.',
  '“{0}” cannot be a short name: use 2 to {1} letters, digits, _, - or ., starting with a letter.':
    '„{0}“ ist als Kurzname nicht möglich. Nehmen Sie 2 bis {1} Buchstaben, Ziffern, _, - oder ., einen Buchstaben zuerst.',
  '“{0}” cannot be a column’s name: use 2 to {1} letters, digits, _ or -, starting with a letter.':
    '„{0}“ ist als Spaltenname nicht möglich. Nehmen Sie 2 bis {1} Buchstaben, Ziffern, _ oder -, einen Buchstaben zuerst.',
  '“{0}” in {1} {2}': '„{0}“ in {1} {2}',
  'The column cannot be changed: {0}. Change this value first.':
    'Die Spalte lässt sich nicht ändern: {0}. Ändern Sie zuerst diesen Wert.',
  'The column cannot be changed: {0}, and {1} more do not fit either. Change these values first.':
    'Die Spalte lässt sich nicht ändern: {0}; {1} weitere passen auch nicht. Ändern Sie zuerst diese Werte.',
  'are several values': 'sind mehrere Werte',

  'The values of this row are gone; it cannot come back. Add it as a new row.':
    'Die Werte dieser Zeile sind nicht mehr da; sie lässt sich nicht zurückholen. Legen Sie sie neu an.',
  'There is no row {0} in this list any more. Open the list again.':
    'Die Zeile {0} gibt es in dieser Liste nicht mehr. Öffnen Sie die Liste noch einmal.',
  'This row is in the bin. Restore it before changing it.':
    'Diese Zeile liegt im Papierkorb. Stellen Sie sie wieder her, bevor Sie sie ändern.',

  '{0} must not be empty; fill it in': '{0} darf nicht leer sein; füllen Sie es aus',
  '{0}. And {1} more.': '{0}. Und {1} weitere.',
  '{0} takes one value, not {1}; remove the others':
    '{0} fasst einen Wert, nicht {1}; entfernen Sie die anderen',
  'is no email address; write it like name@example.org':
    'ist keine E-Mail-Adresse; schreiben Sie sie wie name@example.org',
  'is no web address; write it like https://example.org':
    'ist keine Webadresse; schreiben Sie sie wie https://example.org',
  'starts with {0}, which is not allowed in a web address; write it like https://example.org':
    'beginnt mit {0}; das ist in einer Webadresse nicht erlaubt; schreiben Sie sie wie https://example.org',
  'is neither yes nor no; write 1 or 0': 'ist weder Ja noch Nein; schreiben Sie 1 oder 0',
  'is longer than 1 MB; shorten it': 'ist länger als 1 MB; kürzen Sie es',
  'is not among the choices; choose one of these: {0}':
    'gehört nicht zur Auswahl; wählen Sie etwas davon: {0}',
  'is no date; write it as YYYY-MM-DD': 'ist kein Datum; schreiben Sie es als JJJJ-MM-TT',
  'is no time of day; write it as HH:MM': 'ist keine Uhrzeit; schreiben Sie sie als HH:MM',
  'is no date and time; write it as YYYY-MM-DD HH:MM':
    'ist kein Datum mit Uhrzeit; schreiben Sie es als JJJJ-MM-TT HH:MM',
  'is no date and time between the years 1 and 9999; correct the year':
    'ist kein Zeitpunkt zwischen den Jahren 1 und 9999; berichtigen Sie das Jahr',
  'is no place; write latitude and longitude, like 46.05, 14.5':
    'ist kein Ort; schreiben Sie Breiten- und Längengrad, etwa 46.05, 14.5',
  'is no number; write digits with a point, like 1234.50':
    'ist keine Zahl; schreiben Sie Ziffern mit Punkt, etwa 1234.50',
  'has more than {0} digits; shorten it': 'hat mehr als {0} Ziffern; kürzen Sie sie',

  'Say into which list: ?list=<name> or ?moduleID=<id>.':
    'Sagen Sie, in welche Liste: ?list=<Name> oder ?moduleID=<Nummer>.',
  'The file has {0} columns, and {1} can be looked at. Choose another separator, or another file.':
    'Die Datei hat {0} Spalten; angesehen werden können {1}. Wählen Sie ein anderes Trennzeichen oder eine andere Datei.',
  'The file is empty. Choose a CSV file with names of columns and rows.':
    'Die Datei ist leer. Wählen Sie eine CSV-Datei mit Spaltennamen und Zeilen.',
  'The file is empty: there is not even a line with the names of columns. Choose another file.':
    'Die Datei ist leer: Nicht einmal eine Zeile mit den Namen der Spalten ist da. Wählen Sie eine andere Datei.',
  'This is a workbook or an archive. Save it as CSV from your spreadsheet and take that file.':
    'Dies ist eine Arbeitsmappe oder ein Archiv. Speichern Sie sie in Ihrem Tabellenprogramm als CSV und nehmen Sie diese Datei.',
  'This file is no text. Export the list as CSV and take that file.':
    'Diese Datei ist kein Text. Exportieren Sie die Liste als CSV und nehmen Sie diese Datei.',
  'Letters cannot be read as “{0}”. Choose another way to read them.':
    'Als „{0}“ lassen sich Buchstaben nicht lesen. Wählen Sie etwas anderes.',
  'There is no column “{0}”. Choose another one.': 'Es gibt keine Spalte „{0}“. Wählen Sie eine andere.',
  'No column of the file fits a column of “{0}”. Match at least one, or make a new list.':
    'Keine Spalte der Datei passt zu einer Spalte von „{0}“. Ordnen Sie mindestens eine zu, oder legen Sie eine neue Liste an.',
  '“{0}” is no column of both the file and “{1}”. Choose another column to find rows by.':
    '„{0}“ gibt es nicht in der Datei und in „{1}“ zugleich. Wählen Sie eine andere Spalte zum Erkennen.',
  '“{0}” takes several values, so no row can be found by it. Choose another column to find rows by.':
    '„{0}“ fasst mehrere Werte; daran lässt sich keine Zeile erkennen. Wählen Sie eine andere Spalte zum Erkennen.',
  '{0} is empty, so that no row can be found by it.': '{0} ist leer; daran lässt sich keine Zeile erkennen.',
  'Several rows of the list have {0} “{1}”.': 'Mehrere Zeilen der Liste haben {0} „{1}“.',
  'Choose the list whose rows “{0}” names, or another kind of column.':
    'Wählen Sie die Liste, deren Zeilen „{0}“ nennt, oder eine andere Art von Spalte.',
  '{0}: no row of “{1}” is called “{2}”; add it there or correct the file':
    '{0}: Keine Zeile von „{1}“ heißt „{2}“; tragen Sie sie dort ein, oder berichtigen Sie die Datei',
  '{0}: several rows of “{1}” are called “{2}”; give them different names there or correct the file':
    '{0}: Mehrere Zeilen von „{1}“ heißen „{2}“; geben Sie ihnen dort verschiedene Namen, oder berichtigen Sie die Datei',
  'It is not settled to which list “{0}” refers. Choose one under “Name and columns”, or leave this column out.':
    'Auf welche Liste sich „{0}“ bezieht, ist nicht festgelegt. Wählen Sie sie unter „Name und Spalten“, oder lassen Sie die Spalte aus.',
  '{0} “{1}” came in an earlier line already.': '{0} „{1}“ kam schon in einer früheren Zeile vor.',
  'A CSV file may have at most 64 MB. Split it into several files.':
    'Eine CSV-Datei darf höchstens 64 MB groß sein. Teilen Sie sie in mehrere Dateien.',
  'Columns are separated by one character, such as a comma or a semicolon. Choose one.':
    'Spalten sind durch ein einzelnes Zeichen getrennt, etwa ein Komma oder ein Semikolon. Wählen Sie eines.',
  'The line with the names of columns cannot be read. Correct it in the file. {0}':
    'Die Zeile mit den Namen der Spalten ist nicht lesbar. Berichtigen Sie sie in der Datei. {0}',
  'The line has {0} values for {1} columns.': 'Die Zeile hat {0} Werte für {1} Spalten.',
  'The line has {0} values for only {1} columns.': 'Die Zeile hat {0} Werte für nur {1} Spalten.',
  'A quotation mark is never closed.': 'Ein Anführungszeichen wird nicht geschlossen.',
  'From here on the file was not read: too many quotation marks are never closed.':
    'Ab hier wurde die Datei nicht gelesen: Zu viele Anführungszeichen werden nicht geschlossen.',
  'Text follows a closing quotation mark; quotation marks inside a value must be doubled.':
    'Nach einem schließenden Anführungszeichen folgt Text; Anführungszeichen in einem Wert müssen doppelt stehen.',
  'Two columns of the file go into “{0}”. Choose another place for one of them.':
    'Zwei Spalten der Datei kommen in „{0}“. Wählen Sie für eine davon eine andere.',
  '“{0}” is matched with “{1}”, which is no column. Choose another one.':
    '„{0}“ ist „{1}“ zugeordnet, aber das ist keine Spalte. Wählen Sie eine andere.',
};
