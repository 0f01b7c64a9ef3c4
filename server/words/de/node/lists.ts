import type { Translated } from '../../catalogue.ts';
import type { lists as english } from '../../en/node/lists.ts';

/** About lists, their columns, rows and values, and about files that are imported and exported. */
export const lists: Translated<typeof english> = {
  'list.unknown-number': 'Es gibt keine Liste mit der Nummer {number}. Wählen Sie eine andere Liste.',
  'list.other-workspace': 'Die Liste gehört nicht zu diesem Arbeitsbereich. Wählen Sie einen anderen.',
  'list.no-columns': 'Eine Liste braucht mindestens eine Spalte. Fügen Sie eine hinzu.',
  'list.too-many-columns': 'Eine Liste fasst höchstens {most} Spalten. Entfernen Sie einige.',
  'list.unknown-column':
    'Diese Liste hat keine Spalte mit der Nummer {number} mehr. Öffnen Sie die Liste noch einmal.',
  'list.column-twice': 'Es gibt zwei Spalten mit dem Namen „{column}“. Benennen Sie eine davon um.',
  'list.gone': 'Diese Liste gibt es nicht mehr. Sehen Sie unter „Listen“ nach.',
  'list.not-in-bin':
    'Diese Liste ist nicht mehr im Papierkorb. Sehen Sie unter Ihren Listen nach: Vielleicht wurde sie wiederhergestellt.',
  'list.column-not-in-bin':
    'Diese Spalte ist nicht mehr im Papierkorb. Sehen Sie in der Liste nach: Vielleicht wurde sie wiederhergestellt.',
  'bin.admin':
    'Endgültig löschen kann nur, wer verwaltet. Fragen Sie dort nach, oder lassen Sie es im Papierkorb.',
  'undo.none': 'Hier ist nichts rückgängig zu machen. Arbeiten Sie einfach weiter.',
  'undo.matching-gone':
    'Keine der zugeordneten Spalten ist noch da. Stellen Sie eine davon wieder her, oder ordnen Sie die Liste neu zu.',
  'undo.too-large': {
    one: 'Dieser Schritt betraf {n} Zeile und ist zu groß, um ihn rückgängig zu machen. Stellen Sie eine Sicherung wieder her, wenn Sie den früheren Stand brauchen.',
    other:
      'Dieser Schritt betraf {n} Zeilen und ist zu groß, um ihn rückgängig zu machen. Stellen Sie eine Sicherung wieder her, wenn Sie den früheren Stand brauchen.',
  },
  'list.too-many': 'Mehr als {most} Listen sind nicht möglich. Löschen Sie zuerst eine.',
  'list.name-taken':
    'In diesem Arbeitsbereich gibt es schon eine Liste „{list}“. Wählen Sie einen anderen Namen.',
  'list.bad-handle':
    '„{name}“ ist als Kurzname nicht möglich. Nehmen Sie 2 bis {most} Buchstaben, Ziffern, _, - oder ., einen Buchstaben zuerst.',
  'list.bad-column-name':
    '„{name}“ ist als Spaltenname nicht möglich. Nehmen Sie 2 bis {most} Buchstaben, Ziffern, _ oder -, einen Buchstaben zuerst.',
  'list.bad-title': 'Der Name einer Liste hat 1 bis {most} Zeichen. Wählen Sie einen anderen Namen.',
  'list.bad-column-title': 'Der Name einer Spalte hat 1 bis {most} Zeichen. Wählen Sie einen anderen Namen.',
  'list.value-in-column': '„{value}“ in {column} {problem}',
  'list.value-in-the-way': 'Die Spalte lässt sich nicht ändern: {value}. Ändern Sie zuerst diesen Wert.',
  'list.values-in-the-way':
    'Die Spalte lässt sich nicht ändern: {value}; {more} weitere passen auch nicht. Ändern Sie zuerst diese Werte.',
  'list.several-values': 'sind mehrere Werte',

  'workspace.bad-title':
    'Der Name eines Arbeitsbereichs hat 1 bis {most} Zeichen. Wählen Sie einen anderen Namen.',
  'workspace.too-many': 'Mehr als {most} Arbeitsbereiche sind nicht möglich. Entfernen Sie zuerst einen.',
  'workspace.name-taken': 'Es gibt schon einen Arbeitsbereich „{name}“. Wählen Sie einen anderen Namen.',
  'workspace.unknown': 'Diesen Arbeitsbereich gibt es nicht. Wählen Sie einen anderen.',
  'workspace.not-empty': 'In diesem Arbeitsbereich gibt es noch {lists} Listen. Entfernen Sie sie zuerst.',

  'row.values-gone':
    'Die Werte dieser Zeile sind nicht mehr da; sie lässt sich nicht zurückholen. Legen Sie sie neu an.',
  'row.unknown': 'Die Zeile {number} gibt es in dieser Liste nicht mehr. Öffnen Sie die Liste noch einmal.',
  'row.in-bin': 'Diese Zeile liegt im Papierkorb. Stellen Sie sie wieder her, bevor Sie sie ändern.',

  'data.stale': 'Das wurde inzwischen geändert. Laden Sie es neu und wiederholen Sie Ihre Änderung.',

  'search.too-much-work': 'Diese Suche sieht zu viel Text durch. Nehmen Sie weniger oder kürzere Wörter.',

  'value.no-such-column': 'in dieser Liste gibt es keine Spalte „{column}“; öffnen Sie die Liste noch einmal',
  'value.required': '{column} darf nicht leer sein; füllen Sie es aus',
  'value.and-more': '{problems}. Und {more} weitere.',
  'value.of-column': '{column}: „{value}“ {problem}',
  'value.only-one': '{column} fasst einen Wert, nicht {values}; entfernen Sie die anderen',
  'value.no-email': 'ist keine E-Mail-Adresse; schreiben Sie sie wie name@example.org',
  'value.no-web-address': 'ist keine Webadresse; schreiben Sie sie wie https://example.org',
  'value.bad-scheme':
    'beginnt mit {scheme}; das ist in einer Webadresse nicht erlaubt; schreiben Sie sie wie https://example.org',
  'value.no-bool': 'ist weder Ja noch Nein; schreiben Sie ja oder nein',
  'value.too-long': 'ist länger als 1 MB; kürzen Sie es',
  'value.like-an-id':
    'ist eine bloße Zahl aus 15 bis 20 Ziffern und stünde für eine Ihrer Zeilen; entfernen Sie sie zuerst',
  'value.no-choice': 'gehört nicht zur Auswahl; wählen Sie etwas davon: {choices}',
  'value.no-date': 'ist kein Datum; schreiben Sie es als JJJJ-MM-TT',
  'value.no-time': 'ist keine Uhrzeit; schreiben Sie sie als HH:MM',
  'value.no-date-time': 'ist kein Datum mit Uhrzeit; schreiben Sie es als JJJJ-MM-TT HH:MM',
  'value.no-year': 'ist kein Zeitpunkt zwischen den Jahren 1 und 9999; berichtigen Sie das Jahr',
  'value.no-place': 'ist kein Ort; schreiben Sie Breiten- und Längengrad, etwa 46.05, 14.5',
  'value.too-many-digits': 'hat mehr als {most} Ziffern; kürzen Sie sie',
  'value.no-number': 'ist keine Zahl; schreiben Sie Ziffern mit Punkt, etwa 1234.50',
  'value.percent':
    'ist ein Prozentwert; zeigen Sie die Spalte zuerst als Prozent, oder schreiben Sie 0.12 für 12 %',
  'value.other-unit':
    'hat eine andere Einheit als die Spalte, die {unit} zeigt; schreiben Sie den Wert in dieser',
  'value.two-numbers':
    'lässt sich als zwei verschiedene Zahlen lesen oder steht neben anderen Währungen; schreiben Sie Ziffern mit Punkt, etwa 1234.50',
  'value.in-brackets': 'kann −{number} oder eine Anmerkung sein; schreiben Sie den Wert ohne Klammern',
  'value.bare-percent': 'kann {percent} oder {number} sein; schreiben Sie das Prozentzeichen dazu',

  'reading.memory':
    'Beim Lesen dieser Datei ist der Speicher ausgegangen. Teilen Sie die Datei, oder speichern Sie das benötigte Blatt als CSV.',
  'reading.time':
    'Das Lesen dieser Datei dauerte zu lange und wurde abgebrochen. Teilen Sie die Datei, oder speichern Sie das benötigte Blatt als CSV.',
  'reading.crash':
    'An dieser Datei ist das Lesen gescheitert. Speichern Sie sie in Ihrer Tabellenkalkulation neu oder als CSV, und importieren Sie diese Datei.',
  'sheet.broken':
    'Diese Datei lässt sich nicht als Arbeitsmappe lesen. Speichern Sie sie in Ihrem Tabellenprogramm noch einmal als xlsx und nehmen Sie diese Datei.',
  'sheet.too-large':
    'In dieser Arbeitsmappe ist mehr, als gelesen werden kann. Speichern Sie das Blatt, das Sie brauchen, als CSV und nehmen Sie diese Datei.',
  'sheet.other':
    'Dies ist ein Archiv, aber keine Arbeitsmappe. Speichern Sie die Liste in Ihrem Tabellenprogramm als xlsx, ods oder CSV und nehmen Sie diese Datei.',
  'sheet.password':
    'Diese Arbeitsmappe ist mit einem Kennwort geschützt. Öffnen Sie sie in Ihrem Tabellenprogramm, speichern Sie eine Kopie ohne Kennwort und importieren Sie diese.',
  'sheet.old':
    'Dies ist eine Arbeitsmappe älterer Art oder eine mit Kennwort. Speichern Sie sie als xlsx ohne Kennwort und nehmen Sie diese Datei.',
  'sheet.no-such': 'Es gibt kein Blatt „{sheet}“ in dieser Arbeitsmappe. Wählen Sie ein anderes.',
  'sheet.too-long-text':
    'Spalte „{column}“ enthält einen Text, der länger ist, als eine Zelle sein kann. Speichern Sie die Liste als CSV.',
  'csv.no-text': 'Das ist keine Tabelle. Wählen Sie eine .xlsx-, .ods- oder .csv-Datei.',
  'csv.unknown-encoding': 'Als „{encoding}“ lassen sich Buchstaben nicht lesen. Wählen Sie etwas anderes.',
  'csv.no-such-column': 'Es gibt keine Spalte „{column}“. Wählen Sie eine andere.',
  'csv.too-large': 'Eine Datei darf höchstens 64 MB groß sein. Teilen Sie sie in mehrere Dateien.',
  'csv.empty':
    'Diese Datei ist leer: Sie hat keine Zeile mit Spaltennamen. Wählen Sie eine mit Spaltennamen und Daten.',
  'csv.too-many-columns':
    'Die Datei hat {columns} Spalten; angesehen werden können {most}. Wählen Sie ein anderes Trennzeichen oder eine andere Datei.',
  'csv.nameless-column': 'Spalte {number}',
  'csv.bad-separator':
    'Spalten sind durch ein einzelnes Zeichen getrennt, etwa ein Komma oder ein Semikolon. Wählen Sie eines.',
  'csv.bad-header':
    'Zeile {line} mit den Namen der Spalten ist nicht lesbar. Berichtigen Sie sie in der Datei. {reason}',
  'csv.too-many-values': 'Die Zeile hat {values} Werte für nur {columns} Spalten.',
  'csv.too-few-values': 'Die Zeile hat nur {values} Werte für {columns} Spalten.',
  'csv.too-long':
    'Die Zeile hat mehr als eine Million Zeichen. Vielleicht fehlen in der Datei die Zeilenumbrüche: Exportieren Sie sie noch einmal.',
  'csv.open-quote': 'Ein Anführungszeichen wird nicht geschlossen.',
  'csv.too-many-open-quotes':
    'Ab hier wurde die Datei nicht gelesen: Zu viele Anführungszeichen werden nicht geschlossen.',
  'csv.after-quote':
    'Nach einem schließenden Anführungszeichen folgt Text; Anführungszeichen in einem Wert müssen doppelt stehen.',

  'import.unreadable':
    'Einige Buchstaben in diesen Zeilen lassen sich nicht als {encoding} lesen und werden zu �: {lines}. Wählen Sie, wie die Datei gespeichert wurde, oder korrigieren Sie die Buchstaben in der Datei.',
  'import.mixed':
    'Nur teilweise als Prozent oder mit einer Währung dargestellt, oder mit mehreren: {columns}. Die Zahlen kommen herein, was daneben steht nicht.',
  'import.without-signs': 'Was neben den Zahlen steht, kommt nicht mit herein: {columns}.',
  'import.as-percent': 'Diese Spalten zeigen Prozent, und aus 0,12 in der Datei wird 12 %: {columns}.',
  'import.which-list': 'Sagen Sie, in welche Liste: ?list=<Name> oder ?moduleID=<Nummer>.',
  'import.empty': 'Diese Datei ist leer. Wählen Sie eine mit Spaltennamen und Daten.',
  'import.cut-by': '{why} Von der Datei sind die Zeilen bis {line} in der Liste.',
  'import.nothing-went-in':
    'Nichts aus der Datei passte, darum wurde keine Liste angelegt. Zeile {line}: {reason} Wählen Sie für die Spalte eine andere Art, oder berichtigen Sie die Datei.',
  'import.nothing-fits':
    'Keine Spalte der Datei passt zu einer Spalte von „{list}“. Ordnen Sie mindestens eine zu, oder legen Sie eine neue Liste an.',
  'import.key-not-in-both':
    '„{column}“ gibt es nicht in der Datei und in „{list}“ zugleich. Wählen Sie eine andere Spalte zum Erkennen.',
  'import.key-remembered':
    'Der letzte Import hat Zeilen an „{columns}“ erkannt; diese Datei enthält nicht alle davon. Wählen Sie die Spalten zum Erkennen, oder keine.',
  'import.key-several-values':
    '„{column}“ fasst mehrere Werte; daran lässt sich keine Zeile erkennen. Wählen Sie eine andere Spalte zum Erkennen.',
  'import.key-empty': '{column} ist leer; daran lässt sich keine Zeile erkennen.',
  'import.key-ambiguous':
    'Mehrere Zeilen der Liste haben {column} „{value}“. Löschen Sie in der Liste alle bis auf eine davon.',
  'import.key-again': '{column} „{value}“ kam schon in einer früheren Zeile vor.',
  'cells.column-gone':
    'Eine Spalte, für die das bestimmt ist, gibt es in „{list}“ nicht mehr. Öffnen Sie die Liste neu und versuchen Sie es noch einmal.',
  'cells.too-many-values':
    '„{column}“ nimmt höchstens {most} Werte in einer Zelle. Teilen Sie die Zelle auf.',
  'import.refers-nowhere':
    'Auf welche Liste sich „{column}“ bezieht, ist nicht festgelegt. Wählen Sie sie unter „Name und Spalten“, oder lassen Sie die Spalte aus.',
  'import.no-row-called':
    '{column}: Keine Zeile von „{list}“ heißt „{value}“; tragen Sie sie dort ein, oder berichtigen Sie die Datei',
  'import.several-rows-called':
    '{column}: Mehrere Zeilen von „{list}“ heißen „{value}“; geben Sie ihnen dort verschiedene Namen, oder berichtigen Sie die Datei',
  'import.which-refers':
    'Wählen Sie die Liste, deren Zeilen „{column}“ nennt, oder eine andere Art von Spalte.',
  'import.filled-twice':
    'Zwei Spalten der Datei kommen in „{column}“. Wählen Sie für eine davon eine andere.',
  'import.matched-with-none':
    '„{column}“ ist „{target}“ zugeordnet, aber das ist keine Spalte. Wählen Sie eine andere.',

  'view.unknown': 'Diese Ansicht gibt es nicht mehr. Wählen Sie eine andere oder alle Zeilen.',
  'view.no-name': 'Geben Sie der Ansicht einen Namen, den man sieht.',
  'view.name-taken': 'Es gibt schon eine Ansicht „{name}“. Wählen Sie einen anderen Namen.',
  'view.too-many': 'Eine Liste hat höchstens {most} Ansichten. Löschen Sie erst eine davon.',
  'view.no-column': 'Die Liste hat diese Spalte nicht mehr. Wählen Sie für die Ansicht eine andere.',

  'watched.path': 'Geben Sie den ganzen Pfad der Datei auf diesem Computer an, von seinem Anfang an.',
  'watched.too-long': 'Ein Name in diesem Pfad ist zu lang. Wählen Sie einen kürzeren.',
  'watched.no-way':
    'Zu „{file}“ führt kein Weg: Etwas auf dem Pfad ist kein Ordner, oder dieser Computer darf es nicht öffnen. Wählen Sie einen anderen Ort.',
  'watched.unseen':
    'In dem Pfad stehen Zeichen, die niemand sieht und durch die ein Name wie ein anderer aussehen kann. Wählen Sie einen anderen Namen.',
  'watched.no-answer':
    'Das Laufwerk von „{file}“ antwortet nicht. Verbinden Sie es wieder; dann wird die Datei von selbst gelesen.',
  'watched.none-asked':
    'Mehrere Laufwerke antworten nicht. Verbinden Sie sie wieder: Bis eines antwortet, wird kein anderes gefragt, und „{file}“ wartet darauf.',
  'watched.gone':
    '„{file}“ ist zurzeit nicht in ihrem Ordner. Sie wird wieder gelesen, sobald sie zurück ist; wurde sie umbenannt, wählen Sie sie neu.',
  'watched.folder-away':
    '„{file}“ ist nicht zu erreichen: Den Ordner {folder} gibt es nicht. Verbinden Sie das Laufwerk, oder wählen Sie die Datei neu.',
  'watched.empty-folder':
    'Im Ordner „{folder}“ ist noch keine Tabelle. Sobald es eine gibt, wird die neueste von selbst gelesen.',
  'watched.full-folder':
    'Im Ordner „{folder}“ sind mehr als {most} Dateien. Wählen Sie einen mit weniger oder die Tabelle selbst.',
  'watched.locked':
    '„{file}“ ist nicht zu lesen: Ein anderes Programm hält sie fest, oder dieser Computer darf sie nicht lesen. Schließen Sie sie dort; es wird wieder versucht.',
  'watched.not-read': '„{file}“ ist zurzeit nicht zu lesen ({code}). Es wird von selbst wieder versucht.',
  'watched.no-file': '„{file}“ ist keine Datei, die gelesen werden kann. Wählen Sie eine Tabelle.',
  'watched.empty': '„{file}“ ist leer. Sobald etwas darin steht, wird sie von selbst gelesen.',
  'watched.being-written':
    '„{file}“ wird gerade geschrieben. Sobald das vorbei ist, wird sie von selbst gelesen.',
  'watched.none-there':
    'In diesem Ordner gibt es keine Datei „{file}“. Sehen Sie nach, wie ihr Name geschrieben wird.',
  'watched.none-in-folder':
    'Im Ordner „{folder}“ ist keine Tabelle. Wählen Sie einen anderen, oder legen Sie zuerst eine hinein.',
  'watched.locked-now':
    '„{file}“ ist nicht zu lesen: Ein anderes Programm hält sie fest, oder dieser Computer darf sie nicht lesen. Schließen Sie sie dort, und sehen Sie sie dann noch einmal an.',
  'watched.not-read-now':
    '„{file}“ ist zurzeit nicht zu lesen ({code}). Sehen Sie sie etwas später noch einmal an.',
  'watched.empty-now': '„{file}“ ist leer. Wählen Sie eine Datei, in der eine Tabelle steht.',
  'watched.written-now':
    '„{file}“ wird gerade geschrieben. Sehen Sie sie noch einmal an, sobald das vorbei ist.',
  'watched.no-answer-now':
    'Das Laufwerk von „{file}“ antwortet nicht. Sehen Sie die Datei noch einmal an, sobald es antwortet.',
  'watched.key-gone':
    'Eine Spalte, an der Zeilen erkannt werden, ist nicht mehr in dieser Liste. Wählen Sie die Datei neu, mit einer anderen Spalte.',
  'watched.no-key':
    'Wählen Sie die Spalte, an der die Zeilen der Datei zu unterscheiden sind, etwa eine Nummer, oder mehrere, die es zusammen tun.',
  'watched.too-many':
    'Höchstens {most} Listen können wie in Dateien gehalten werden. Beenden Sie erst eine davon.',
  'watched.others-wait':
    'Die Datei hat sich inzwischen geändert. Sehen Sie noch einmal an, was verschwinden würde.',
  'watched.elsewhere': 'Der Weg zu „{file}“ führt inzwischen woandershin. Wählen Sie den Ort neu.',
  'watched.a-copy':
    'Nach „{file}“ wird eine Kopie einer Liste geschrieben. Wählen Sie eine andere Datei oder einen anderen Ordner.',
  'watched.newest-gone':
    'Die Tabelle in „{folder}“, die zuletzt gelesen wurde, ist weg, und die anderen sind älter. Legen Sie sie zurück, oder wählen Sie den Ordner neu, um nach dem zu gehen, was da ist.',
  'watched.column-gone':
    'In „{file}“ gibt es die Spalte {columns} nicht mehr. Geben Sie ihr den Namen zurück, oder wählen Sie die Datei neu.',
  'watched.in-doubt':
    '„{file}“ lässt sich jetzt auf mehrere Arten lesen; deshalb wurde nichts daraus übernommen. Öffnen Sie die Dateien der Liste und prüfen Sie die Annahmen.',
  'watched.unsure': {
    one: 'In „{file}“ ist 1 Zeile nicht zu lesen; deshalb kommt nichts in den Papierkorb. Berichtigen Sie sie dort.',
    other:
      'In „{file}“ sind {n} Zeilen nicht zu lesen; deshalb kommt nichts in den Papierkorb. Berichtigen Sie sie dort.',
  },
  'watched.rejected': {
    one: 'In „{file}“ passt 1 Zeile nicht hinein. Sehen Sie sie an, und berichtigen Sie sie dort.',
    other: 'In „{file}“ passen {n} Zeilen nicht hinein. Sehen Sie sie an, und berichtigen Sie sie dort.',
  },
  'copy.a-source':
    'Eine Liste wird wie in „{file}“ oder wie in dessen Ordner gehalten. Wählen Sie für die Kopie einen anderen Ort.',
  'copy.of-another': '„{file}“ ist die Kopie einer anderen Liste. Wählen Sie einen anderen Namen.',
  'copy.kind':
    'Eine Kopie für die Tabellenkalkulation endet auf .xlsx oder .csv. Wählen Sie einen solchen Namen.',
  'copy.reserved':
    'Windows hält den Namen „{file}“ für etwas anderes als eine Datei frei. Wählen Sie einen anderen Namen.',
  'copy.there-already':
    'Eine Datei „{file}“ gibt es schon. Wählen Sie einen anderen Namen, oder lassen Sie sie ersetzen.',
  'copy.inside':
    'Eine Kopie kann nicht zwischen den Daten von Footbridge liegen. Wählen Sie einen anderen Ordner.',
  'copy.no-folder':
    'Den Ordner {folder} gibt es zurzeit nicht. Verbinden Sie das Laufwerk, oder wählen Sie einen anderen Ordner.',
  'copy.no-answer':
    'Das Laufwerk von „{file}“ antwortet nicht. Verbinden Sie es wieder; dann wird die Kopie von selbst geschrieben.',
  'copy.locked':
    '„{file}“ ist nicht zu ersetzen: Ein anderes Programm hat sie offen, oder dieser Computer darf sie nicht schreiben. Schließen Sie sie dort; es wird wieder versucht.',
  'copy.not-written': '„{file}“ ist zurzeit nicht zu schreiben ({code}). Es wird von selbst wieder versucht.',
  'copy.full': 'Für „{file}“ ist kein Platz. Schaffen Sie Platz auf dem Laufwerk; es wird wieder versucht.',
  'copy.locked-now':
    '„{file}“ ist nicht zu ersetzen: Ein anderes Programm hat sie offen, oder dieser Computer darf sie nicht schreiben. Schließen Sie sie dort, und versuchen Sie es noch einmal.',
  'copy.not-written-now':
    '„{file}“ ist zurzeit nicht zu schreiben ({code}). Versuchen Sie es etwas später noch einmal, oder wählen Sie einen anderen Ort.',
  'copy.full-now':
    'Für „{file}“ ist kein Platz. Schaffen Sie auf dem Laufwerk Platz, oder wählen Sie ein anderes.',
  'copy.too-many': 'Höchstens {most} Listen können eine Kopie haben. Beenden Sie erst eine davon.',
};
