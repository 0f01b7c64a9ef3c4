/** Office texts in the languages of the legacy encodings: headings, names, towns and goods. */

interface Words {
  readonly head: string;
  readonly names: string;
  readonly towns: string;
  readonly goods: string;
}

const LANGUAGES = {
  de: {
    head: 'Nr,Name,Straße,Ort,Artikel',
    names:
      'Müller,Schäfer,Günther Weiß,Jörg König,Bärbel Krüger,Anna Becker,Hans Schmidt,Klaus Groß,Übelacker,Thomas Wolf,Böhm,Petra Kühn',
    towns: 'Köln,München,Nürnberg,Düsseldorf,Würzburg,Ulm,Berlin,Lübeck,Gießen,Münster,Fürth,Hamburg',
    goods:
      'Büroklammern,Schreibtisch,Glühbirne,Stühle,Türschloss,Papier A4,Kugelschreiber,Gefäß,Kaffee,Öl,Ersatzteile,Zubehör',
  },
  fr: {
    head: 'N°,Nom,Prénom,Ville,Désignation',
    names:
      'Lefèvre,François Dupré,Hélène Béranger,Zoé Martin,Jérôme Noël,André Côté,Durand,Céline Boisé,Dubois,Rémi Français',
    towns: 'Orléans,Besançon,Nîmes,Béziers,Angoulême,Paris,Lyon,Saint-Étienne,Évreux,Marseille',
    goods: 'Chaise,Étagère,Café moulu,Boîte à lettres,Crème,Clé,Fenêtre,Papier,Pièce détachée,Rôti',
  },
  es: {
    head: 'Núm,Nombre,Dirección,Población,Artículo',
    names: 'José Muñoz,María Peña,Núñez,Ángel Gómez,Íñigo López,Ana Ruiz,Begoña Ibáñez,García,Raúl Martín',
    towns: 'Córdoba,Málaga,A Coruña,León,Cádiz,Madrid,Logroño,Ávila,Sevilla',
    goods: 'Lámpara,Jamón,Sillón,Papel,Teléfono,Cañería,Muñeca,Azúcar,Mesa,Camión',
  },
  pt: {
    head: 'Nº,Nome,Endereço,Cidade,Descrição',
    names: 'João Gonçalves,Conceição,Inês Simões,António Araújo,Luís Falcão,Pedro Silva,Magalhães,Sérgio',
    towns: 'São Paulo,Évora,Guimarães,Santarém,Lisboa,Brasília,Porto,Portimão',
    goods: 'Pão,Maçã,Caixa,Algodão,Açúcar,Lâmpada,Café,Papel,Avião',
  },
  it: {
    head: 'N.,Nome,Città,Quantità,Articolo',
    names: 'Niccolò Rossi,Forlì,Mario Bianchi,Giosuè,Nicolò,Anna Verdi,Maria Donà',
    towns: 'Forlì,Cantù,Roma,Milano,Mondovì,Nardò',
    goods: 'Caffè,Tè,Sedia,Tiramisù,Carta,Varietà',
  },
  sv: {
    head: 'Nr,Namn,Gata,Ort,Vara',
    names: 'Åsa Sjöberg,Björn Åkesson,Märta Lindström,Anna Öberg,Göran Persson,Nilsson',
    towns: 'Göteborg,Malmö,Västerås,Örebro,Umeå,Stockholm',
    goods: 'Smör,Kött,Hyvel,Låda,Färg,Papper,Nål',
  },
  da: {
    head: 'Nr,Navn,Gade,By,Vare',
    names: 'Søren Kjær,Jørgen Østergård,Bodil Nørgaard,Åse Bækgård,Anders Jensen',
    towns: 'København,Århus,Ærøskøbing,Helsingør,Tromsø,Odense',
    goods: 'Smørrebrød,Køleskab,Tæppe,Rødgrød,Papir,Æsker',
  },
  fi: {
    head: 'Nro,Nimi,Katu,Paikkakunta,Tuote',
    names: 'Väinö Mäkelä,Päivi Hämäläinen,Matti Virtanen,Jyrki Järvinen,Äijälä',
    towns: 'Jyväskylä,Hämeenlinna,Seinäjoki,Helsinki,Mäntsälä',
    goods: 'Pöytä,Hyllykkö,Paperi,Työkalu,Lämmitin',
  },
  is: {
    head: 'Nr,Nafn,Gata,Bær,Vara',
    names: 'Þórður Jónsson,Guðrún Sigurðardóttir,Ægir,Björk,Sæmundur',
    towns: 'Reykjavík,Ísafjörður,Akureyri,Höfn,Þorlákshöfn',
    goods: 'Smjör,Fiskur,Mjólk,Brauð,Stóll',
  },
  pl: {
    head: 'Lp.,Imię,Ulica,Miasto,Towar',
    names:
      'Łukasz Wójcik,Małgorzata Żak,Zdzisław Gołębiowski,Agnieszka Świątek,Jan Kowalski,Józef Dąbrowski,Paweł Ćwikła,Anna Nowak',
    towns: 'Łódź,Kraków,Gdańsk,Wrocław,Poznań,Częstochowa,Warszawa,Rzeszów',
    goods: 'Krzesło,Żarówka,Śruba,Papier,Długopis,Książka,Łóżko,Masło',
  },
  cs: {
    head: 'Č.,Jméno,Ulice,Město,Zboží',
    names: 'Jiří Dvořák,Zdeněk Růžička,Tomáš Svěrák,Kateřina Šťastná,Jan Novák,Ondřej Žák',
    towns: 'Plzeň,České Budějovice,Třebíč,Ústí nad Labem,Praha,Olomouc',
    goods: 'Židle,Šroub,Žárovka,Papír,Křeslo,Máslo,Těsto,Kůň',
  },
  sk: {
    head: 'Č.,Meno,Ulica,Mesto,Tovar',
    names: 'Ľubomír Kováč,Žofia Hrušková,Štefan Ďurica,Mária Tóthová',
    towns: 'Košice,Žilina,Banská Štiavnica,Nitra,Ružomberok',
    goods: 'Stolička,Žiarovka,Papier,Mäso,Kľúč',
  },
  hu: {
    head: 'Sz.,Név,Utca,Város,Áru',
    names: 'Szabó Győző,Tóth Ödön,Kőműves István,Nagy Zsófia,Kovács László,Dűlő Ágnes',
    towns: 'Győr,Székesfehérvár,Hódmezővásárhely,Pécs,Budapest,Gödöllő',
    goods: 'Szék,Izzó,Csavar,Könyv,Hűtőgép,Cipő,Papír',
  },
  ro: {
    head: 'Nr.,Nume,Strada,Oraş,Produs',
    names: 'Ştefan Popescu,Ioana Măgureanu,Răzvan Ţîrlea,Gheorghe Brâncuşi,Ion Stan',
    towns: 'Bucureşti,Iaşi,Timişoara,Constanţa,Târgu Mureş,Cluj',
    goods: 'Scaun,Brânză,Hârtie,Maşină,Pâine,Şurub',
  },
  hr: {
    head: 'Br.,Ime,Ulica,Grad,Roba',
    names: 'Željko Šimić,Đurđa Čović,Ivan Horvat,Marija Kovačević,Tomislav Ćosić',
    towns: 'Šibenik,Čakovec,Zagreb,Požega,Varaždin',
    goods: 'Stolica,Žarulja,Vijak,Papir,Mlijeko,Ključ,Čaša',
  },
  tr: {
    head: 'No,Ad,Adres,Şehir,Ürün',
    names: 'Şükrü Çelik,Ayşe Yılmaz,Gökhan Öztürk,Işıl Güneş,Mehmet Demir,İbrahim Doğan',
    towns: 'İstanbul,Muğla,Eskişehir,Diyarbakır,Ankara,Iğdır,Çanakkale',
    goods: 'Çay,Kağıt,Sandalye,Işık,Ekmek,Şeker,Süt',
  },
  lt: {
    head: 'Nr.,Vardas,Gatvė,Miestas,Prekė',
    names: 'Šarūnas Žukauskas,Eglė Petrauskaitė,Jūratė Šimkutė,Jonas Kazlauskas,Ąžuolas',
    towns: 'Šiauliai,Panevėžys,Klaipėda,Vilnius,Mažeikiai',
    goods: 'Kėdė,Lemputė,Popierius,Duona,Sūris,Žuvis',
  },
  lv: {
    head: 'Nr.,Vārds,Iela,Pilsēta,Prece',
    names: 'Jānis Bērziņš,Kārlis Ozoliņš,Žanete Šķēle,Līga Kļava,Andris',
    towns: 'Rīga,Jūrmala,Rēzekne,Cēsis,Liepāja,Ķemeri',
    goods: 'Krēsls,Spuldze,Papīrs,Maize,Ūdens,Zāģis',
  },
  et: {
    head: 'Nr,Nimi,Tänav,Linn,Toode',
    names: 'Jüri Põld,Ülle Mägi,Õnne Pärt,Mart Tamm,Tõnu Kõiv',
    towns: 'Pärnu,Võru,Põltsamaa,Tallinn,Jõhvi',
    goods: 'Laud,Või,Lõng,Paber,Köögikapp',
  },
  ru: {
    head: '№,Имя,Улица,Город,Товар',
    names: 'Иванов Пётр,Сергей Щербаков,Ольга Юрьевна,Анна Кузнецова,Дмитрий Жуков,Елена Эрлих',
    towns: 'Москва,Санкт-Петербург,Екатеринбург,Нижний Новгород,Казань,Тверь',
    goods: 'Стул,Лампа,Бумага,Ящик,Хлеб,Масло,Ключ',
  },
  uk: {
    head: 'Номер,Ім’я,Вулиця,Місто,Товар',
    names: 'Тарас Шевченко,Олена Їжакевич,Юрій Ґудзь,Іван Франко,Марія',
    towns: 'Київ,Львів,Харків,Одеса,Запоріжжя,Рівне',
    goods: 'Стілець,Папір,Хліб,Олія,Ключ,Лампа',
  },
  bg: {
    head: 'Номер,Име,Улица,Град,Стока',
    names: 'Георги Стоянов,Мария Иванова,Цветан Ъгълов,Петър Димитров',
    towns: 'София,Пловдив,Варна,Търново,Бургас',
    goods: 'Стол,Лампа,Хартия,Хляб,Ключ,Кафе',
  },
  el: {
    head: 'Αρ.,Όνομα,Οδός,Πόλη,Είδος',
    names: 'Γιώργος Παπαδόπουλος,Άννα Ιωάννου,Νίκος Κωνσταντίνου,Ελένη Βασιλείου,Χρήστος',
    towns: 'Αθήνα,Θεσσαλονίκη,Πάτρα,Ηράκλειο,Βόλος,Άργος',
    goods: 'Καρέκλα,Λάμπα,Χαρτί,Ψωμί,Κλειδί,Ελαιόλαδο',
  },
  he: {
    head: 'מס,שם,רחוב,עיר,מוצר',
    names: 'דוד כהן,שרה לוי,משה פרץ,רחל אברהם,יוסף מזרחי',
    towns: 'ירושלים,חיפה,תל אביב,באר שבע,נתניה',
    goods: 'כיסא,מנורה,נייר,לחם,מפתח,ספר',
  },
  ar: {
    head: 'رقم,الاسم,الشارع,المدينة,المنتج',
    names: 'محمد علي,فاطمة حسن,أحمد سعيد,خالد إبراهيم,نور الدين',
    towns: 'القاهرة,الرياض,دمشق,بغداد,الدار البيضاء',
    goods: 'كرسي,مصباح,ورق,خبز,مفتاح,كتاب',
  },
  ja: {
    head: '番号,名前,住所,都市,商品',
    names: '田中太郎,佐藤花子,鈴木一郎,高橋さくら,伊藤健,渡辺ゆみ,山本,中村',
    towns: '東京,大阪,横浜,名古屋,札幌,福岡,京都,神戸',
    goods: '椅子,ランプ,紙,パン,鍵,机,ノート,りんご',
  },
  ko: {
    head: '번호,이름,주소,도시,상품',
    names: '김민수,이영희,박철수,최지우,정수진,강호동,조은',
    towns: '서울,부산,대구,인천,광주,대전,울산,수원',
    goods: '의자,전등,종이,빵,열쇠,책상,사과,노트',
  },
  zh: {
    head: '编号,姓名,地址,城市,商品',
    names: '王伟,李娜,张敏,刘洋,陈静,杨勇,赵军,黄丽',
    towns: '北京,上海,广州,深圳,杭州,南京,成都,武汉',
    goods: '椅子,台灯,纸,面包,钥匙,桌子,苹果,笔记本',
  },
  tw: {
    head: '編號,姓名,地址,城市,商品',
    names: '陳志明,林淑芬,黃俊傑,張雅婷,李宗翰,王美玲,吳家豪',
    towns: '臺北,高雄,臺中,新竹,台南,桃園,嘉義,花蓮',
    goods: '椅子,檯燈,紙張,麵包,鑰匙,桌子,蘋果,筆記本',
  },
} satisfies Record<string, Words>;
export type OfficeLanguage = keyof typeof LANGUAGES;

