import iconv from 'iconv-lite';

/** A file as an office has it, and how it goes into a new list. */
export interface OfficeFile {
  readonly text: string;
  /** UTF-8 where absent. */
  readonly encoding?: string;
  /** Names and kinds of the columns. */
  readonly columns: string;
  readonly rows: readonly string[];
  /** Kinds of the doubts that are named before anything goes in. */
  readonly doubts?: readonly string[];
  /** Lines that seem to be totals or footers. */
  readonly sums?: readonly number[];
}

/** CSV files with the layouts, number formats and encodings of office programs. */
export const OFFICE_FILES: Readonly<Record<string, OfficeFile>> = {
  'decimal commas between semicolons, commas in texts': {
    text: 'Artikelnr;Bezeichnung;EK netto;VK brutto\n1001;Schraube M4, verzinkt;0,12;0,25\n1002;Mutter M4;0,08;0,19\n1003;Winkel 40x40, 2 Loch;1,05;2,49\n',
    columns: 'Artikelnr: Number | Bezeichnung: String | EK netto: Number | VK brutto: Number',
    rows: [
      '1001 | Schraube M4, verzinkt | 0.12 | 0.25',
      '1002 | Mutter M4 | 0.08 | 0.19',
      '1003 | Winkel 40x40, 2 Loch | 1.05 | 2.49',
    ],
  },
  'French addresses with commas, thousands with blanks': {
    text: 'Nom;Adresse;Code postal;Ville;CA\nDupont;12, rue de la Paix;75002;Paris;1 234,50\nMartin;5, avenue Foch;69006;Lyon;987,00\n',
    columns: 'Nom: String | Adresse: String | Code postal: Number | Ville: String | CA: Number',
    rows: [
      'Dupont | 12, rue de la Paix | 75002 | Paris | 1234.50',
      'Martin | 5, avenue Foch | 69006 | Lyon | 987.00',
    ],
  },
  'bars between columns, commas and semicolons in texts': {
    text: "id|name|amount\n1|O'Brien, Kevin|1,200.50\n2|Smith; John|300.00\n",
    columns: 'id: Number | name: String | amount: Number',
    rows: ["1 | O'Brien, Kevin | 1200.50", '2 | Smith; John | 300.00'],
  },
  'tabs, dollars and amounts in parentheses': {
    text: 'Name\tCity\tBalance\nAcme, Inc.\tNew York\t$1,234.56\nWidgets; Ltd\tBoston\t($55.00)\n',
    columns: 'Name: String | City: String | Balance: Number',
    rows: ['Acme, Inc. | New York | 1234.56', 'Widgets; Ltd | Boston | -55.00'],
  },
  'one column of mail addresses': {
    text: 'E-Mail\nanna@ulm.de\nbert@bonn.de\ncarla@koeln.de\n',
    columns: 'E-Mail: Email',
    rows: ['anna@ulm.de', 'bert@bonn.de', 'carla@koeln.de'],
  },
  'one column of addresses with commas': {
    text: 'Adresse\nHauptstr. 1, 10115 Berlin\nNebenstr. 2, 20095 Hamburg\nMarkt 3, 50667 Köln\n',
    columns: 'Adresse: String',
    rows: ['Hauptstr. 1, 10115 Berlin', 'Nebenstr. 2, 20095 Hamburg', 'Markt 3, 50667 Köln'],
  },
  'quotation marks around every cell, semicolons in texts': {
    text: '"Kunde";"Ort";"Umsatz"\n"Müller & Söhne; Bau";"Ulm";"1.234,00"\n"Huber ""der"" Wirt";"Graz";"12,50"\n',
    columns: 'Kunde: String | Ort: String | Umsatz: Number',
    rows: ['Müller & Söhne; Bau | Ulm | 1234.00', 'Huber "der" Wirt | Graz | 12.50'],
  },
  'thousands with blanks that nothing proves stay text': {
    text: 'Produkt;Menge\nA;1 200\nB;15 000\nC;700\n',
    columns: 'Produkt: String | Menge: String',
    rows: ['A | 1 200', 'B | 15 000', 'C | 700'],
  },
  'Swiss apostrophes between thousands': {
    text: "Artikel;Preis\nUhr;1'250.00\nRing;12'000.50\n",
    columns: 'Artikel: String | Preis: Number',
    rows: ['Uhr | 1250.00', 'Ring | 12000.50'],
  },
  'inhabitants with points in a comma file: a doubt': {
    text: 'Town,Population\nUlm,126.949\nBonn,331.885\nTrier,112.195\n',
    columns: 'Town: String | Population: Number',
    rows: ['Ulm | 126.949', 'Bonn | 331.885', 'Trier | 112.195'],
    doubts: ['numbers'],
  },
  'inhabitants with points beside decimal commas': {
    text: 'Ort;Einwohner;Anteil\nUlm;126.949;12,5\nBonn;331.885;33,1\n',
    columns: 'Ort: String | Einwohner: Number | Anteil: Number',
    rows: ['Ulm | 126949 | 12.5', 'Bonn | 331885 | 33.1'],
  },
  'points in a semicolon file without proof: a doubt': {
    text: 'Position;Wert\nA;1.234\nB;2.500\n',
    columns: 'Position: String | Wert: Number',
    rows: ['A | 1234', 'B | 2500'],
    doubts: ['numbers'],
  },
  'Indian groups of digits': {
    text: 'Item,Amount\nA,"1,23,456.00"\nB,"12,34,567.50"\n',
    columns: 'Item: String | Amount: Number',
    rows: ['A | 123456.00', 'B | 1234567.50'],
  },
  'minus signs behind amounts': {
    text: 'Konto;Saldo\n1200;1.234,56-\n1400;99,00\n1600;12,00-\n',
    columns: 'Konto: Number | Saldo: Number',
    rows: ['1200 | -1234.56', '1400 | 99.00', '1600 | -12.00'],
  },
  'discounts in percent': {
    text: 'Name;Rabatt\nA;5 %\nB;12,5 %\nC;0 %\n',
    columns: 'Name: String | Rabatt: Number',
    rows: ['A | 0.05', 'B | 0.125', 'C | 0'],
  },
  'prices with the sign of the euro': {
    text: 'Artikel;Preis\nA;12,50 €\nB;1.200,00 €\n',
    columns: 'Artikel: String | Preis: Number',
    rows: ['A | 12.50', 'B | 1200.00'],
  },
  'postal codes with leading zeros': {
    text: 'PLZ;Ort\n01067;Dresden\n99084;Erfurt\n04109;Leipzig\n',
    columns: 'PLZ: String | Ort: String',
    rows: ['01067 | Dresden', '99084 | Erfurt', '04109 | Leipzig'],
  },
  'phone numbers': {
    text: 'Name;Tel\nAnna;0731 1234\nBert;+49 30 5566\nCarla;0049-711-22\n',
    columns: 'Name: String | Tel: String',
    rows: ['Anna | 0731 1234', 'Bert | +49 30 5566', 'Carla | 0049-711-22'],
  },
  'addresses of a network beside inhabitants: a doubt about these': {
    text: 'Host\tIP\tUsers\nnas\t192.168.178.101\t1.250\nprinter\t192.168.178.102\t2.500\n',
    columns: 'Host: String | IP: String | Users: Number',
    rows: ['nas | 192.168.178.101 | 1.250', 'printer | 192.168.178.102 | 2.500'],
    doubts: ['numbers'],
  },
  'amounts beside months, which prove no points: a doubt': {
    text: 'Periode\tBetrag\n10.2026\t1.250\n11.2026\t2.500\n',
    columns: 'Periode: Number | Betrag: Number',
    rows: ['10.2026 | 1.250', '11.2026 | 2.500'],
    doubts: ['numbers'],
  },
  'numbers of twenty digits': {
    text: 'Id;Name\n12345678901234567890;Anna\n12345678901234567891;Bert\n',
    columns: 'Id: Number | Name: String',
    rows: ['12345678901234567890 | Anna', '12345678901234567891 | Bert'],
  },
  'article codes that look like powers of ten': {
    text: 'Code;Name\n1E5;Anna\n2E10;Bert\n3E7;Carla\n',
    columns: 'Code: String | Name: String',
    rows: ['1E5 | Anna', '2E10 | Bert', '3E7 | Carla'],
  },
  'German days, with years of four and of two digits': {
    text: 'Rechnung;Datum;Fällig\n1;01.02.2026;15.03.26\n2;28.02.2026;31.03.26\n',
    columns: 'Rechnung: Number | Datum: DateTime | Fällig: DateTime',
    rows: ['1 | 2026-02-01 | 2026-03-15', '2 | 2026-02-28 | 2026-03-31'],
  },
  'texts in apostrophes, in lists of a program': {
    text: "Nr;Tags\n1;['a', '-1', '+2']\n2;'@home', 'x'\n3;'-5'\n",
    columns: 'Nr: Number | Tags: String',
    rows: ["1 | ['a', '-1', '+2']", "2 | '@home', 'x'", "3 | '-5'"],
  },
  'a row with too many values below the first, without a heading: a doubt': {
    text: '1,Anna,x,12.50\n2,Bert,a,b,7.00\n3,Carla,c,1.00\n4,Dora,d,2.00\n5,Eva,e,3.00\n',
    columns: '2: Number | Bert: String | a: String | b: Number | 7.00: String',
    rows: ['3 | Carla | c | 1.00 | ', '4 | Dora | d | 2.00 | ', '5 | Eva | e | 3.00 | '],
    doubts: ['heading'],
  },
  'a first row that counts up, below fewer names: a doubt': {
    text: 'a,b\n1,2,3\n4,5,6\n7,8,9\n',
    columns: '1: Number | 2: Number | 3: Number',
    rows: ['4 | 5 | 6', '7 | 8 | 9'],
    doubts: ['heading'],
  },
  'years below names of groups: a doubt': {
    text: 'Kunde;Umsatz;;Kosten;\n;2025;2026;2025;2026\nKern;1;2;3;4\nWeiß;5;6;7;8\n',
    columns: 'Kunde: String | Umsatz: Number | Column 3: Number | Kosten: Number | Column 5: Number',
    rows: [' | 2025 | 2026 | 2025 | 2026', 'Kern | 1 | 2 | 3 | 4', 'Weiß | 5 | 6 | 7 | 8'],
    doubts: ['heading'],
  },
  'days whose order nothing proves stay text': {
    text: 'No,Date\n1,01/02/2026\n2,03/04/2026\n',
    columns: 'No: Number | Date: String',
    rows: ['1 | 01/02/2026', '2 | 03/04/2026'],
  },
  'American days': {
    text: 'No,Date\n1,01/31/2026\n2,03/04/2026\n',
    columns: 'No: Number | Date: DateTime',
    rows: ['1 | 2026-01-31', '2 | 2026-03-04'],
  },
  'moments with time zones': {
    text: 'No;Zeit\n1;2026-01-31T08:15:00Z\n2;2026-02-01T09:00:00+02:00\n',
    columns: 'No: Number | Zeit: DateTime',
    rows: ['1 | 2026-01-31T08:15:00Z', '2 | 2026-02-01T07:00:00Z'],
  },
  'days with German names of months': {
    text: 'Nr;Datum\n1;3. März 2026\n2;12. Dezember 2026\n',
    columns: 'Nr: Number | Datum: DateTime',
    rows: ['1 | 2026-03-03', '2 | 2026-12-12'],
  },
  'yes and no in German': {
    text: 'Name;Aktiv\nA;ja\nB;nein\nC;ja\n',
    columns: 'Name: String | Aktiv: Bool',
    rows: ['A | 1', 'B | ', 'C | 1'],
  },
  'answers of which some are missing': {
    text: 'Name;Sommerfest\nAbel;ja\nBär;nein\nCal;\nDorn;ja\n',
    columns: 'Name: String | Sommerfest: String',
    rows: ['Abel | ja', 'Bär | nein', 'Cal | ', 'Dorn | ja'],
  },
  'no heading above invoices: a doubt': {
    text: '1;Anna;Ulm;12,50\n2;Bert;Bonn;8,00\n3;Carla;Köln;19,90\n',
    columns: 'Column 1: Number | Column 2: String | Column 3: String | Column 4: Number',
    rows: ['1 | Anna | Ulm | 12.50', '2 | Bert | Bonn | 8.00', '3 | Carla | Köln | 19.90'],
    doubts: ['heading'],
  },
  'a title and a blank line above the heading': {
    text: 'Kundenliste Stand 01.11.2026\n\nNr;Name;Ort\n1;Anna;Ulm\n2;Bert;Bonn\n',
    columns: 'Nr: Number | Name: String | Ort: String',
    rows: ['1 | Anna | Ulm', '2 | Bert | Bonn'],
  },
  'account statement with a preamble of keys and values': {
    text: '"Umsatzanzeige";"Datei erstellt am: 01.11.2026"\n"IBAN";"DE02 1203 0000"\n"Kunde";"Anna Beispiel"\n"Saldo";"1.234,56 EUR"\n\n"Buchung";"Valuta";"Auftraggeber";"Betrag"\n"01.11.2026";"01.11.2026";"Stadtwerke";"-55,00"\n"02.11.2026";"02.11.2026";"Gehalt";"2.500,00"\n',
    columns: 'Buchung: DateTime | Valuta: DateTime | Auftraggeber: String | Betrag: Number',
    rows: ['2026-11-01 | 2026-11-01 | Stadtwerke | -55.00', '2026-11-02 | 2026-11-02 | Gehalt | 2500.00'],
  },
  'bookkeeping export with a technical first line': {
    text: '"EXTF";700;21;"Buchungsstapel";12;20261101;;"RE";"";"";1001;10000;20260101;4;20261101;20261130\nUmsatz;Soll/Haben;Konto;Gegenkonto;Belegdatum;Buchungstext\n119,00;S;8400;10000;0111;"Miete"\n59,50;H;8400;10001;0211;"Strom"\n',
    columns:
      'Umsatz: Number | Soll/Haben: String | Konto: Number | Gegenkonto: Number | Belegdatum: String | Buchungstext: String',
    rows: ['119.00 | S | 8400 | 10000 | 0111 | Miete', '59.50 | H | 8400 | 10001 | 0211 | Strom'],
  },
  'a title above years': {
    text: 'Umsatz nach Jahr\nFiliale;2023;2024;2025\nUlm;100;120;130\nBonn;90;95;99\n',
    columns: 'Filiale: String | 2023: Number | 2024: Number | 2025: Number',
    rows: ['Ulm | 100 | 120 | 130', 'Bonn | 90 | 95 | 99'],
  },
  'years as names of columns': {
    text: 'Filiale,2023,2024,2025\nUlm,100,120,130\nBonn,90,95,99\n',
    columns: 'Filiale: String | 2023: Number | 2024: Number | 2025: Number',
    rows: ['Ulm | 100 | 120 | 130', 'Bonn | 90 | 95 | 99'],
  },
  'a semicolon behind every line': {
    text: 'Nr;Name;Ort;\n1;Anna;Ulm;\n2;Bert;Bonn;\n',
    columns: 'Nr: Number | Name: String | Ort: String',
    rows: ['1 | Anna | Ulm', '2 | Bert | Bonn'],
  },
  'lines that leave out trailing empty cells': {
    text: 'Name,Mail,Tel,Fax\nAnna,a@x.de\nBert,b@x.de,0731\nCarla,c@x.de,030,031\n',
    columns: 'Name: String | Mail: Email | Tel: String | Fax: String',
    rows: ['Anna | a@x.de |  | ', 'Bert | b@x.de | 0731 | ', 'Carla | c@x.de | 030 | 031'],
  },
  'a total below the rows': {
    text: 'Nr;Name;Betrag\n1;Anna;100,00\n2;Bert;50,00\nSumme;;150,00\n',
    columns: 'Nr: String | Name: String | Betrag: Number',
    rows: ['1 | Anna | 100.00', '2 | Bert | 50.00', 'Summe |  | 150.00'],
    sums: [4],
  },
  'a count of rows below the rows': {
    text: 'Id,Name\n1,Anna\n2,Bert\n3,Carla\n(3 rows)\n',
    columns: 'Id: String | Name: String',
    rows: ['1 | Anna', '2 | Bert', '3 | Carla', '(3 rows) | '],
    sums: [5],
  },
  'comment lines above the heading': {
    text: '# exported 2026-11-01\n# by shop\nid,name\n1,Anna\n2,Bert\n',
    columns: 'id: Number | name: String',
    rows: ['1 | Anna', '2 | Bert'],
  },
  'a first line that names the delimiter': {
    text: 'sep=;\r\nNr;Name\r\n1;Anna\r\n',
    columns: 'Nr: Number | Name: String',
    rows: ['1 | Anna'],
  },
  'quotation marks behind backslashes': {
    text: '"id","note"\n"1","He said \\"hi\\", ok"\n"2","back\\\\slash"\n"7",\\N\n',
    columns: 'id: Number | note: String',
    rows: ['1 | He said "hi", ok', '2 | back\\\\slash', '7 | '],
  },
  'a line break inside of a cell': {
    text: 'Nr;Notiz\r\n1;"Zeile 1\r\nZeile 2"\r\n2;"ok"\r\n',
    columns: 'Nr: Number | Notiz: String',
    rows: ['1 | Zeile 1\r\nZeile 2', '2 | ok'],
  },
  'lines that end as on an old Mac': {
    text: 'Nr;Name\r1;Anna\r2;Bert\r',
    columns: 'Nr: Number | Name: String',
    rows: ['1 | Anna', '2 | Bert'],
  },
  'German in Windows-1252': {
    text: 'Nr;Name;Straße\n1;Müller;Königstraße 1\n2;Weiß;Öhringer Weg\n',
    encoding: 'windows-1252',
    columns: 'Nr: Number | Name: String | Straße: String',
    rows: ['1 | Müller | Königstraße 1', '2 | Weiß | Öhringer Weg'],
  },
  'German in Mac Roman': {
    text: 'Nr;Name;Straße\r1;Müller;Königstraße 1\r2;Weiß;Öhringer Weg\r',
    encoding: 'macintosh',
    columns: 'Nr: Number | Name: String | Straße: String',
    rows: ['1 | Müller | Königstraße 1', '2 | Weiß | Öhringer Weg'],
  },
  'German in DOS 850': {
    text: 'Nr;Name;Strasse\r\n1;Müller;Königstraße\r\n2;Jäger;Süßweg\r\n',
    encoding: 'cp850',
    columns: 'Nr: Number | Name: String | Strasse: String',
    rows: ['1 | Müller | Königstraße', '2 | Jäger | Süßweg'],
  },
  'Russian in Windows-1251': {
    text: 'Номер;Имя;Город\n1;Иван;Москва\n2;Пётр;Казань\n',
    encoding: 'windows-1251',
    columns: 'Номер: Number | Имя: String | Город: String',
    rows: ['1 | Иван | Москва', '2 | Пётр | Казань'],
  },
  'short Japanese in Shift_JIS': {
    text: '番号,名前,住所\n1,山田太郎,東京都千代田区\n2,鈴木花子,大阪市\n',
    encoding: 'Shift_JIS',
    columns: '番号: Number | 名前: String | 住所: String',
    rows: ['1 | 山田太郎 | 東京都千代田区', '2 | 鈴木花子 | 大阪市'],
  },
  'UTF-16 with tabs': {
    text: 'Nr\tName\tOrt\r\n1\tMüller\tKöln\r\n',
    encoding: 'UTF-16LE',
    columns: 'Nr: Number | Name: String | Ort: String',
    rows: ['1 | Müller | Köln'],
  },
  'Chinese in Big5': {
    text: '編號,姓名,城市\n1,王小明,臺北市\n2,陳美麗,高雄市\n',
    encoding: 'Big5',
    columns: '編號: Number | 姓名: String | 城市: String',
    rows: ['1 | 王小明 | 臺北市', '2 | 陳美麗 | 高雄市'],
  },
  'Greek in Windows-1253': {
    text: 'Α/Α;Όνομα;Πόλη\n1;Γιώργος;Αθήνα\n2;Μαρία;Πάτρα\n',
    encoding: 'windows-1253',
    columns: 'Α/Α: Number | Όνομα: String | Πόλη: String',
    rows: ['1 | Γιώργος | Αθήνα', '2 | Μαρία | Πάτρα'],
  },
  'short Turkish in Windows-1254: a doubt': {
    text: 'No;Ad;Şehir\n1;Çağrı;İstanbul\n2;Gülşen;İzmir\n',
    encoding: 'windows-1254',
    columns: 'No: Number | Ad: String | Şehir: String',
    rows: ['1 | Çağrı | İstanbul', '2 | Gülşen | İzmir'],
    doubts: ['encoding'],
  },
  'Hebrew in Windows-1255': {
    text: 'מספר,שם,עיר\n1,דוד,ירושלים\n2,שרה,חיפה\n',
    encoding: 'windows-1255',
    columns: 'מספר: Number | שם: String | עיר: String',
    rows: ['1 | דוד | ירושלים', '2 | שרה | חיפה'],
    // So few words are Cyrillic ones as well.
    doubts: ['encoding'],
  },
  'Polish in ISO-8859-2': {
    text: 'Nr;Nazwa;Miasto\n1;Żółty Słoń;Łódź\n2;Gęś;Kraków\n',
    encoding: 'ISO-8859-2',
    columns: 'Nr: Number | Nazwa: String | Miasto: String',
    rows: ['1 | Żółty Słoń | Łódź', '2 | Gęś | Kraków'],
  },
  'Korean in EUC-KR': {
    text: '번호,이름,도시\n1,김철수,서울\n2,이영희,부산\n',
    encoding: 'EUC-KR',
    columns: '번호: Number | 이름: String | 도시: String',
    rows: ['1 | 김철수 | 서울', '2 | 이영희 | 부산'],
  },
  'Chinese in GB18030': {
    text: '编号,姓名,城市\n1,王伟,北京市\n2,李娜,上海市\n',
    encoding: 'GB18030',
    columns: '编号: Number | 姓名: String | 城市: String',
    rows: ['1 | 王伟 | 北京市', '2 | 李娜 | 上海市'],
  },
  'two columns of the same name': {
    text: 'Name;Ort;Name\nA;Ulm;B\nC;Bonn;D\n',
    columns: 'Name: String | Ort: String | Name_2: String',
    rows: ['A | Ulm | B', 'C | Bonn | D'],
  },
  'a column without a name': {
    text: 'Nr;;Ort\n1;x;Ulm\n2;y;Bonn\n',
    columns: 'Nr: Number | Column 2: String | Ort: String',
    rows: ['1 | x | Ulm', '2 | y | Bonn'],
  },
  'inch signs in article names': {
    text: 'Artikel;Größe\nMonitor 24";schwarz\nKabel 3";rot\nRohr 1/2";blau\n',
    columns: 'Artikel: String | Größe: String',
    rows: ['Monitor 24" | schwarz', 'Kabel 3" | rot', 'Rohr 1/2" | blau'],
  },
  'digits that a formula keeps from a spreadsheet': {
    text: 'Kunde;Artikel;PLZ\nMeyer;="01067";"=""00501"""\nWeiß;="2/14 ""rot""";="90210"\n',
    columns: 'Kunde: String | Artikel: String | PLZ: String',
    rows: ['Meyer | 01067 | 00501', 'Weiß | 2/14 "rot" | 90210'],
  },
  'digits behind an apostrophe': {
    text: "Kunde;PLZ\nMeyer;'01067\nWeiß;'01069\nKern;20095\n",
    columns: 'Kunde: String | PLZ: String',
    rows: ['Meyer | 01067', 'Weiß | 01069', 'Kern | 20095'],
  },
  'a line about the account above rows without names': {
    text: 'Girokonto;Girokonto;****4303;12.11.2024;;1251,55\n02.04.2024;Miete;Kern GmbH;;;-800,00\n03.04.2024;Strom;Werk;;;-90,10\n',
    columns:
      'Girokonto: DateTime | Girokonto_2: String | ****4303: String | 12.11.2024: String | 1251,55: Number',
    rows: ['2024-04-02 | Miete | Kern GmbH |  | -800.00', '2024-04-03 | Strom | Werk |  | -90.10'],
    doubts: ['heading'],
  },
  'JSON with commas in cells': {
    text: 'id;data\n1;{"a":1,"b":2}\n2;{"a":3,"b":4}\n',
    columns: 'id: Number | data: String',
    rows: ['1 | {"a":1,"b":2}', '2 | {"a":3,"b":4}'],
  },
  'blanks in columns of numbers and days': {
    text: 'Name;Menge;Datum\nA;5; \nB; ;01.02.2026\nC;7;02.02.2026\n',
    columns: 'Name: String | Menge: Number | Datum: DateTime',
    rows: ['A | 5 | ', 'B |  | 2026-02-01', 'C | 7 | 2026-02-02'],
  },
  'thousands with blanks that do not break': {
    text: 'Name;Preis\nA;1\u00a0200,50\nB;3\u202f400,00\n',
    columns: 'Name: String | Preis: Number',
    rows: ['A | 1200.50', 'B | 3400.00'],
  },
  'totals between the rows': {
    text: 'Filiale;Umsatz\nUlm;10\nBonn;20\nSumme West;30\nKiel;5\nSumme Nord;5\nGesamt;35\n',
    columns: 'Filiale: String | Umsatz: Number',
    rows: ['Ulm | 10', 'Bonn | 20', 'Summe West | 30', 'Kiel | 5', 'Summe Nord | 5', 'Gesamt | 35'],
    sums: [4, 6, 7],
  },
  'decimal commas between tabs': {
    text: 'Artikel\tA\tB\nX\t1,5\t2,5\nY\t3,5\t4,5\n',
    columns: 'Artikel: String | A: Number | B: Number',
    rows: ['X | 1.5 | 2.5', 'Y | 3.5 | 4.5'],
  },
  'tags with semicolons in a comma file': {
    text: 'Name,Tags\nA,"x;y;z"\nB,"p;q;r"\nC,"s;t;u"\n',
    columns: 'Name: String | Tags: String',
    rows: ['A | x;y;z', 'B | p;q;r', 'C | s;t;u'],
  },
  'whole lines in quotation marks, as a spreadsheet with other delimiters saves them': {
    text: 'Nr,Name,Ort\n"1,""Kern, Hans"",Ulm"\n2,Auer,Bonn\n"3,""Zoll, """"Z"""""",Köln"\n',
    columns: 'Nr: Number | Name: String | Ort: String',
    rows: ['1 | Kern, Hans | Ulm', '2 | Auer | Bonn', '3 | Zoll, "Z" | Köln'],
  },
  'nearly all lines in quotation marks': {
    text: 'Nr,Name,Ort\n"1,""Kern, Hans"",Ulm"\n"2,""Auer, Eva"",Bonn"\n"3,""Zoll, Udo"",Köln"\n',
    columns: 'Nr: Number | Name: String | Ort: String',
    rows: ['1 | Kern, Hans | Ulm', '2 | Auer, Eva | Bonn', '3 | Zoll, Udo | Köln'],
  },
  'a section in quotation marks, with as many commas as columns': {
    text: 'Nr,Name,Ort\n1,Mutter,Ulm\n"Schrauben, Muttern, Bolzen"\n2,Bolzen,Bonn\n',
    columns: 'Nr: String | Name: String | Ort: String',
    rows: ['1 | Mutter | Ulm', 'Schrauben, Muttern, Bolzen |  | ', '2 | Bolzen | Bonn'],
  },
  'totals that stars name, between dashes and bars': {
    text: '---------------------------\n|Konto  |Datum     |    Betrag|\n---------------------------\n|0000400|01.12.2025|    100,00|\n|0000400|02.12.2025|    200,00|\n---------------------------\n|*      |          |    300,00|\n---------------------------\n|0000410|03.12.2025|     50,00|\n|0000410|04.12.2025|     70,00-|\n---------------------------\n|*      |          |     20,00-|\n---------------------------\n|**     |          |    280,00|\n---------------------------\n',
    columns: 'Konto: String | Datum: DateTime | Betrag: Number',
    rows: [
      '0000400 | 2025-12-01 | 100.00',
      '0000400 | 2025-12-02 | 200.00',
      '* |  | 300.00',
      '0000410 | 2025-12-03 | 50.00',
      '0000410 | 2025-12-04 | -70.00',
      '* |  | -20.00',
      '** |  | 280.00',
    ],
    sums: [7, 12, 14],
  },
  'a total that a star names, beside its currency': {
    text: '\tBuKr\tBetrag\tWährung\n\t1000\t10,00\tEUR\n\t1000\t12,00-\tEUR\n\t1000\t5,00\tEUR\n*\t\t3,00\tEUR\n',
    columns: 'Column 1: String | BuKr: Number | Betrag: Number | Währung: String',
    rows: [' | 1000 | 10.00 | EUR', ' | 1000 | -12.00 | EUR', ' | 1000 | 5.00 | EUR', '* |  | 3.00 | EUR'],
    sums: [5],
  },
  'columns padded between bars': {
    text: '-----------------------------------\n| MATNR         |NAME        | KZ  |\n|---------------|------------|-----|\n| 0000000000123 |Pumpe, 12 V | X   |\n| 0000000000124 |Rad         |     |\n-----------------------------------\n',
    columns: 'MATNR: String | NAME: String | KZ: String',
    rows: ['0000000000123 | Pumpe, 12 V | X', '0000000000124 | Rad | '],
  },
  'stars as a rating': {
    text: 'Sterne;Anzahl\n*;3\n**;3\n***;6\n',
    columns: 'Sterne: String | Anzahl: Number',
    rows: ['* | 3', '** | 3', '*** | 6'],
  },
  'net, tax and gross below an invoice': {
    text: 'Pos;Text;Betrag\n1;Beratung;100,00\n2;Fahrt;50,00\n;Netto;150,00\n;MwSt 19 %;28,50\n;Brutto;178,50\n',
    columns: 'Pos: Number | Text: String | Betrag: Number',
    rows: [
      '1 | Beratung | 100.00',
      '2 | Fahrt | 50.00',
      ' | Netto | 150.00',
      ' | MwSt 19 % | 28.50',
      ' | Brutto | 178.50',
    ],
    sums: [4, 5, 6],
  },
  'net, tax and gross as rows': {
    text: 'Position;Betrag\nNetto;100,00\nMwSt 19 %;19,00\nBrutto;119,00\n',
    columns: 'Position: String | Betrag: Number',
    rows: ['Netto | 100.00', 'MwSt 19 % | 19.00', 'Brutto | 119.00'],
  },
  'a long sentence below blank lines': {
    text: 'Datum;Text;Betrag\n31.12.2025;Zins;1,50\n30.12.2025;Miete;-95,00\n29.12.2025;Gehalt;2.000,00\n\nDisclaimer:\nDer Dokumentinhalt wurde durch Filtereinstellungen der Kundin bzw. des Kunden generiert, ohne Gewähr.\n',
    columns: 'Datum: String | Text: String | Betrag: Number',
    rows: [
      '31.12.2025 | Zins | 1.50',
      '30.12.2025 | Miete | -95.00',
      '29.12.2025 | Gehalt | 2000.00',
      'Disclaimer: |  | ',
      'Der Dokumentinhalt wurde durch Filtereinstellungen der Kundin bzw. des Kunden generiert, ohne Gewähr. |  | ',
    ],
    sums: [6, 7],
  },
  'blank lines between all rows': {
    text: 'Name;Tel;Ort\nKern;1;Ulm\n\nAuer;2;Bonn\n\nZoll;;\n',
    columns: 'Name: String | Tel: Number | Ort: String',
    rows: ['Kern | 1 | Ulm', 'Auer | 2 | Bonn', 'Zoll |  | '],
  },
  'units below the names': {
    text: 'Nr;Gewicht;Länge\n;[kg];mm\n1;1,5;200\n2;2,25;1.200\n3;0,10;35\n',
    columns: 'Nr: Number | Gewicht: String | Länge: String',
    rows: [' | [kg] | mm', '1 | 1,5 | 200', '2 | 2,25 | 1.200', '3 | 0,10 | 35'],
    sums: [2],
  },
  'discounts with points beside decimal commas': {
    text: 'Nr;Skonto;Saldo\n1;1.200;12,50\n2;1.400;1.250,00\n',
    columns: 'Nr: Number | Skonto: Number | Saldo: Number',
    rows: ['1 | 1200 | 12.50', '2 | 1400 | 1250.00'],
  },
  'accounts and chapters with points beside decimal commas': {
    text: 'Konto;OZ;Telefon;Saldo\n1.200;1.001;731.123.456;12,50\n1.400;1.002;899.998.877;1.250,00\n8.400;2.010;300.111.222;99,00\n',
    columns: 'Konto: String | OZ: String | Telefon: String | Saldo: Number',
    rows: [
      '1.200 | 1.001 | 731.123.456 | 12.50',
      '1.400 | 1.002 | 899.998.877 | 1250.00',
      '8.400 | 2.010 | 300.111.222 | 99.00',
    ],
  },
  'numbers of invoices, parts and chapters that look like days': {
    text: 'Rechnungs-Nr.;Artikelnummer;N° pièce;OZ;Position;Datum;Numéro\n2026/1/17;10.12.1001;17-01-2026;01.01.2010;01.01.0010;2026/1/17;2026-01-17\n2026/1/18;11.12.1002;18-01-2026;01.01.2020;01.01.0020;2026/1/18;2026-01-18\n',
    columns:
      'Rechnungs-Nr.: String | Artikelnummer: String | N° pièce: String | OZ: String | Position: String | Datum: DateTime | Numéro: DateTime',
    rows: [
      '2026/1/17 | 10.12.1001 | 17-01-2026 | 01.01.2010 | 01.01.0010 | 2026-01-17 | 2026-01-17',
      '2026/1/18 | 11.12.1002 | 18-01-2026 | 01.01.2020 | 01.01.0020 | 2026-01-18 | 2026-01-18',
    ],
  },
  'Norway and Slovenia, and yes and no': {
    text: 'Kunde;Land;Activo;Sprache\nA;NO;NO;no\nB;SI;SI;si\n',
    columns: 'Kunde: String | Land: String | Activo: Bool | Sprache: String',
    rows: ['A | NO |  | no', 'B | SI | 1 | si'],
  },
  'days of the calendars of Thailand and Iran': {
    text: 'วันที่,تاریخ,ISO\n31/01/2569,1404/11/11,1404-11-11\n05/02/2569,1404/11/12,1404-11-12\n',
    columns: 'วันที่: String | تاریخ: String | ISO: DateTime',
    rows: ['31/01/2569 | 1404/11/11 | 1404-11-11', '05/02/2569 | 1404/11/12 | 1404-11-12'],
  },
  'yen, which have no decimals': {
    text: '品名,価格\n机,"¥12,000"\n椅子,"¥5,500"\n棚,¥800\n',
    columns: '品名: String | 価格: Number',
    rows: ['机 | 12000', '椅子 | 5500', '棚 | 800'],
  },
  'days as in Japan and Hungary': {
    text: 'Name,Date,Day\nA,2025/12/31,2025.12.31\nB,2026/1/2,2026.01.02\n',
    columns: 'Name: String | Date: DateTime | Day: DateTime',
    rows: ['A | 2025-12-31 | 2025-12-31', 'B | 2026-01-02 | 2026-01-02'],
  },
  'plus signs before amounts and telephone numbers': {
    text: 'Text;Betrag;Tel\nGehalt;+3.450,00;+49731123\nMiete;-950,00;+4312345\nZins;+0,12;+41791234567\n',
    columns: 'Text: String | Betrag: Number | Tel: String',
    rows: ['Gehalt | 3450.00 | +49731123', 'Miete | -950.00 | +4312345', 'Zins | 0.12 | +41791234567'],
  },
  'values in apostrophes, as SQLite writes them': {
    text: "'Nr','Name','Ort'\n1,'Kern, Hans','Ulm'\n2,'O''Neil \"Jr.\"','Bonn'\n3,'Weiß','Köln, Süd'\n",
    columns: 'Nr: Number | Name: String | Ort: String',
    rows: ['1 | Kern, Hans | Ulm', '2 | O\'Neil "Jr." | Bonn', '3 | Weiß | Köln, Süd'],
  },
  'values in apostrophes that hold a semicolon and a line end': {
    text: "'Nr';'Name';'Ort'\r\n'1';'Kern; Hans';'Ulm\r\nSüd'\r\n'2';'Auer';'Bonn'\r\n",
    columns: 'Nr: Number | Name: String | Ort: String',
    rows: ['1 | Kern; Hans | Ulm\r\nSüd', '2 | Auer | Bonn'],
  },
  'texts that begin with an apostrophe below bare names': {
    text: "Naam;Plaats\nJan;'s-Hertogenbosch\n'van 't Hof';Gouda\n",
    columns: 'Naam: String | Plaats: String',
    rows: ["Jan | 's-Hertogenbosch", "'van 't Hof' | Gouda"],
    doubts: ['heading'],
  },
  'line ends as of Excel for Mac, with others within a cell': {
    text: 'Nr;Name;Bemerkung\r1;Anna;"Tür links\n2. Stock"\r2;Bert;bar\r3;Cora;"ab\n\n9 Uhr"\r',
    columns: 'Nr: Number | Name: String | Bemerkung: String',
    rows: ['1 | Anna | Tür links\n2. Stock', '2 | Bert | bar', '3 | Cora | ab\n\n9 Uhr'],
  },
  'a title, then such line ends with others in the first row only': {
    text: 'Kunden 2026\r\rNr;Bemerkung;Preis\r1;"a\nb";1,50\r2;c;2,50\r',
    columns: 'Nr: Number | Bemerkung: String | Preis: Number',
    rows: ['1 | a\nb | 1.50', '2 | c | 2.50'],
  },
  'one column of amounts with brackets and blanks between thousands: a doubt': {
    text: 'Kwota\n(8 728 060,37)\n5 370,59\n8 204,99\n',
    columns: 'Kwota: Number',
    rows: ['-8728060.37', '5370.59', '8204.99'],
    doubts: ['delimiter'],
  },
  'one column in quotation marks, with a semicolon behind each line': {
    text: '"E-Mail";\n"anna@ulm.de";\n"bert@bonn.de";\n',
    columns: 'E-Mail: Email',
    rows: ['anna@ulm.de', 'bert@bonn.de'],
  },
  'one column with a comma behind each line but that of its name': {
    text: 'Nummer\n01067,\n04109,\n',
    columns: 'Nummer: String',
    rows: ['01067', '04109'],
  },
  'one column of dollars, whose last line has no end': {
    text: 'Amount\n6,597.38\n4,407.36',
    columns: 'Amount: Number',
    rows: ['6597.38', '4407.36'],
  },
  'dollars without the name of their column: two doubts': {
    text: '6,597.38\n4,407.36\n5,100.00\n',
    columns: 'Column 1: Number',
    rows: ['6597.38', '4407.36', '5100.00'],
    doubts: ['delimiter', 'heading'],
  },
  'one column of whole and broken amounts: a doubt': {
    text: 'Betrag\n300\n12,50\n7\n',
    columns: 'Betrag: Number',
    rows: ['300', '12.50', '7'],
    doubts: ['delimiter'],
  },
  'a single amount below the name of its column: a doubt': {
    text: 'Betrag\n4080,83-\n',
    columns: 'Betrag: Number',
    rows: ['-4080.83'],
    doubts: ['delimiter'],
  },
  'one column of amounts, some without a comma': {
    text: 'Amount\n$1,250.00\n$12.50\n($3.99)\n',
    columns: 'Amount: Number',
    rows: ['1250.00', '12.50', '-3.99'],
    doubts: ['delimiter'],
  },
  'one column of percentages, some whole': {
    text: 'Anteil\n12,5 %\n3 %\n100 %\n',
    columns: 'Anteil: Number',
    rows: ['0.125', '0.03', '1'],
    doubts: ['delimiter'],
  },
  'one column with the delimiters of blank ones behind it': {
    text: 'Name;;\nKern;;\nLi;;\n',
    columns: 'Name: String',
    rows: ['Kern', 'Li'],
  },
  'one column with the tabs of blank ones behind it': {
    text: 'Name\t\t\nKern\t\t\nLi\t\t\n',
    columns: 'Name: String',
    rows: ['Kern', 'Li'],
  },
  'lines of old Macs with inches in a name': {
    text: 'Rohr;Zoll"\rA;5\rB;6\r',
    columns: 'Rohr: String | Zoll": Number',
    rows: ['A | 5', 'B | 6'],
  },
};

/** Returns the file as its program writes it. */
export const officeFileBytes = ({ text, encoding }: OfficeFile): Buffer =>
  encoding === undefined
    ? Buffer.from(text)
    : iconv.encode(text, encoding, { addBOM: encoding === 'UTF-16LE' });
