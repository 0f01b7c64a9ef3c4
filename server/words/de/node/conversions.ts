import type { Translated } from '../../catalogue.ts';
import type { conversions as english } from '../../en/node/conversions.ts';

/** What becomes of values between columns of different kinds. */
export const conversions: Translated<typeof english> = {
  'conversion.as-text': 'Wird als Text übernommen.',
  'conversion.as-text-but-ids':
    'Wird als Text übernommen; eine bloße Zahl aus 15 bis 20 Ziffern wird weggelassen, da sie für eine Ihrer Zeilen stünde.',
  'conversion.impossible': 'Diese Arten haben nichts gemeinsam. Wählen Sie eine andere Spalte.',
  'conversion.numbers': 'Nur Texte, die Zahlen sind, etwa 1234.50, werden übernommen; andere Zeilen warten.',
  'conversion.dates':
    'Nur Texte wie 2031-05-09 oder 2031-05-09T14:30:00Z werden übernommen; andere Zeilen warten.',
  'conversion.bools': 'Nur yes, no, true, false, 1 und 0 werden übernommen; andere Zeilen warten.',
  'conversion.digits': 'Nur 1 und 0 werden übernommen; andere Zeilen warten.',
  'conversion.emails': 'Nur E-Mail-Adressen werden übernommen; andere Zeilen warten.',
  'conversion.urls': 'Nur Webadressen werden übernommen; andere Zeilen warten.',
  'conversion.places': 'Nur Texte wie 46.05, 14.5 werden übernommen; andere Zeilen warten.',
  'conversion.choices':
    'Nur Werte, die Ihre Spalte zur Auswahl hat, werden übernommen; andere Zeilen warten.',
  'conversion.day-only': 'Der Tag wird übernommen, eine Uhrzeit dabei bleibt weg; Zeilen ohne Tag warten.',
  'conversion.time-only': 'Nur Uhrzeiten wie 14:30 werden übernommen; andere Zeilen warten.',
  'conversion.bool-to-number': 'Ja wird zu 1, Nein bleibt leer.',
  'conversion.email-to-link': 'Die Adresse wird zu einem Link, der eine E-Mail schreibt.',
  'conversion.link-to-email':
    'Nur Links, die eine E-Mail schreiben, werden übernommen, als Adresse; andere Zeilen warten.',
  'conversion.names-followed':
    'Namen werden als Text übernommen; eine bloße interne Nummer wird zu dem, wie die Zeile hier heißt, sobald auch sie angekommen ist, und bleibt bis dahin weg.',
  'conversion.names':
    'Namen werden als Text übernommen; eine bloße interne Nummer vom Programm des Partners bleibt weg.',
  'conversion.joined': 'Mehrere Werte kommen mit Kommas in einen Text.',
  'conversion.one-only': 'Zeilen mit mehr als einem Wert warten, weil Ihre Spalte nur einen fasst.',
  'conversion.cannot-hold': 'kann nichts aus einer Spalte der Art {kind} aufnehmen',
  'conversion.too-many': 'fasst einen Wert, und {values} kamen',
  'conversion.problem': '„{column}“ {problem}.',
  'row.names-unreadable':
    'Sie nennt eine Zeile einer Liste, deren Datei beschädigt ist. Sehen Sie auf der Startseite nach, was sich tun lässt; die Zeile ändert sich, sobald diese Liste wieder gelesen werden kann.',
  'conversion.required': '„{column}“ muss gefüllt sein und kam leer.',

  'kind.text': 'Text',
  'kind.number': 'Zahl',
  'kind.date-time': 'Datum und Uhrzeit',
  'kind.bool': 'Ja oder Nein',
  'kind.choice': 'Auswahl',
  'kind.email': 'E-Mail-Adresse',
  'kind.url': 'Webadresse',
  'kind.person': 'Person',
  'kind.row': 'Zeile einer anderen Liste',
  'kind.file': 'Datei',
  'kind.place': 'Ort auf der Karte',
};
