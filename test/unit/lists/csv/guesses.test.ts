import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { guessDelimiter } from '../../../../server/lists/csv/delimiter.ts';
import { findHeading } from '../../../../server/lists/csv/heading.ts';
import { suggestKind, readTable, type TableFile } from '../../../../server/lists/csv/read.ts';

/** How a file is read: delimiter, line of the heading, columns, rows and rejected lines, kinds of doubts. */
interface Reading {
  readonly delimiter: string;
  readonly heading: number;
  readonly columns: string;
  readonly rows: number;
  readonly rejected?: number;
  readonly doubts?: readonly string[];
}

const seen = ({
  source,
  headerLine,
  columns,
  lines,
  rejectedLines,
  doubts,
}: TableFile): Required<Reading> => ({
  delimiter: source.delimiter,
  heading: headerLine,
  columns: columns.map(({ header }) => header).join(' | '),
  rows: lines,
  rejected: rejectedLines,
  doubts: doubts.map(({ kind }) => kind),
});

const preamble = Array.from({ length: 30 }, (_, at) => `Schlüssel ${at};Wert ${at}`).join('\n');

const TEXTS = 'Anna;Ulm\nBert;Bonn\nCarla;Köln\nDora;Kiel\n';

const FILES: Readonly<Record<string, readonly [string, Reading]>> = {
  'a remark above two columns of texts in quotation marks': [
    '# Export vom 1.2.2026\n"Monat"\t"Größe"\n"Mai"\t"S"\n"März"\t"S"\n"Januar"\t"XL"\n',
    { delimiter: '\t', heading: 2, columns: 'Monat | Größe', rows: 3 },
  ],
  'a remark above two columns of texts, which may be one': [
    '# Export vom 1.2.2026\nMonat\tGröße\nMai\tS\nMärz\tS\nJanuar\tXL\n',
    {
      delimiter: '\n',
      heading: 1,
      columns: '# Export vom 1.2.2026',
      rows: 4,
      doubts: ['delimiter', 'heading'],
    },
  ],
  'a delimiter that texts in every row have too': [
    'Nr;Name;Adresse\n1;Anna;Weg 1, 89073 Ulm, Bayern\n2;Bert;Weg 2, 53111 Bonn, NRW\n',
    { delimiter: ';', heading: 1, columns: 'Nr | Name | Adresse', rows: 2 },
  ],
  'a single row that names nothing': [
    '1;Anna;Ulm;5,00\r\n',
    { delimiter: ';', heading: 1, columns: '1 | Anna | Ulm | 5,00', rows: 0, doubts: ['heading'] },
  ],
  'a card of keys and values': [
    'Firma;Kern GmbH\nStraße;Weg 1\nPLZ;89073\nOrt;Ulm\nTelefon;0731 123\n',
    { delimiter: ';', heading: 1, columns: 'Firma | Kern GmbH', rows: 4, doubts: ['heading'] },
  ],
  'two columns of mixed content': [
    'Name,Nr\nSchraube,0\n1,"a"\n',
    { delimiter: ',', heading: 1, columns: 'Name | Nr', rows: 2 },
  ],
  'lines drawn below the heading, column by column': [
    'id;name;price\n-----------;----------;---------\n1;Kim;12,50\n2;Bo;8,00\n',
    { delimiter: ';', heading: 1, columns: 'id | name | price', rows: 2 },
  ],
  'a line drawn by psql': [
    ' id | name | price \n----+------+-------\n  1 | Kim  | 12.50\n  2 | Bo   |  8.00\n',
    { delimiter: '|', heading: 1, columns: 'id | name | price', rows: 2 },
  ],
  'amounts with decimal commas alone': [
    '12,50\n3,00\n1.200,00\n-5,95\n',
    { delimiter: '\n', heading: 0, columns: 'Column 1', rows: 4, doubts: ['delimiter', 'heading'] },
  ],
  'amounts of a currency alone': [
    '12,50 €\n3,15 €\n',
    { delimiter: '\n', heading: 0, columns: 'Column 1', rows: 2, doubts: ['delimiter', 'heading'] },
  ],
  'pairs of numbers, which may be decimals': [
    '-1,5\n2,3\n3,5\n',
    { delimiter: ',', heading: 0, columns: 'Column 1 | Column 2', rows: 3, doubts: ['delimiter', 'heading'] },
  ],
  'numbers that count up above numbers, which may be the first row': [
    '1,2,3\n4,5,6\n7,8,9\n',
    { delimiter: ',', heading: 1, columns: '1 | 2 | 3', rows: 2, doubts: ['heading'] },
  ],
  'numbers that count up beside a name': [
    'Haus;1;2;3\nA;4;5;6\nB;7;8;9\n',
    { delimiter: ';', heading: 1, columns: 'Haus | 1 | 2 | 3', rows: 2 },
  ],
  'years above numbers': [
    '2022;2023;2024\n10;20;30\n11;21;31\n',
    { delimiter: ';', heading: 1, columns: '2022 | 2023 | 2024', rows: 2 },
  ],
  'lines drawn by MySQL': [
    '+----+------+-------+\n| id | name | price |\n+----+------+-------+\n|  1 | Kim  | 12.50 |\n|  2 | Bo   |  8.00 |\n+----+------+-------+\n',
    { delimiter: '|', heading: 2, columns: 'id | name | price', rows: 2 },
  ],
  'lines drawn between bars, as in lists of SAP': [
    '-----------------------\n|Nr |Name |   Preis|\n|---------------------|\n|01 |Kim  |  12,50-|\n|02 |Bo   |1.208,00|\n|---------------------|\n',
    { delimiter: '|', heading: 2, columns: 'Nr | Name | Preis', rows: 2 },
  ],
  'a Markdown table': [
    '| id | name | price |\n|----|:-----|------:|\n| 1 | Kim | 12.50 |\n| 2 | Bo | 8.00 |\n',
    { delimiter: '|', heading: 1, columns: 'id | name | price', rows: 2 },
  ],
  'lines drawn below the heading in quotation marks': [
    '"id","name"\n"--","-----"\n"1","Kim"\n"2","Bo"\n',
    { delimiter: ',', heading: 1, columns: 'id | name', rows: 2 },
  ],
  'lines drawn below one heading in quotation marks': [
    '"name"\r\n"----"\r\n"Kim"\r\n"Bo"\r\n',
    { delimiter: '\n', heading: 1, columns: 'name', rows: 2 },
  ],
  'signs in quotation marks that our exports do not escape': [
    '"name","city"\n"_____","*****"\n"Kim","Ulm"\n',
    { delimiter: ',', heading: 1, columns: 'name | city', rows: 2 },
  ],
  'dashes in place of some values': [
    'Artikel;EK;VK\nHemd;---;25,00\nHose;20,00;---\n',
    { delimiter: ';', heading: 1, columns: 'Artikel | EK | VK', rows: 2 },
  ],
  'keys and values above two columns': [
    `Firma;Kern GmbH\nStand;01.02.2026\nWährung;EUR\nBearbeiter;Lang\nArtikel;Preis\n${'Ware;1,50\n'.repeat(20)}`,
    { delimiter: ';', heading: 1, columns: 'Firma | Kern GmbH', rows: 24, doubts: ['heading'] },
  ],
  'two keys and values above two columns': [
    `Firma;Kern GmbH\nStand;heute\nArtikel;Preis\n${'Ware;1,50\n'.repeat(20)}`,
    { delimiter: ';', heading: 2, columns: 'Stand | heute', rows: 21, doubts: ['heading'] },
  ],
  'a key and a value above usual names of numbers': [
    'Firma;Kern GmbH\nArtikel;Preis\nTee;3,50\nKaffee;7,90\nKakao;4,20\n',
    { delimiter: ';', heading: 2, columns: 'Artikel | Preis', rows: 3 },
  ],
  'a key and a value above usual names of texts': [
    `Firma;Kern GmbH\nName;Ort\nAnna;Ulm\nBert;Bonn\nCarla;Köln\n`,
    { delimiter: ';', heading: 1, columns: 'Firma | Kern GmbH', rows: 4, doubts: ['heading'] },
  ],
  'keys with colons above two columns of texts': [
    `Kunde:;Kern GmbH\nDatum:;01.02.2026\nPerson;Stadt\n${TEXTS}`,
    { delimiter: ';', heading: 3, columns: 'Person | Stadt', rows: 4, doubts: ['heading'] },
  ],
  'keys and values in each cell above two columns of texts': [
    `Thema: Besuch;Ort: Ulm\nPerson;Stadt\n${TEXTS}`,
    { delimiter: ';', heading: 2, columns: 'Person | Stadt', rows: 4, doubts: ['heading'] },
  ],
  'keys with colons in pairs above four columns of texts': [
    'Kunde:,Kern,Datum:,heute\nAuftrag:,17,Seite:,3\nA,B,C,D\nw,x,y,z\nk,l,m,n\nf,g,h,i\n',
    { delimiter: ',', heading: 3, columns: 'A | B | C | D', rows: 3, doubts: ['heading'] },
  ],
  'keys with colons above a column of numbers': [
    'Kunde:;Kern GmbH\nDatum:;01.02.2026\nArtikel;Preis\nTee;3,50\nKaffee;7,90\n',
    { delimiter: ';', heading: 3, columns: 'Artikel | Preis', rows: 2 },
  ],
  'one key with a colon above two columns of texts, or a name with one': [
    `Name:;Stadt\n${TEXTS}`,
    { delimiter: ';', heading: 1, columns: 'Name: | Stadt', rows: 4, doubts: ['heading'] },
  ],
  'names with colons': [
    `Name:;Stadt:\n${TEXTS}`,
    { delimiter: ';', heading: 1, columns: 'Name: | Stadt:', rows: 4 },
  ],
  'keys with colons alone': [
    'Kunde:;Kern GmbH\nDatum:;01.02.2026\nKontakt:;Lang\nStadt:;Ulm\n',
    { delimiter: ';', heading: 1, columns: 'Kunde: | Kern GmbH', rows: 3 },
  ],
  'usual keys without colons above two columns of texts': [
    `Kunde;Kern GmbH\nBearbeiter;Lang\nPerson;Stadt\n${TEXTS}`,
    { delimiter: ';', heading: 1, columns: 'Kunde | Kern GmbH', rows: 6, doubts: ['heading'] },
  ],
  'a key and a value above a blank line and two columns of texts': [
    `Verein;Kern e. V.\n\nPerson;Stadt\n${TEXTS}`,
    { delimiter: ';', heading: 1, columns: 'Verein | Kern e. V.', rows: 5, doubts: ['heading'] },
  ],
  'a list of columns with usual names': [
    'Field;Description\nCustomer;The buyer\nDate;When sold\nAmount;How much\nRemark;Else\n',
    { delimiter: ';', heading: 1, columns: 'Field | Description', rows: 4 },
  ],
  'a first price on request': [
    `Artikel;Preis\nTisch;auf Anfrage\n${'Ware;1,50\n'.repeat(20)}`,
    { delimiter: ';', heading: 1, columns: 'Artikel | Preis', rows: 21, doubts: ['heading'] },
  ],
  'a title, and a first price and stock on request': [
    `Preisliste\nArtikel;Preis;Ort;Menge\nTisch;auf Anfrage;Ulm;offen\n${'Ware;1,50;Ulm;3\n'.repeat(20)}`,
    { delimiter: ';', heading: 2, columns: 'Artikel | Preis | Ort | Menge', rows: 21, doubts: ['heading'] },
  ],
  'a title, and a first stock without a number below names that are not usual': [
    'Lager 2;;\nWare;Fach;Bestand\nLeim;A1;leer\nLack;A2;5\nÖl;A3;12\nWachs;B1;7\n',
    { delimiter: ';', heading: 3, columns: 'Leim | A1 | leer', rows: 3, doubts: ['heading'] },
  ],
  'days without a year above marks in all cells': [
    `Name;05.01.;12.01.;19.01.\n${['Abel', 'Bär', 'Cal', 'Dorn', 'Ebel'].map((name) => `${name};x;x;x\n`).join('')}`,
    { delimiter: ';', heading: 1, columns: 'Name | 05.01. | 12.01. | 19.01.', rows: 5 },
  ],
  'times of a day above texts': [
    'Ort;8:00;9:00;10:00\nA;Kern;Abel;Zorn\nB;Kern;Abel;Zorn\nC;Zorn;Kern;Abel\nD;Abel;Kern;Zorn\n',
    { delimiter: ';', heading: 1, columns: 'Ort | 8:00 | 9:00 | 10:00', rows: 4 },
  ],
  'classes of a school above texts': [
    'Fach;5a;5b;6a\nMathe;Kern;Abel;Zorn\nDeutsch;Kern;Abel;Zorn\nKunst;Roth;Abel;Zorn\nSport;Roth;Vogt;Zorn\nMusik;Roth;Vogt;Zorn\n',
    { delimiter: ';', heading: 1, columns: 'Fach | 5a | 5b | 6a', rows: 5, doubts: ['heading'] },
  ],
  'one name with a digit above many rows of texts': [
    `Verein;Vorstand;2. Vorstand;Ort\n${'SV Ulm;Kern;Abel;Ulm\nTSV Blau;Zorn;Roth;Wien\n'.repeat(20)}`,
    { delimiter: ';', heading: 1, columns: 'Verein | Vorstand | 2. Vorstand | Ort', rows: 40 },
  ],
  'ranges of ages above many rows of texts': [
    `Kind;Gruppe;< 5;5-10;> 10\n${'Cal;rot;S;F;N\nAda;grün;F;S;N\n'.repeat(20)}`,
    { delimiter: ';', heading: 1, columns: 'Kind | Gruppe | < 5 | 5-10 | > 10', rows: 40 },
  ],
  'a title above a name and numbers, and rows of numbers': [
    'Liste 2026;;\nPLZ;18;48\n39998;25,0;81,8\n69026;12,9;14,7\n67326;88,6;21,0\n41707;22,7;13,6\n',
    { delimiter: ';', heading: 1, columns: 'Liste 2026 | Column 2 | Column 3', rows: 5, doubts: ['heading'] },
  ],
  'numbers of houses above names': [
    'Straße;2;4;6;8\nStr. A;Kern;Abel;Zorn;Bär\nStr. B;Roth;Vogt;Klein;Groß\nStr. C;Cal;Dorn;Ebel;Fink\n',
    { delimiter: ';', heading: 1, columns: 'Straße | 2 | 4 | 6 | 8', rows: 3, doubts: ['heading'] },
  ],
  'an end-of-file sign of DOS, and line ends with two returns': [
    'Artikel;Preis;Ort\r\r\nHemd;1,50;Ulm\r\r\nHose;2,50;Bonn\r\r\n\u001a',
    { delimiter: ';', heading: 1, columns: 'Artikel | Preis | Ort', rows: 2 },
  ],
  'decimal commas between semicolons': [
    'a;b\n1,5;2,5\n3,5;4,5\n',
    { delimiter: ';', heading: 1, columns: 'a | b', rows: 2 },
  ],
  'decimal commas between tabs': [
    'Artikel\tEK\tVK\nHemd\t12,50\t25,00\nHose\t20,00\t39,90\n',
    { delimiter: '\t', heading: 1, columns: 'Artikel | EK | VK', rows: 2 },
  ],
  'cells that end with a tab': [
    'Name\t;Ort\t\nAnna\t;Ulm\t\nBert\t;Bonn\t\n',
    { delimiter: ';', heading: 1, columns: 'Name | Ort', rows: 2 },
  ],
  'cells that end with a tab between commas': [
    'Name\t,Ort\t\nAnna\t,Ulm\t\nBert\t,Bonn\t\n',
    { delimiter: ',', heading: 1, columns: 'Name | Ort', rows: 2 },
  ],
  'several values in a cell': [
    'Name,Ort,Farben\nHemd,Ulm,rot|blau|grün|gelb\nHose,Bonn,rot|blau|grün|weiß\n',
    { delimiter: ',', heading: 1, columns: 'Name | Ort | Farben', rows: 2 },
  ],
  'a heading with commas of its own': [
    'Name, Vorname, Titel;Ort\nMeier, Anna, Dr.;Ulm\nGroß, Bo, Prof.;Bonn\n',
    { delimiter: ';', heading: 1, columns: 'Name, Vorname, Titel | Ort', rows: 2 },
  ],
  'bars between columns': [
    'Nr|Name|Text\n1|A|x, y\n2|B|z; w\n',
    { delimiter: '|', heading: 1, columns: 'Nr | Name | Text', rows: 2 },
  ],
  'a rare delimiter': [
    'Nr^Name^Text\n1^A^x\n2^B^z\n',
    { delimiter: '^', heading: 1, columns: 'Nr | Name | Text', rows: 2 },
  ],
  'one column of addresses': [
    'Adresse\nWeg 1,Ulm\nWeg 2,Bonn\nWeg 3,Kiel\n',
    { delimiter: '\n', heading: 1, columns: 'Adresse', rows: 3 },
  ],
  'one column of prices': [
    'Preis\n12,50\n13,90\n14,20\n',
    { delimiter: '\n', heading: 1, columns: 'Preis', rows: 3 },
  ],
  'one column without a heading': [
    'a@example.org\nc@example.org\ne@example.org\n',
    { delimiter: '\n', heading: 0, columns: 'Column 1', rows: 3, doubts: ['heading'] },
  ],
  'too many values in the first row': [
    'Name,Adresse,Betrag\nMeyer,Hauptstr. 5, Jena,12.50\nSchulz,Markt 1,3.50\nBerg,Ring 3,4.50\nKurz,Weg 4,5.50\n',
    { delimiter: ',', heading: 1, columns: 'Name | Adresse | Betrag', rows: 3, rejected: 1 },
  ],
  'too many values in the third row': [
    'Kunde;Filiale\nMeyer;Jena\nSchulz;Gera\nBerg;Erfurt;neu\nKurz;Suhl\nLang;Jena\nWolf;Gera\n',
    { delimiter: ';', heading: 1, columns: 'Kunde | Filiale', rows: 5, rejected: 1 },
  ],
  'a value too many below two unusual names': [
    'Kolli;Fracht\nMeyer;Jena;neu\nSchulz;Gera\nBerg;Erfurt\nKurz;Suhl\nLang;Jena\nWolf;Gera\n',
    { delimiter: ';', heading: 1, columns: 'Kolli | Fracht', rows: 5, rejected: 1, doubts: ['heading'] },
  ],
  'a number too many below two unusual names': [
    'Kolli;Fracht\nMeyer;Jena;12,50\nSchulz;Gera\nBerg;Erfurt\nKurz;Suhl\n',
    { delimiter: ';', heading: 1, columns: 'Kolli | Fracht', rows: 3, rejected: 1, doubts: ['heading'] },
  ],
  'commas in most addresses, without quotation marks': [
    'Kunde,Adresse,Ort\nKern,Hauptstr. 1, Hof,Ulm\nLang,Ring 2, EG,Bonn\nOtt,Weg 3,Trier\nAbt,Platz 4, Keller,Köln\n',
    {
      ...{ delimiter: ',', heading: 2, columns: 'Kern | Hauptstr. 1 | Hof | Ulm' },
      ...{ rows: 3, doubts: ['heading'] },
    },
  ],
  'a note too many in every other line': [
    'Name;Ort;Bemerkung\nKern;Ulm;bar\nLang;Bonn;Rechnung;eilig\nOtt;Trier;bar\nAbt;Köln;Rechnung;frei\n',
    {
      ...{ delimiter: ';', heading: 3, columns: 'Lang | Bonn | Rechnung | eilig' },
      ...{ rows: 2, doubts: ['heading'] },
    },
  ],
  'two values above three unusual names, all of texts': [
    'Lager;Jena\nPosition;Ausführung;Hinweis\nNägel;blank\nSchrauben;verzinkt;neu\nDübel;grau\nHaken;weiß\n',
    { delimiter: ';', heading: 2, columns: 'Position | Ausführung | Hinweis', rows: 4, doubts: ['heading'] },
  ],
  'two lines of a key and a value above names of texts whose rows are short': [
    'Firma;Muster GmbH\nStand;heute\nVorgang;Bearbeiter;Hinweis\nAnruf;Meyer\nBrief;Schulz;eilig\nFax;Lang\nMail;Kurz\n',
    {
      ...{ delimiter: ';', heading: 1, columns: 'Firma | Muster GmbH' },
      ...{ rows: 4, rejected: 2, doubts: ['heading'] },
    },
  ],
  'two values above a heading whose last column is mostly empty': [
    'Lager;Jena\nArtikel;Menge;Bemerkung\nNägel;5\nSchrauben;12;neu\nDübel;7\nHaken;3\n',
    { delimiter: ';', heading: 2, columns: 'Artikel | Menge | Bemerkung', rows: 4 },
  ],
  'no heading above numbers': [
    '1;Anna;12,50\n2;Bo;13,00\n3;Cy;14,00\n',
    { delimiter: ';', heading: 0, columns: 'Column 1 | Column 2 | Column 3', rows: 3, doubts: ['heading'] },
  ],
  'texts of which any row could be the heading': [
    'Anna,Ulm\nBert,Bonn\nCarl,Kiel\n',
    { delimiter: ',', heading: 1, columns: 'Anna | Ulm', rows: 2, doubts: ['heading'] },
  ],
  'a title above years': [
    'Bevölkerung in Tausend\nOrt,2021,2022,2023\nUlm,126,127,128\nBonn,330,331,332\n',
    { delimiter: ',', heading: 2, columns: 'Ort | 2021 | 2022 | 2023', rows: 2 },
  ],
  'a long preamble of keys and values': [
    `${preamble}\n\nDatum;Text;Betrag;Saldo\n01.02.2024;Miete;-900,00;100,00\n02.02.2024;Lohn;2500,00;2600,00\n`,
    { delimiter: ';', heading: 32, columns: 'Datum | Text | Betrag | Saldo', rows: 2 },
  ],
  'keys and values right above the heading': [
    'Konto;DE12 3456\nInhaber;Anna Weiß\nVon;01.01.2024\nBis;31.01.2024\nDatum;Zweck;Betrag\n02.01.2024;Miete;-900,00\n03.01.2024;Lohn;2.500,00\n',
    { delimiter: ';', heading: 5, columns: 'Datum | Zweck | Betrag', rows: 2 },
  ],
  'a line of a bookkeeping program above the heading': [
    '"EXTF";700;21;"Buchungsstapel";7;20240101;;"RE"\r\nUmsatz;Soll/Haben;WKZ;Konto;Gegenkonto;Belegdatum;Belegfeld 1;Buchungstext\r\n119,00;"S";"EUR";8400;10000;0101;"RE1";"Verkauf"\r\n238,00;"S";"EUR";8400;10001;0201;"RE2";"Verkauf 2"\r\n',
    {
      delimiter: ';',
      heading: 2,
      columns: 'Umsatz | Soll/Haben | WKZ | Konto | Gegenkonto | Belegdatum | Belegfeld 1 | Buchungstext',
      rows: 2,
    },
  ],
  'a table of a statistics office, with a heading over two lines': [
    'Tabelle 12411-0010;;\nBevölkerung nach Ländern;;\n;31.12.2021;31.12.2022\n;Anzahl;Anzahl\nBaden-Württemberg;11124642;11280257\nBayern;13176989;13369393\nBerlin;3677472;3755251\n__________;;\n',
    { delimiter: ';', heading: 4, columns: 'Column 1 | Anzahl | Anzahl_2', rows: 3 },
  ],
  'short lines, as Outlook writes them': [
    'First Name,Last Name,Phone,Notes\nAnna,Weiß,030 1,\nBert,Groß\nCarl,Lang,040 2\n',
    { delimiter: ',', heading: 1, columns: 'First Name | Last Name | Phone | Notes', rows: 3 },
  ],
  'delimiters behind the last column': [
    'Nr;Name;;\n1;A;;\n2;B;;\n3;C\n',
    { delimiter: ';', heading: 1, columns: 'Nr | Name', rows: 3 },
  ],
  'lines that are too long': [
    'Nr,Name\n1,A,x\n2,B,y\n',
    { delimiter: ',', heading: 1, columns: 'Nr | Name', rows: 0, rejected: 2 },
  ],
  'quotation marks behind a backslash': [
    'id,name,note\n1,"Anna \\"Ann\\" Weiß","ein \\"Zitat\\""\n2,"Bo","x"\n',
    { delimiter: ',', heading: 1, columns: 'id | name | note', rows: 2 },
  ],
  'row names of R between blanks': [
    '"mpg" "cyl" "name"\n"Mazda RX4" 21 6 "say \\"hi\\""\n"Datsun 710" 22.8 4 "b"\n',
    { delimiter: ' ', heading: 1, columns: 'Column 1 | mpg | cyl | name', rows: 2 },
  ],
  'row names of R that count one column': [
    '"x"\n"1",5\n"2",6\n"3",7\n',
    { delimiter: ',', heading: 1, columns: 'Column 1 | x', rows: 3, doubts: ['heading'] },
  ],
  'row names of R before an id, with decimal commas': [
    '"id";"price"\n"1";17;21,5\n"2";18;22,8\n"3";19;22,8\n',
    { delimiter: ';', heading: 1, columns: 'Column 1 | id | price', rows: 3 },
  ],
  'row names of R between tabs': [
    'mpg\tcyl\nMazda RX4\t21\t6\nDatsun 710\t22.8\t4\n',
    { delimiter: '\t', heading: 1, columns: 'Column 1 | mpg | cyl', rows: 2 },
  ],
  'decimal commas that cut prices, which are no row names': [
    'Nr,Price\n1,12,50\n2,8,00\n',
    { delimiter: ',', heading: 1, columns: 'Nr | Price', rows: 0, rejected: 2 },
  ],
  'commas of thousands that cut prices, which are no row names': [
    'Shop,Sales\nKern,1,234.50\nLang,2,100.00\n',
    { delimiter: ',', heading: 1, columns: 'Shop | Sales', rows: 0, rejected: 2 },
  ],
  'commas that cut names, which are no row names': [
    'Kunden-Nr,Betreuer,Ort\n1,Kern, Eva,Ulm\n2,Lang, Kim,Bonn\n',
    { delimiter: ',', heading: 1, columns: 'Kunden-Nr | Betreuer | Ort', rows: 0, rejected: 2 },
  ],
  'a last column without a name, which are no row names': [
    'Nr;Artikel\n1;Schraube;x\n2;Mutter;y\n',
    { delimiter: ';', heading: 1, columns: 'Nr | Artikel', rows: 0, rejected: 2 },
  ],
  'a blank name in quotation marks above nothing': [
    '"Datum"|""\n"2026-01-01"|""\n"2026-01-02"|\n',
    { delimiter: '|', heading: 1, columns: 'Datum', rows: 2 },
  ],
  'cells of blanks and of blanks that do not break': [
    'Nr;Menge\n1;5\n2;\u00a0\n3; \n',
    { delimiter: ';', heading: 1, columns: 'Nr | Menge', rows: 3 },
  ],
};

