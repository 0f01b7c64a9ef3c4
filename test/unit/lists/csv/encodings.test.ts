import iconv from 'iconv-lite';
import { describe, expect, it } from 'vitest';
import { decodeSlices, guessEncoding, type GuessedEncoding } from '../../../../server/lists/csv/encoding.ts';
import { Refusal } from '../../../../server/base/refusal.ts';
import { LEGACY_ENCODINGS, officeTable } from '../../../support/data/office-texts.ts';

const ASCII = /^[\0-\x7f]*$/;

interface Trial {
  readonly what: string;
  readonly isRight: boolean;
  /** The right text is the one chosen, or one of the alternatives. */
  readonly isNamed: boolean;
  readonly guess: GuessedEncoding;
}

/** What becomes of a text that was written in an encoding, as far as that encoding has its letters. */
async function tried(text: string, encoding: string, what: string): Promise<Trial | undefined> {
  const bytes = iconv.encode(text, encoding);
  const written = iconv.decode(bytes, encoding);
  if (ASCII.test(written)) return undefined;
  const guess = await guessEncoding(bytes);
  const [isRight = false, ...others] = [guess.encoding, ...guess.alternatives].map(
    (each) => iconv.decode(bytes, each) === written,
  );
  return {
    what: `${encoding} ${what} as ${guess.encoding}`,
    isRight,
    isNamed: isRight || others.includes(true),
    guess,
  };
}

async function trials(rows: number, seeds: number): Promise<Trial[]> {
  const found: Trial[] = [];
  for (const [encoding, languages] of Object.entries(LEGACY_ENCODINGS))
    for (const language of languages)
      for (let seed = 1; seed <= seeds; seed++) {
        const trial = await tried(officeTable(language, rows, seed + 30), encoding, `${language} ${seed}`);
        if (trial) found.push(trial);
      }
  return found;
}