/** The legacy encodings that offices still write, each with the languages it is used for. */
export const LEGACY_ENCODINGS: Readonly<Record<string, readonly OfficeLanguage[]>> = {
  'windows-1250': ['pl', 'cs', 'sk', 'hu', 'ro', 'hr', 'de'],
  'windows-1251': ['ru', 'uk', 'bg'],
  'windows-1252': ['de', 'fr', 'es', 'pt', 'it', 'sv', 'da', 'fi', 'is'],
  'windows-1253': ['el'],
  'windows-1254': ['tr'],
  'windows-1255': ['he'],
  'windows-1256': ['ar'],
  'windows-1257': ['lt', 'lv', 'et'],
  'ISO-8859-1': ['de', 'fr', 'es', 'sv'],
  'ISO-8859-2': ['pl', 'cs', 'sk', 'hu', 'ro', 'hr'],
  'ISO-8859-5': ['ru', 'bg'],
  'ISO-8859-7': ['el'],
  'ISO-8859-9': ['tr'],
  'ISO-8859-15': ['de', 'fr'],
  macintosh: ['de', 'fr', 'es', 'sv', 'da', 'pt'],
  cp437: ['de', 'fr', 'es', 'sv'],
  cp850: ['de', 'fr', 'es', 'pt', 'da', 'sv'],
  cp852: ['pl', 'cs', 'hu', 'hr', 'sk', 'ro'],
  cp866: ['ru', 'bg'],
  'KOI8-R': ['ru'],
  Shift_JIS: ['ja'],
  'EUC-JP': ['ja'],
  'EUC-KR': ['ko'],
  GB18030: ['zh'],
  Big5: ['tw'],
};

/** The same numbers each time, from 0 to 1. */
function sequence(seed: number): () => number {
  let state = (seed * 7919 + 13) >>> 0;
  return () => (state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0) / 2 ** 32;
}

/** A table of so many rows as text, with a heading. The seed chooses the words. */
export function officeTable(language: OfficeLanguage, rows: number, seed: number): string {
  const next = sequence(seed);
  for (let skipped = 0; skipped < 5; skipped++) next();
  const one = (words: string): string => {
    const all = words.split(',');
    return all[Math.floor(next() * all.length)] ?? '';
  };
  const { head, names, towns, goods } = LANGUAGES[language];
  const lines = Array.from({ length: rows }, (_, at) =>
    [at + 1, one(names), '', one(towns), one(goods)].join(';'),
  );
  return [head.replaceAll(',', ';'), ...lines, ''].join('\r\n');
}