describe('how a file is read', () => {
  it.each(Object.entries(FILES))('%s', async (_name, [text, reading]) => {
    const file = await readTable(Buffer.from(text), {});
    expect(seen(file)).toEqual({ rejected: 0, doubts: [], ...reading });
  });

  it('takes back slashes away from quotation marks, and reads days with the name of a month', async () => {
    const text =
      'Wer,Wann\n"Anna \\"Ann\\"",8 Apr 2024\nBo,12. Mai 2024\nCy,3 août 2024\nDi,"March 5, 2024"\n';
    const file = await readTable(Buffer.from(text), {});
    expect(file.columns.map((column) => suggestKind(column).kind)).toEqual(['String', 'DateTime']);
    const [, when] = file.columns;
    const reader = when?.guess.readerFor({ kind: 'DateTime', options: { only: 'date' } });
    const days: unknown[] = [];
    for await (const { records } of file.read())
      for (const record of records)
        if ('fields' in record) days.push([record.fields[0], reader?.(record.fields[1] ?? '')]);
    expect(days).toEqual([
      ['Anna "Ann"', '2024-04-08'],
      ['Bo', '2024-05-12'],
      ['Cy', '2024-08-03'],
      ['Di', '2024-03-05'],
    ]);
  });

  it('is what the user says, without a doubt', async () => {
    const text = Buffer.from('milk,1,sold\negg,2,in stock\n');
    expect(await readTable(text, {})).toMatchObject({ headerLine: 0, lines: 2 });
    expect(await readTable(text, { headerLine: 1 })).toMatchObject({ headerLine: 1, lines: 1, doubts: [] });
    expect(await readTable(text, { delimiter: '\n', headerLine: 0 })).toMatchObject({ lines: 2, doubts: [] });
  });

  it('is seen behind a preamble that is longer than the lines whose delimiters are compared', async () => {
    const preamble = Array.from({ length: 320 }, (_, at) => `Hinweis ${at + 1} zur Lieferung`);
    const rows = Array.from({ length: 70 }, (_, at) => `${at};Größmann ${at};Ulm;${at * 7},50`);
    const text = [...preamble, '', 'Nr;Name;Ort;Betrag', ...rows].join('\r\n');
    expect(seen(await readTable(Buffer.from(text), {}))).toEqual({
      ...{ delimiter: ';', heading: 322, columns: 'Nr | Name | Ort | Betrag', rows: 70 },
      ...{ rejected: 0, doubts: [] },
    });
  });

  it('can be named behind a preamble of any length, and not behind the end of the file', async () => {
    const preamble = Array.from({ length: 700 }, (_, at) => `Hinweis ${at + 1} zur Lieferung`);
    const rows = Array.from({ length: 900 }, (_, at) => `K-${at};Größmann ${at};Ulm`);
    const text = Buffer.from([...preamble, 'Nr;Name;Ort', ...rows].join('\r\n'));
    const file = await readTable(text, { delimiter: ';', headerLine: 701 });
    expect(file.columns.map(({ header }) => header)).toEqual(['Nr', 'Name', 'Ort']);
    expect([file.headerLine, file.lines]).toEqual([701, 900]);
    await expect(readTable(Buffer.from('Nr;Name\n1;Ulm\n'), { headerLine: 9 })).rejects.toThrow(
      'The file has no line 9. Choose an earlier one as the line with the names of columns.',
    );
  });
});