describe('a text in any of the legacy encodings', { timeout: 60_000 }, () => {
  it('of three rows is nearly always read right, and the right encoding is named where it is not', async () => {
    const all = await trials(3, 3);
    expect(all.length).toBeGreaterThan(200);
    const wrong = all.filter(({ isRight }) => !isRight);
    expect(wrong.length / all.length).toBeLessThan(0.015);
    expect(wrong.filter(({ isNamed }) => !isNamed).map(({ what }) => what)).toEqual([]);
  });

  it('of fifteen rows is always read right, and seldom in doubt', async () => {
    const all = await trials(15, 2);
    expect(all.filter(({ isRight }) => !isRight).map(({ what }) => what)).toEqual([]);
    const doubted = all.filter(({ guess }) => guess.alternatives.length > 0);
    expect(doubted.length / all.length).toBeLessThan(0.1);
  });

  it.each([
    ['GB18030', '李娜;杭州市西湖区;已付款\r王伟;上海市浦东新区;等待发货\r'],
    ['Shift_JIS', '山田;東京都千代田区;発送済み\r佐藤;名古屋市;未入金\r'],
    ['windows-1250', 'Łukasz;Żółkiewka;zapłacone\rŚwiątek;Gdańsk;do końca maja\r'],
  ])('is told by lines that end as on an old Mac: %s', async (encoding, lines) => {
    const text = `1;2;3\r${lines.repeat(3000)}`;
    expect(await tried(text, encoding, 'lines')).toMatchObject({ isRight: true });
    const bytes = iconv.encode(text, encoding);
    expect([...decodeSlices(bytes, encoding)].join('')).toBe(text);
  });

  it('of names of several languages is read right, however often they stand there', async () => {
    const names = 'Renée Núñez Siobhán Brontë café'.split(' ');
    for (const rows of [5, 30, 300])
      expect(await tried(linesOf('id;name;note', names, rows), 'windows-1252', 'names')).toMatchObject({
        isRight: true,
      });
  });

  it('is told by its few lines beyond ASCII, wherever they stand among thousands', async () => {
    const plain = 'Nr;Name;Ort;Artikel\r\n' + '17;Anna Becker;Hamburg;Kugelschreiber\r\n'.repeat(9000);
    for (const [encoding, language] of [
      ['windows-1250', 'pl'],
      ['windows-1252', 'de'],
      ['cp850', 'fr'],
      ['macintosh', 'de'],
      ['windows-1251', 'ru'],
      ['Shift_JIS', 'ja'],
    ] as const) {
      const trial = await tried(plain + officeTable(language, 6, 2), encoding, language);
      expect(trial, encoding).toMatchObject({ isRight: true });
    }
  });

  it.each([
    ['NAZWISKO;MIASTO\r\nWÓJCIK;ŁÓDŹ\r\nŚWIĄTEK;GDAŃSK\r\n', ['windows-1250', 'cp852', 'ISO-8859-2']],
    ['ИМЯ;ГОРОД\r\nИВАНОВ;МОСКВА\r\nПЕТРОВ;КАЗАНЬ\r\n', ['windows-1251', 'KOI8-R', 'cp866', 'ISO-8859-5']],
    ['NAME;ORT\r\nMÜLLER;KÖLN\r\nGROß;MÜNCHEN\r\n', ['windows-1252', 'cp850', 'macintosh']],
    ['Nr;Firma\r\n1;Müller & Söhne\r\n', ['windows-1252', 'cp850', 'cp437', 'macintosh']],
    ['Item;Price\r\nChair;£12.50\r\n', ['windows-1252', 'cp437', 'cp850']],
    ['Item;Price\r\nChair;12.50 €\r\n', ['windows-1252', 'ISO-8859-15']],
    ['Name;Note\r\nO’Brien;Kevin’s chair – new\r\n', ['windows-1252']],
    ['Menge;Größe\r\n1 Stück;±5 µm, 20 °C\r\n', ['windows-1252', 'cp850']],
    ['Nr;Nazwa\r\n1;Müller\r\n2;Łukasz\r\n3;Żak\r\n', ['windows-1250', 'ISO-8859-2']],
    ['ชื่อ;เมือง\nสมชาย;กรุงเทพ\n', ['windows-874']],
    ['品名,金額\r\nリンゴ,"¥12,000"\r\nバナナ,¥-500\r\n', ['Shift_JIS']],
  ])('in capitals, of few letters or of signs alone is read right: %j', async (text, encodings) => {
    for (const encoding of encodings)
      expect(await tried(text, encoding, 'short'), encoding).toMatchObject({ isRight: true });
  });
});

it.each([
  ['windows-1252', 'Muñoz;Málaga'],
  ['windows-1252', 'Muñoz;Málaga;niño'],
  ['windows-1250', 'Gdański;Anna'],
  ['windows-1254', 'Çağlar;Ankara'],
])(
  'a single line in %s whose few letters fit elsewhere as well names its encoding: %s',
  async (encoding, line) => {
    for (const text of [`${line}\n`, `Nr;Nombre;Ciudad\n1;${line}\n`])
      expect(await tried(text, encoding, line)).toMatchObject({ isNamed: true });
  },
);

/** Lines that take their cells in turn from these words. */
const linesOf = (heading: string, words: readonly string[], rows: number): string =>
  [
    heading,
    ...Array.from({ length: rows }, (_, at) => `${at + 1};${words[at % words.length] ?? ''};ok`),
  ].join('\r\n');

