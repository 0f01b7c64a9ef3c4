/** What becomes of values between columns of different kinds. */
export const conversions: Readonly<Record<string, string>> = {
  'Taken over as text.': 'Wird als Text übernommen.',
  'These kinds have nothing in common. Choose another column.':
    'Diese Arten haben nichts gemeinsam. Wählen Sie eine andere Spalte.',
  'Only texts that are plain numbers, like 1234.50, are taken; other rows wait.':
    'Nur Texte, die Zahlen sind, etwa 1234.50, werden übernommen; andere Zeilen warten.',
  'Only texts like 2031-05-09 or 2031-05-09T14:30:00Z are taken; other rows wait.':
    'Nur Texte wie 2031-05-09 oder 2031-05-09T14:30:00Z werden übernommen; andere Zeilen warten.',
  'Only yes, no, true, false, 1 and 0 are taken; other rows wait.':
    'Nur yes, no, true, false, 1 und 0 werden übernommen; andere Zeilen warten.',
  'Only 1 and 0 are taken; other rows wait.': 'Nur 1 und 0 werden übernommen; andere Zeilen warten.',
  'Only email addresses are taken; other rows wait.':
    'Nur E-Mail-Adressen werden übernommen; andere Zeilen warten.',
  'Only web addresses are taken; other rows wait.':
    'Nur Webadressen werden übernommen; andere Zeilen warten.',
  'Only texts like 46.05, 14.5 are taken; other rows wait.':
    'Nur Texte wie 46.05, 14.5 werden übernommen; andere Zeilen warten.',
  'Only values that your column offers as choices are taken; other rows wait.':
    'Nur Werte, die Ihre Spalte zur Auswahl hat, werden übernommen; andere Zeilen warten.',
  'The day is taken, and a time of day with it is left out; rows without a day wait.':
    'Der Tag wird übernommen, eine Uhrzeit dabei bleibt weg; Zeilen ohne Tag warten.',
  'Only times of day like 14:30 are taken; other rows wait.':
    'Nur Uhrzeiten wie 14:30 werden übernommen; andere Zeilen warten.',
  'Yes becomes 1, no stays empty.': 'Ja wird zu 1, Nein bleibt leer.',
  'The address becomes a link that writes an email.':
    'Die Adresse wird zu einem Link, der eine E-Mail schreibt.',
  'Only links that write an email are taken, as the address; other rows wait.':
    'Nur Links, die eine E-Mail schreiben, werden übernommen, als Adresse; andere Zeilen warten.',
  'Names are taken over as text; a bare internal number becomes what that row is called here, once it has arrived as well, and is left out until then.':
    'Namen werden als Text übernommen; eine bloße interne Nummer wird zu dem, wie die Zeile hier heißt, sobald auch sie angekommen ist, und bleibt bis dahin weg.',
  'Names are taken over as text; a bare internal number of the partner’s program is left out.':
    'Namen werden als Text übernommen; eine bloße interne Nummer vom Programm des Partners bleibt weg.',
  'Several values come together in one text, with commas.': 'Mehrere Werte kommen mit Kommas in einen Text.',
  'Rows with more than one value wait, as your column holds one.':
    'Zeilen mit mehr als einem Wert warten, weil Ihre Spalte nur einen fasst.',
  'cannot hold what comes from a column of the kind {0}':
    'kann nichts aus einer Spalte der Art {0} aufnehmen',
  'holds one value, and {0} came': 'fasst einen Wert, und {0} kamen',
  text: 'Text',
  number: 'Zahl',
  'date and time': 'Datum und Uhrzeit',
  'yes or no': 'Ja oder Nein',
  choice: 'Auswahl',
  'email address': 'E-Mail-Adresse',
  'web address': 'Webadresse',
  person: 'Person',
  'row of another list': 'Zeile einer anderen Liste',
  file: 'Datei',
  'place on the map': 'Ort auf der Karte',
};