it('is found soon among many cells that begin with a digit', () => {
  const rows = Array.from({ length: 500 }, (_row, line) =>
    Array.from({ length: 300 }, (_cell, at) => `${(line * 7 + at) % 24} kg`),
  );
  const before = process.cpuUsage();
  findHeading(rows);
  expect(process.cpuUsage(before).user / 1000).toBeLessThan(5000);
});

it('does not look for signs at the end of a cell that is too long for a name', () => {
  const began = performance.now();
  const rows = [
    ['Alpha One', `${'.'.repeat(200_000)}x`],
    ['Beta Two', 'five'],
    ['Gamma', 'six seven'],
  ];
  expect(findHeading(rows)).toMatchObject({ at: 0 });
  // Quadratic, it takes half a minute.
  expect(performance.now() - began).toBeLessThan(3000);
});

const wild = new URL('../../../../../shared/data/wild-files/', import.meta.url);
const WILD: Readonly<Record<string, Reading>> = {
  'a1-semicolon-address.csv': { delimiter: ';', heading: 1, columns: 'Nr | Name | Adresse', rows: 3 },
  'a3-semicolon-two-decimals.csv': { delimiter: ';', heading: 1, columns: 'Artikel | EK | VK', rows: 3 },
  'a5-comma-with-semicolons.csv': { delimiter: ',', heading: 1, columns: 'Name | Ort | Farben', rows: 3 },
  'a7-one-column-addresses.csv': { delimiter: '\n', heading: 1, columns: 'Adresse', rows: 3 },
  'd1-no-heading.csv': {
    delimiter: ',',
    heading: 0,
    columns: 'Column 1 | Column 2 | Column 3',
    rows: 3,
    doubts: ['heading'],
  },
  'd2-title-and-years.xlsx': { delimiter: '', heading: 3, columns: 'Ort | 2022 | 2023 | 2024', rows: 2 },
  'd4-bank-preamble.csv': {
    delimiter: ';',
    heading: 5,
    columns: 'Buchungstag | Wertstellung (Valuta) | Vorgang | Buchungstext | Umsatz in EUR',
    rows: 2,
  },
  'e1-blank-in-number-column.csv': { delimiter: ';', heading: 1, columns: 'Nr | Menge | Ort', rows: 3 },
  'e3-heading-ends-with-separator.csv': { delimiter: ';', heading: 1, columns: 'Nr | Name', rows: 2 },
};