it.each([
  ['windows-1252', ['Muñoz', 'Peña', 'Gómez', 'Martín', '¿cuándo?', 'año próximo', 'León', 'Sánchez']],
  ['ISO-8859-1', ['Ibáñez', 'Zúñiga', 'Núñez', 'López', '¡urgente!', 'mañana', 'Cádiz']],
  ['windows-1252', ['Hélène', 'Benoît', 'Agnès', 'déjà payé']],
  ['windows-1250', ['Marić', 'Đurić', 'Šibenik', 'Požega', 'Čakovec']],
  ['Shift_JIS', ['ヤマダ', 'サトウ', 'トウキョウ', 'オオサカ']],
  ['EUC-JP', ['ヤマダ', 'サトウ', 'トウキョウ', 'オオサカ']],
  ['Shift_JIS', ['ﾔﾏﾀﾞ', 'ｻﾄｳ', 'ｽｽﾞｷ', 'ｶ)ｶﾌﾞｼｷ']],
  ['ISO-8859-5', ['ИВАНОВ', 'ПЕТРОВА', 'МОСКВА', 'ТВЕРЬ']],
  ['GB18030', ['张伟', '王芳', '李娜', '北京']],
])('lists of names in %s are read right: %j', async (encoding, words) => {
  for (const rows of [words.length, 60])
    expect(await tried(linesOf('Nr;Name;Nota', words, rows), encoding, String(rows))).toMatchObject({
      isRight: true,
    });
});

it.each([
  ['cp850', '¿cuándo?', 1],
  ['windows-1252', '¿cuándo?', 1],
  ['windows-1255', 'לוי', 1],
  ['Big5', '陳志明,林淑芬,黃建宏', 3],
  ['windows-1250', 'Gdańsk', 20],
  ['windows-1250', 'Đurić', 20],
  ['windows-1252', 'Hélène', 300],
  ['windows-1252', 'Benoît', 20],
  ['windows-1250', 'Šibenik', 300],
  ['macintosh', 'Perú', 20],
  ['macintosh', 'menú', 2],
  ['windows-1250', 'Gdańsk,Plzeň', 30],
  ['windows-1255', 'כהן', 6],
  ['windows-1253', 'όχι', 6],
  ['windows-1251', 'ООО', 2],
  ['windows-1254', 'Çelik', 30],
  ['Shift_JIS', '山田', 30],
  ['ISO-8859-5', 'Москва', 30],
])(
  'a few words in %s name their encoding, however often they stand there: %s',
  async (encoding, words, rows) => {
    const text = linesOf('id;name;note', words.split(','), rows);
    expect(await tried(text, encoding, words)).toMatchObject({ isNamed: true });
  },
);

it.each([
  ['windows-1250', 'mâine Râmnicu Vâlcea vâsla Târgu Bârlad Câmpina pâine mână râu vânt câine'],
  ['windows-1250', 'casă Brăila Bacău apă sâmbătă până factură plată sumă adresă stradă lună'],
  ['windows-1252', 'château âge pâte août goût coût jeûne sûr mûr'],
  ['windows-1254', 'Doğan Muğla Niğde ödeme dağ ağaç'],
  ['macintosh', 'août goût coût jeûne'],
  ['macintosh', 'Martínez día país'],
  ['cp850', 'règle père mère frère île dîner'],
])(
  'words in %s with one or two letters beyond ASCII are read right, or name it: %s',
  async (encoding, words) => {
    const all = words.split(' ');
    for (const rows of [3, 12, 60, 450])
      expect(await tried(linesOf('nr;name;note', all, rows), encoding, words), String(rows)).toMatchObject({
        isNamed: true,
      });
  },
);

it.each([
  ['macintosh', ['• Item', 'etc…', 'and so on …', 'A • B', 'it’s', 'Brand®', '“new” chair', '≥ 5']],
  ['windows-1252', ['• Item', 'etc…', 'it’s', '© 2026', 'Brand™', 'a ÷ b', '¥']],
])('signs of texts alone are read right in %s: %j', async (encoding, signs) => {
  for (const sign of signs)
    for (const rows of [1, 30])
      expect(await tried(linesOf('Nr;Text;ok', [sign], rows), encoding, sign), sign).toMatchObject({
        isRight: true,
      });
});