describe.runIf(existsSync(wild))('files that were found in offices', () => {
  it.each(Object.entries(WILD))('%s', async (name, reading) => {
    const file = await readTable(await readFile(new URL(name, wild)), {});
    expect(seen(file)).toEqual({ rejected: 0, doubts: [], ...reading });
  });

  it('name the other sheet that holds rows', async () => {
    const file = await readTable(await readFile(new URL('f3-two-sheets.xlsx', wild)), {});
    expect([file.source.sheet, file.lines, file.otherSheets]).toEqual(['Januar', 1, ['Februar']]);
  });
});

it('the delimiter of a text of signs alone is guessed in linear time', () => {
  for (const piece of ['\r', '\u2028', '-\r', '-', '- ', '|-']) {
    const text = `${piece.repeat(65_536 / piece.length)}x`;
    const before = process.cpuUsage();
    guessDelimiter(text);
    // Some 20 were measured, and thousands where each sign may begin a line.
    expect(process.cpuUsage(before).user / 1000, JSON.stringify(piece)).toBeLessThan(1000);
  }
});

it('a table of R with a long value of blanks is read in linear time', async () => {
  const text = Buffer.from(`"a" "b"\n"x" 1 2\n"y${' '.repeat(60_000)}" 3 4\n`);
  const before = process.cpuUsage();
  expect(await readTable(text, {})).toMatchObject({ source: { delimiter: ' ' }, lines: 2 });
  // Some 100 were measured, and 6,000 where each blank may begin padding.
  expect(process.cpuUsage(before).user / 1000).toBeLessThan(2000);
});

describe('cells of a table that a program drew', () => {
  const rowsOf = async (csv: string): Promise<readonly (readonly string[])[]> => {
    const { columns, read, source } = await readTable(Buffer.from(csv), { sums: 'out' });
    const rows = [columns.map(({ header }) => header)];
    for await (const { records } of read())
      for (const record of records)
        if ('fields' in record)
          rows.push(columns.map(({ index }) => source.text(record.fields[index] ?? '')));
    return rows;
  };
  const TABLE = [
    ['Nr', 'Name'],
    ['1', 'Müller'],
    ['2', 'Weiß'],
  ];

  it.each([
    ['psql', ' Nr |  Name  \n----+--------\n 1  | Müller\n 2  | Weiß\n(2 rows)\n'],
    ['Org-mode', '| Nr | Name   |\n|----+--------|\n|  1 | Müller |\n|  2 | Weiß   |\n'],
    ['Markdown', '| Nr | Name |\n|----|------|\n| 1 | Müller |\n| 2 | Weiß |\n'],
    [
      'MySQL',
      '+----+--------+\n| Nr | Name   |\n+----+--------+\n|  1 | Müller |\n|  2 | Weiß   |\n+----+--------+\n',
    ],
    ['blanks behind commas', 'Nr, Name\n1, Müller\n2, Weiß\n'],
    ['blanks before quotation marks', 'Nr, "Name"\n1, "Müller"\n2, "Weiß"\n'],
    ['blanks before all quotation marks', '"Nr"; "Name"\n"1"; "Müller"\n"2"; "Weiß"\n'],
    ['blanks before some quotation marks', 'Nr, Name\n1, "Müller"\n2, Weiß\n'],
  ])('are without its lines and blanks: %s', async (_name, csv) => {
    expect(await rowsOf(csv)).toEqual(TABLE);
  });

  it('have delimiters, line ends and blanks within quotation marks behind blanks', async () => {
    const [first, second] = ['Kern, ""Ulm"", "', 'Weiß\n, "'].map((text) => `${text}"`);
    const long = '1, "x", "y"\n'.repeat(9000);
    const csv = `Nr, "Name", "Town"\n${long}2, "${first}", " Bonn"\n3, "${second}", "Kiel" \n`;
    const rows = await rowsOf(csv);
    expect(new Set(rows.slice(1, 9001).map((row) => row.join('|')))).toEqual(new Set(['1|x|y']));
    expect(rows.slice(9001)).toEqual([
      ['2', 'Kern, "Ulm", "', ' Bonn'],
      ['3', 'Weiß\n, "', 'Kiel'],
    ]);
  });

  it('keep quotation marks behind a blank that do not enclose the value', async () => {
    expect(await rowsOf('Nr,Name\n1, "the younger" Kern\n2,Weiß\n')).toEqual([
      ['Nr', 'Name'],
      ['1', ' "the younger" Kern'],
      ['2', 'Weiß'],
    ]);
  });

  it.each(['Nr;Name\n1; Müller\n2;Weiß\n', 'Nr; Name\n1;" Müller"\n2; Weiß\n'])(
    'keep blanks that not all have, or that are quoted: %j',
    async (csv) => {
      expect((await rowsOf(csv))[1]).toEqual(['1', ' Müller']);
    },
  );
});