it.each([
  [
    'windows-1252',
    ['5 °C', '12 m³', '5 µm', 'Ø 12', '±5 mm', '½ Zoll', '9,50 €', '5¢', '¥5', '3 × 4', '30º'],
  ],
  ['macintosh', ['5 °C']],
  ['cp850', ['5 °C', '12 m²']],
  ['windows-1251', ['№ 5']],
  ['ISO-8859-15', ['9,50 €']],
])('signs of measures alone are read right and leave no doubt in %s: %j', async (encoding, signs) => {
  for (const sign of signs)
    for (const rows of [3, 60]) {
      const trial = await tried(linesOf('Nr;Wert;ok', [sign], rows), encoding, sign);
      expect(trial, sign).toMatchObject({ isRight: true, guess: { alternatives: [] } });
    }
});

it.each([
  [['Größl', 'Müller'], ['Jäger', 'Köhler'], 1],
  [['Größl Müller'], ['Jäger Müller'], 30],
  [['Größl', 'Müller', 'Schröder'], ['Jäger'], 30],
])(
  'lines of another program at the end of a file in UTF-8 leave it in UTF-8, and name it: %j',
  async (words, others, rows) => {
    const bytes = Buffer.concat([
      Buffer.from(linesOf('Nr;Kunde;ok', words, rows * words.length)),
      iconv.encode(`\r\n${linesOf('1;Kern;ok', others, others.length)}`, 'windows-1252'),
    ]);
    const guess = await guessEncoding(bytes);
    expect(guess.encoding).toBe('UTF-8');
    expect(guess.alternatives).not.toEqual([]);
  },
);

it.each([
  ['windows-1252', 'É preciso'],
  ['windows-1252', 'È vero'],
  ['windows-1252', 'ø Preis'],
  ['macintosh', 'à payer'],
  ['cp850', 'à payer'],
])('names %s for a word of one letter that another encoding has as a sign: %s', async (encoding, word) => {
  const bytes = iconv.encode(`Nr;Text\n1;Anna\n2;${word}\n`, encoding);
  const { encoding: chosen, alternatives } = await guessEncoding(bytes);
  expect([chosen, ...alternatives].map((each) => iconv.decode(bytes, each).split(';').at(-1))).toContain(
    `${word}\n`,
  );
});

it.each(['windows-1252', 'cp850'])('reads the sign of a number in %s: nº 3', async (encoding) => {
  const text = 'Nr;Calle\n1;Sol\n2;Mayor, nº 3\n';
  const guess = await guessEncoding(iconv.encode(text, encoding));
  expect(iconv.decode(iconv.encode(text, encoding), guess.encoding)).toBe(text);
});

it('reads Ukrainian letters where KOI8-R draws boxes', async () => {
  const text = 'Nr;Ім’я;Місто\n1;Сергій;Київ\n2;Євген;Їжаківка\n3;Ґалаґан;Львів\n'.replace('’', '');
  const bytes = iconv.encode(text, 'KOI8-U');
  const { encoding, alternatives } = await guessEncoding(bytes);
  expect({ encoding, alternatives }).toEqual({ encoding: 'KOI8-R', alternatives: [] });
  expect([...decodeSlices(bytes, encoding)].join('')).toBe(text);
});

it('a reading with control characters never wins', async () => {
  const trial = await tried(linesOf('Nr;Name;ok', ['│ Müller │'], 20), 'cp437', 'box');
  expect(trial).toMatchObject({ isRight: true });
});

it('the euro of Mac Roman is read, in which it stands in place of the currency sign', async () => {
  const bytes = Buffer.from('4e723b507265697320db0d0a4d9f6c6c65723b31322c353020db0d0a', 'hex');
  expect((await guessEncoding(bytes)).encoding).toBe('macintosh');
  for (const encoding of ['macintosh', 'mac', 'MacRoman'])
    expect([...decodeSlices(bytes, encoding)].join('')).toBe('Nr;Preis €\r\nMüller;12,50 €\r\n');
});

it.each([
  ['ISO-8859-1', '€ 5 – „Ä“'],
  ['ISO-8859-9', '€ 5 – „Ä“'],
  ['ISO-8859-15', '\ufffd 5 \ufffd \ufffdÄ\ufffd'],
])('loses no sign of Windows where %s was chosen, or names it', (encoding, text) => {
  const bytes = iconv.encode('€ 5 – „Ä“', 'windows-1252');
  expect([...decodeSlices(bytes, encoding)].join('')).toBe(text);
});

it('names the usual encoding of several that give the same text', async () => {
  const bytes = iconv.encode('Nr;Ort\n1;Sète\n', 'windows-1252');
  expect((await guessEncoding(bytes)).alternatives).toEqual(['windows-1252']);
});

it('Japanese without kana names its encoding, and Chinese and Korean texts leave no doubt', async () => {
  const offices = [
    '会社名,住所,担当',
    '株式会社山田製作所,東京都千代田区神田神保町一丁目,田中太郎',
    '日本電気工業株式会社,大阪府大阪市北区梅田二丁目,鈴木一郎',
    '東海運輸有限会社,愛知県名古屋市中区栄三丁目,佐藤花子',
    '北海道酪農協同組合,北海道札幌市中央区南一条西,高橋健',
    '広島造船株式会社,広島県広島市南区宇品海岸,伊藤正',
  ];
  for (const rows of [1, 2, 3, 6, 60]) {
    const text = Array.from({ length: rows + 1 }, (_, at) => offices[at % offices.length] ?? '').join('\r\n');
    expect(await tried(text, 'EUC-JP', String(rows)), String(rows)).toMatchObject({ isNamed: true });
  }
  for (const [language, encoding] of [
    ['zh', 'GB18030'],
    ['ko', 'EUC-KR'],
    ['ja', 'EUC-JP'],
  ] as const)
    expect(await guessEncoding(iconv.encode(officeTable(language, 15, 4), encoding))).toEqual({
      encoding,
      alternatives: [],
    });
});

it('reads Japanese of old mail programs, which switches between alphabets, also across slices', async () => {
  const escaped = (text: string): Buffer =>
    Buffer.from(
      text.replace(/[^\0-\x7f]+/g, (letters) => {
        const bytes = iconv.encode(letters, 'EUC-JP').map((byte) => byte & 0x7f);
        return `\x1b$B${Buffer.from(bytes).toString('latin1')}\x1b(B`;
      }),
      'latin1',
    );
  const text = officeTable('ja', 4000, 5);
  const bytes = escaped(text);
  expect(await guessEncoding(bytes)).toEqual({ encoding: 'ISO-2022-JP', alternatives: [] });
  expect(bytes.length).toBeGreaterThan(2 * 64 * 1024);
  expect([...decodeSlices(bytes, 'ISO-2022-JP')].join('')).toBe(text);
});

describe('a text in Unicode', () => {
  const WIDE = ['UTF-16LE', 'UTF-16BE', 'UTF-32LE', 'UTF-32BE'];
  it.each(WIDE.flatMap((encoding) => [true, false].map((addBOM) => [encoding, addBOM] as const)))(
    'is known as %s, with a byte order mark: %s',
    async (encoding, addBOM) => {
      for (const language of ['de', 'pl', 'ru', 'ja', 'zh', 'ar'] as const)
        for (const rows of [1, 3, 40]) {
          const bytes = iconv.encode(officeTable(language, rows, 3), encoding, { addBOM });
          expect(await guessEncoding(bytes), language).toEqual({ encoding, alternatives: [] });
        }
    },
  );

  it('is UTF-8 with a mark and without, also with a few broken bytes, and the doubt is named then', async () => {
    const text = 'Name;Ort\nMüller;Köln\nSchäfer;Fürth\n';
    expect(await guessEncoding(Buffer.from(text))).toEqual({ encoding: 'UTF-8', alternatives: [] });
    expect(await guessEncoding(Buffer.from(`\ufeff${text}`))).toEqual({
      encoding: 'UTF-8',
      alternatives: [],
    });
    for (const broken of [
      [Buffer.from(text), Buffer.from([0x53, 0x63, 0x68, 0xc3]), Buffer.from(';Bonn\n')],
      [Buffer.from([0x47, 0x72, 0xfc, 0x6e, 0x3b]), Buffer.from(`Ulm\n${text}`)],
      [Buffer.from(text.repeat(2000)), Buffer.from([0xc3])],
    ]) {
      const { encoding, alternatives } = await guessEncoding(Buffer.concat(broken));
      expect([encoding, ...alternatives]).toEqual(['UTF-8', 'windows-1252']);
    }
  });

  it('is not what two letters of another encoding look like', async () => {
    const mixed = Buffer.concat([Buffer.from('Müller\n'), Buffer.from('Größe;Köln;Fürth;Süß\n', 'latin1')]);
    expect((await guessEncoding(mixed)).encoding).toBe('windows-1252');
  });

  it('is refused as no text where its zeros belong to none of them', async () => {
    await expect(
      guessEncoding(Buffer.from([0x4d, 0x5a, 0, 3, 0, 0, 0, 4, 0xff, 0xff, 0, 0])),
    ).rejects.toMatchObject({
      code: 'csv.no-text',
    });
  });
});