describe('times without a zone', () => {
  afterEach(() => void vi.unstubAllEnvs());
  const kindOf = async (cells: readonly string[]): Promise<unknown> => {
    vi.stubEnv('TZ', 'Europe/Berlin');
    const { columns } = await readTable(
      Buffer.from(`Nr;Zeit\n${cells.map((each) => `1;${each}\n`).join('')}`),
      {},
    );
    return columns.map((column) => suggestKind(column).kind)[1];
  };

  it('are texts where the clock never shows one, as summer time skips it', async () => {
    expect(await kindOf(['31.03.2024 01:59', '31.03.2024 02:30', '31.03.2024 03:00'])).toBe('String');
    expect(await kindOf(['2026-03-29T02:00:00', '2026-03-29T03:00:00'])).toBe('String');
  });

  it('are times where it shows all, also one twice', async () => {
    expect(await kindOf(['31.03.2024 01:59', '31.03.2024 03:00:00'])).toBe('DateTime');
    expect(await kindOf(['2024-10-27 02:30', '1950-06-01 00:00', '2026-06-28 2:30'])).toBe('DateTime');
    expect(await kindOf(['2026-03-29T02:30:00Z', '2026-03-29T02:30:00+01:00'])).toBe('DateTime');
  });

  it.each([
    [['2026-01-16 10:00'], { dateOrder: 'DMY' }],
    [['2026-01-16 10:00'], { dateOrder: 'MDY' }],
    [['2026-01-16 10:00', '17.01.2026 11:00'], {}],
    [['16 Jan 2026 10:00', '2026-01-16T10:00:00'], {}],
  ] as const)(
    'are local in a list’s column of moments, whatever else proves or chooses another order: %j %j',
    async (cells, options) => {
      vi.stubEnv('TZ', 'Europe/Berlin');
      const file = await readTable(
        Buffer.from(`Nr;Zeit\n${cells.map((each) => `1;${each}\n`).join('')}`),
        options,
      );
      const read = file.columns[1]?.guess.readerFor({ kind: 'DateTime', options: {} });
      expect(cells.filter((cell) => cell.startsWith('2026')).map((cell) => read?.(cell))).toEqual([
        '2026-01-16T09:00:00Z',
      ]);
    },
  );

  it.each([
    [['3:16 PM', '11:05 am', '12:30 a.m.'], 'time', ['15:16:00', '11:05:00', '00:30:00']],
    [['3:16 p. m.', '03:16:05\u202fPM'], 'time', ['15:16:00', '15:16:05']],
    [['4/13/2026 12:00:00 AM', '4/6/2026 12:00 am'], 'date', ['2026-04-13', '2026-04-06']],
    [
      ['4/13/2026, 3:16:00 PM', '4/6/2026, 12:16:00 AM'],
      undefined,
      ['2026-04-13T15:16:00Z', '2026-04-06T00:16:00Z'],
    ],
    [
      ['Apr 8, 2024, 3:16 PM', '8. Mai 2024 09:30'],
      undefined,
      ['2024-04-08T15:16:00Z', '2024-05-08T09:30:00Z'],
    ],
    [
      ['2026-02-10 20:48:14.5+00', '2026-02-10 20:48-03'],
      undefined,
      ['2026-02-10T20:48:14.5Z', '2026-02-10T23:48:00Z'],
    ],
    [['13:16 PM', '0:30 AM'], 'none', []],
  ])(
    'are read with twelve hours, behind commas and in zones of whole hours: %j',
    async (cells, only, stored) => {
      vi.stubEnv('TZ', 'UTC');
      const file = await readTable(
        Buffer.from(`Nr;When\n${cells.map((each) => `1;${each}\n`).join('')}`),
        {},
      );
      const column = file.columns[1];
      const format = column?.guess.format();
      expect(cells.flatMap((cell) => format?.read(cell) ?? [])).toEqual(stored);
      expect(column && suggestKind(column).kind).toBe(only === 'none' ? 'String' : 'DateTime');
      expect(format?.only).toBe(only === 'none' ? undefined : only);
    },
  );
});