it.each([
  '<html><head><meta charset="utf-8"></head><body><table>\n<tr><td>Nr</td></tr>\n',
  '\ufeff\r\n<!DOCTYPE html>\n<table border="1">\n',
  '<table border="1">\n<tr><td>Nr</td><td>Größe</td></tr>\n',
  '<?xml version="1.0"?>\n<?mso-application progid="Excel.Sheet"?>\n<Workbook>\n',
  'MIME-Version: 1.0\nX-Document-Type: Workbook\nContent-Type: multipart/related\n',
  'ID;PWXL;N;E\nC;Y1;X1;K"Nr"\n',
  '{\\rtf1\\ansi Preisliste}',
  '%PDF-1.4\n1 0 obj\n',
  '\n<meta http-equiv="Content-Type" content="text/html">\n<table>\n',
  '<!-- export -->\n<table>\n',
  'BEGIN:VCARD\nVERSION:3.0\nN:Kern;Anna\n',
  ':20:STARTUMSE\n:25:10020030/1234567\n',
  'TABLE\r\n0,1\r\n"EXCEL"\r\n',
  '[{"Nr":1,"Name":"Kern"}]\n',
  '{"rows": [1]}\n',
])('a document with the name of a spreadsheet is refused with what to do: %j', async (text) => {
  for (const bytes of [Buffer.from(text), Buffer.from(text, 'utf16le')])
    await expect(guessEncoding(bytes)).rejects.toThrow('web page or another document');
  for (const table of ['ID;Preis\n1;<table>\n', 'Table\n0,1\n2,5\n'])
    expect((await guessEncoding(Buffer.from(table))).encoding).toBe('UTF-8');
});

it('characters of several bytes come out whole, wherever a slice of the file ends', () => {
  const long = 'a;' + '田🙂Ö;'.repeat(40_000) + '\nend\n';
  for (const encoding of ['UTF-8', 'UTF-16LE', 'UTF-16BE', 'UTF-32LE', 'UTF-32BE', 'GB18030']) {
    const lines = encoding === 'GB18030' ? '1;𠀀田\r\n'.repeat(30_000) : long;
    const text = [...decodeSlices(iconv.encode(lines, encoding), encoding)].join('');
    expect(text === lines, encoding).toBe(true);
  }
});

it.each(['UTF-8', 'windows-1252', 'UTF-16LE'])(
  'a zero in place of a value does not change %s',
  async (encoding) => {
    const stock = `Nummer,Name,Ort\n1,\0,Köln\n${'2,Anna,Zürich\n'.repeat(20)}`;
    expect(await guessEncoding(iconv.encode(stock, encoding))).toMatchObject({ encoding });
  },
);

it.each([
  ['letters that no other encoding has', 'Name,Note\r\nAnna,\u{33efa}\r\n\0,\u{33efa}\u{33efa}\r\n'],
  ['many controls below a line that names the delimiter', 'sep=,\r\na,b\r\n\0,\u0001\u0002\r\n'],
])('a zero beside %s does not hide UTF-8', async (_what, text) => {
  expect(await guessEncoding(Buffer.from(text))).toMatchObject({ encoding: 'UTF-8' });
});

it('a bank statement of five Hebrew words is in doubt', async () => {
  const rows = Array.from({ length: 30 }, (_, at) => `05/01/2026,${at % 3 ? 'לוי' : 'כהן'},${at * 31}.04`);
  const bytes = iconv.encode(['תאריך,שם,סכום', ...rows].join('\r\n'), 'windows-1255');
  const { encoding, alternatives } = await guessEncoding(bytes);
  expect([encoding, ...alternatives]).toContain('windows-1255');
});

it.each([
  ['cp857', 'Adı;Şehir\nAyşe Yılmaz;İstanbul\n', 'cp857'],
  ['cp737', 'Όνομα;Πόλη\nΓιώργος;Αθήνα\n', 'cp737'],
  ['cp862', 'שם;עיר\nדוד;חיפה\n', 'cp862'],
  ['maccyrillic', 'Имя;Город\nИванов Иван;Москва\n', 'maccyrillic'],
  ['cp862', 'מספר;שם;עיר\n1;דוד לוי;תל אביב\n2;רות כהן;חיפה\n3;משה פרץ;ירושלים\n', 'cp862'],
  ['cp1125', 'Імя;Місто\nІван Їжак;Київ\nГанна Ґалаґан;Львів\nОлег Зуєв;Харків\n', 'cp1125'],
  ['maccyrillic', 'Имя;Город\nИван Петров;Москва\nАнна Кузнецова;Казань\nОлег Зуев;Пермь\n', 'maccyrillic'],
  ['maccyrillic', 'Nr;Місто\n1;Харків\n2;Олексій Бойко\n3;Вінниця\n', 'maccyrillic'],
  [
    'macgreek',
    `Nr;Name;Ort\n${'1;Γιώργος Παπαδόπουλος;Αθήνα\n2;Μαρία Ιωάννου;Πάτρα\n'.repeat(12)}`,
    'macgreek',
  ],
  ['ISO-8859-6', `Nr;Name;Ort\n${'1;أحمد علي;القاهرة\n2;محمد حسن;بيروت\n'.repeat(12)}`, 'ISO-8859-6'],
  ['cp1125', 'Nr;Name;Ort\n1;Чернігів Єгор;Галаган\n2;Шевченко;Львів\n', 'cp1125'],
  ['cp857', 'Nr;Name;Ort\n1;Uşak Mehmet;Diyarbakır\n2;Uşak;Yıldız\n', 'cp857'],
  ['cp857', 'Nr;Ort\n1;Muğla\n', undefined],
  ['cp860', 'Nr;Name;Ort\n1;Antônio João;Évora\n2;Conceição;São Paulo\n', 'cp860'],
  ['cp775', 'Nr;Name;Ort\n1;Jonaitė;Kazlauskas\n2;Kaunas;Žiema\n3;Šiauliai;Ąžuolas\n', 'cp775'],
  ['cp861', 'Nr;Name;Ort\n1;Akureyri;Selfoss\n2;Þórður;Reykjavík\n3;Ísafjörður;Selfoss\n', 'cp861'],
  ['maciceland', 'Nafn;Staður\nÞórður;Reykjavík\n', undefined],
])('in an encoding that is not detected is in doubt: %s', async (encoding, text, named) => {
  const { alternatives } = await guessEncoding(iconv.encode(text, encoding));
  expect(alternatives).not.toEqual([]);
  if (named !== undefined) expect(alternatives).toContain(named);
});

it.each(['utf-7', 'UTF7-IMAP', 'base64', 'hex'])(
  'is refused in %s, which is no encoding of files',
  (encoding) => {
    expect(() => [...decodeSlices(Buffer.from('Name;Ort\n'), encoding)]).toThrow(Refusal);
  },
);
