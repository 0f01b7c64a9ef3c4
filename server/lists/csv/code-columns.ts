import { fullYear } from '../../base/full-year.ts';

/** `1.200` is an account, no amount. */
const CODES =
  /^(?:[\p{L}.]+[ -])?(?:(?!skonto)\p{L}*(?:konto|kostenstelle|nummer|nr)|kto|kst|oz|tel|telefon[oe]?|teléfono|telefoon|telefax|fax|mobil|handy|phone|mobile|t[ée]l(?:éphone)?|siren|siret|ahv|code|no|number|id|sku|account|compte|cuenta)\.?(?:[ _-]?(?:nr|nummer|no|number|code|id|privat|\d))?\.?$|^(?:n[°º]|num[ée]ro|número|código|code (?:article|produit|client|fournisseur))(?=$|[ .])|^r[ée]f[ée]ren(?:ce|cia)$/iu;
/** Italian, Polish, Czech, Hungarian, Romanian, Finnish, Turkish, Croatian, Russian and Greek. */
const FOREIGN_CODES =
  /^(?:codice|kod|kód|cod|šifra|číslo|numer|indeks|код|артикул|номер|κωδικός)(?=$|[ .])|(?:kodu|koodi|číslo|numer|numero|numarası|(?:cikk|számla|rendelés|vevő|telefon)szám)$/iu;
/** Names of numbered things, taxpayers' numbers and coordinates. Points in their values never group digits. */
const NUMBERED_THINGS =
  /^(?:artikel|article|artículo|articolo|material|teil|part|item|produkte?|product|produit|producto|kunde|customer|client|cliente|debitor|kreditor|lieferant|supplier|vendor|fournisseur|proveedor|ref|réf|ordnungszahl|pos|position|posición|dni|nie|nif|cif|rut|run|nit|cuit|cuil|rfc|cpf|cnpj|bsn|cédula|cedula)\.?$|^(?:geo)?(?:lat|lon|lng|long|latitude|longitude|latitud|longitud|breitengrad|längengrad)$/iu;
/** Numbers of parts or invoices, even if they look like days. */
const NUMBERED =
  /(?:nummer|nr|(?:^|[ _-])(?:no|number|code|id|sku|oz))\.?$|^(?:n[°º]|num[ée]ro|número)(?=$|[ .])|^(?:artikel|article|artículo|material|part|teil|item)$/iu;
const GROUPED = /^\d{1,3}(?:[.,'’ \u00a0\u202f]\d{3})+$/;
/** Excludes ISO 8601, which may be a date. */
const LIKE_A_DAY = /^(?!\d{4}-\d\d-\d\d$)\d{1,4}([./-])\d{1,2}\1\d{1,4}$/;
/** `NO` and `SI` are countries or languages. */
const PLACES = /^(?:land|ländercode|country|pays|país|sprache|lang(?:uage|ue)?|idioma)(?:[ _-]?code)?$/iu;
const TWO_LETTERS = /^[a-z]{2}$/i;
/** `1:50` is a ratio or result, no time of day. */
const RATIOS =
  /(?:^|[ _-])(?:ma(?:ß|ss)stab|verhältnis|mischung|scale|ratio|score|odds|échelle|escala|proporción|(?:end)?ergebnis|resultat|spielstand|tore|satz|halbzeit|vers|results?|goals|half-?time|verse|résultat|resultado|marcador)$|\p{L}(?:maßstab|verhältnis)$/iu;
/** Excludes ISO 8601. */
const LIKE_A_TIME = /^(?!\d\d:\d\d:\d\d$)\d{1,3}:\d{1,3}(?::\d{1,3})?$/;
const MAX_NAME = 60;

/**
 * Returns patterns of cells that are codes under this name, not numbers, days, yes or no; empty for a usual or very
 * long name.
 * @param isSheet points in its numbers don't group digits
 */
export function findCodePatterns(header: string, isSheet = false): readonly RegExp[] {
  if (header.length > MAX_NAME) return [];
  const isForeign = FOREIGN_CODES.test(header);
  const isNumbered = isForeign || NUMBERED.test(header);
  return [
    ...(!isSheet && (isForeign || CODES.test(header) || NUMBERED_THINGS.test(header)) ? [GROUPED] : []),
    ...(isNumbered ? [LIKE_A_DAY] : []),
    ...(PLACES.test(header) ? [TWO_LETTERS] : []),
    ...(RATIOS.test(header) || isNumbered ? [LIKE_A_TIME] : []),
  ];
}

/** A stage such as `Order` may have the day it was reached. */
const DOCUMENTS =
  /(?:^|[ _-])(?:bon|az|gz|ref|dok|doc|fall|ticket|charge|los|serie|pos(?:ition)?|kapitel|abschnitt|version|document|voucher|receipt|invoice|bill|order|quote|reference|case|file|contract|batch|lot|serial|chapter|section|pièce|facture|reçu|commande|devis|dossier|référence|contrat|chapitre|documento|factura|recibo|pedido|presupuesto|expediente|referencia|contrato|lote|capítulo|albarán|comprobante)s?\.?$|(?:beleg|rechnung|quittung|auftrag|bestellung|angebot|zeichen|schein|vorgang|akte|vertrag|dokument|referenz|kennung)(?:e|en)?$/iu;
const DAYS =
  /datum|date|fecha|jour|tag(?:e|$)|\btag|day|geb(?:oren|urt)|birth|born|naissance|nacimiento|fällig|deadline|termin|échéance|vencimiento|erstellt|created|modified|geändert|beginn|begin|start|ende$|début|inicio|period|période|período|zeitraum|monat|month|expir|ablauf|gültig|valid|valuta|wertstellung|paid|shipped|ordered|signed|joined|eintritt|austritt|zeit|time|(?:^|[ _-])(?:am|dt|vom|von|bis|ab|seit|from|to|since|until|on|when|wann|dob|due|end|le|du|au|né|née|mois|fin|día|dia|mes|desde|hasta|eingang|ausgang)$/iu;
/** With the year first, or a month's name. */
const DAY = /^(?!\d{4}-\d\d-\d\d$)(\d{1,4})([./-])(\d{1,2}|\p{L}{3,10})\2(\d{1,4})$/u;

/** `30/01/26`, `1-Apr-26`, `30/Jan/26 3:16 PM`; year first: `26/01/15`, `26-Jan-15`. */
const SHORT_DAY = /^(?:le )?(\d\d?)(?:([./])(\d\d?)\2|\D{4,20}[ /-])(\d\d)(?![\d:])/i;
/** Not `3. März 26`, nor `30/01/00`. */
const MAY_BEGIN_WITH_YEAR = /^\d\d[-./][^ ]*(?<!00)$/;

/** They show how a file writes days. */
const MAX_LOOKED_AT = 1000;
const MIN_COUNTED = 3;
/** Fewer days may count up over a month's end by chance. */
const MIN_COUNTED_ON = 4;

/** Detects whether numbers below ten are padded. */
class Padding {
  #isBare = false;
  #isPadded = false;

  /** Records whether the part is a bare digit (`3`) or a padded one (`03`). */
  recordPart(part: string): void {
    this.#isBare ||= /^[1-9]$/.test(part);
    this.#isPadded ||= /^0\d$/.test(part);
  }

  /** Returns whether only this one writes bare digits, and only the other one pads them. */
  isBareBeside(other: Padding): boolean {
    return this.#isBare && !this.#isPadded && other.#isPadded && !other.#isBare;
  }

  /** Returns whether no bare digit was seen. */
  isWithoutBare(): boolean {
    return !this.#isBare;
  }
}

/** Detects a part that counts up by one; it may restart when other parts change. */
class Counting {
  #cells = 0;
  #counts = true;
  #countsOn = false;
  #number = 0;
  #beside = '';

  /**
   * Records the next number: whether all follow the one before, or begin at 1 when `beside` changes, and whether any
   * follows across such a change.
   */
  recordPart(part: string, beside: string): void {
    const number = Number(part);
    const isNext = this.#cells === 0 || number === this.#number + 1;
    const isOther = this.#cells > 0 && beside !== this.#beside;
    this.#counts &&= isNext || (isOther && number === 1);
    this.#countsOn ||= isNext && isOther;
    this.#cells++;
    [this.#number, this.#beside] = [number, beside];
  }

  /** Returns whether enough numbers were seen, and all count up. */
  isCounted(): boolean {
    return this.#counts && this.#cells >= MIN_COUNTED;
  }

  /** Returns whether enough numbers all count up, even past a change of other parts, as days of a month don't. */
  isCountedOn(): boolean {
    return this.#counts && this.#countsOn && this.#cells >= MIN_COUNTED_ON;
  }
}

/** Detects document numbers that look like days: `1-01-2026` (number, month, year). */
export class CodeDaysSeen {
  readonly #isOfDays: boolean;
  readonly #isOfDocuments: boolean;
  readonly #days = new Padding();
  readonly #months = new Padding();
  readonly #dayCount = new Counting();
  readonly #middleCount = new Counting();
  #areAll = true;
  #cells = 0;
  #before = '';
  #isRepeated = false;
  readonly #separators = new Set<string>();
  #areUnevenDays = false;
  /** The first cell's day, if its year has two digits. */
  shortDay: string | undefined;
  readonly #firstYears = new Set<string>();
  readonly #lastYears = new Set<string>();
  #isProvenLast = false;
  #isSlashed = false;

  constructor(header: string) {
    this.#isOfDays = header.length > MAX_NAME || DAYS.test(header);
    this.#isOfDocuments = !this.#isOfDays && (DOCUMENTS.test(header) || NUMBERED.test(header));
  }

  /**
   * Records a non-blank cell: days with short years, and how a day's parts are written, as long as all cells look like
   * days. A cell equal to the one before, as positions of a document are, isn't recorded again.
   */
  recordCell(cell: string): void {
    this.#recordShortDay(cell);
    if (!this.#areAll || (this.#isOfDays && this.#cells >= MAX_LOOKED_AT)) return;
    const parts = DAY.exec(cell);
    this.#areAll = parts !== null;
    if (!parts) return;
    this.#cells++;
    this.#isRepeated ||= cell === this.#before;
    if (cell === this.#before) return;
    this.#before = cell;
    const [, first = '', separator = '', middle = '', last = ''] = parts;
    this.#separators.add(separator);
    const [day, year] = first.length === 4 ? [last, first] : [first, last];
    this.#days.recordPart(day);
    this.#months.recordPart(middle);
    this.#dayCount.recordPart(day, `${middle} ${year}`);
    this.#middleCount.recordPart(middle, `${day} ${year}`);
  }

  /** Returns whether the name is of days, as others may be of versions or parts: `1.2.10`, `10/20/30`. */
  isOfDays(): boolean {
    return this.#isOfDays;
  }

  /**
   * Returns whether years of two digits are last; true without such days. They vary least, and are near the present,
   * rarely ahead. Slashes need proof of it; points and names of months are rare behind first years.
   */
  endsInYears(): boolean {
    if (this.#isProvenLast || this.shortDay === undefined) return true;
    const [first, last] = [this.#firstYears, this.#lastYears];
    const isLast = Math.sign(first.size - last.size) + Math.sign(yearsAway(first) - yearsAway(last));
    return this.#isSlashed ? isLast > 0 : isLast > -2;
  }

  /** Records first and last parts of a day such as `3/4/24`, and proof that its year is last; ignores other cells. */
  #recordShortDay(cell: string): void {
    const [shortDay = '', first, separator, middle, last] = SHORT_DAY.exec(cell) ?? [];
    if (first === undefined || last === undefined) return;
    this.shortDay ??= shortDay;
    this.#isSlashed ||= separator === '/';
    const mayBeFirst = MAY_BEGIN_WITH_YEAR.test(shortDay);
    this.#isProvenLast ||= !mayBeFirst || Number(middle) > MONTHS || Number(last) > DAYS_OF_MONTH;
    this.#firstYears.add(first);
    this.#lastYears.add(last);
  }

  /**
   * Returns the separators if the column's name means days, all cells are days, and only their days or only their
   * months lack zeros (Australia's `1/03/2026`), for `acceptUnevenDays` of other columns; otherwise undefined.
   */
  unevenDays(): string | undefined {
    return this.#isOfDays && this.#areAll && this.#isUneven() ? this.#separatorText() : undefined;
  }

  /** Accepts uneven days from now on if their separators are among these, as other columns have such days. */
  acceptUnevenDays(separators: readonly string[]): void {
    this.#areUnevenDays = separators.includes(this.#separatorText());
  }

  /** Returns the different separators seen so far, in one text. */
  #separatorText(): string {
    return [...this.#separators].join('');
  }

  /** Returns whether either days or months lack the zero that the other has. */
  #isUneven(): boolean {
    return this.#days.isBareBeside(this.#months) || this.#months.isBareBeside(this.#days);
  }

  /**
   * Returns `likely` for document numbers rather than days, `possible` if they may be. Most programs write days and
   * months alike, so a number without a zero beside a month with one is in doubt. So are numbers that count up, unless
   * the column is named after days, or they look like `02.03.2026`.
   */
  doubt(): 'likely' | 'possible' | undefined {
    if (this.#isOfDays || !this.#areAll || this.#cells === 0) return undefined;
    const isUneven = !this.#areUnevenDays && this.#isUneven();
    const isNumberFirst = isUneven && this.#days.isBareBeside(this.#months);
    const isCounted = this.#dayCount.isCounted();
    if (this.#isOfDocuments && (isUneven || isCounted)) return 'likely';
    // Points usually mean days.
    const isDotted = this.#separatorText() === '.';
    if (this.#isOfDocuments && !isDotted) return 'possible';
    const isUnevenCount = isNumberFirst ? isCounted : isUneven && this.#middleCount.isCounted();
    if (!this.#isRepeated && (isUnevenCount || this.#dayCount.isCountedOn())) return 'likely';
    const areUsualDays = isDotted && this.#days.isWithoutBare() && this.#months.isWithoutBare();
    return isUneven || (isCounted && !this.#isRepeated && !areUsualDays) ? 'possible' : undefined;
  }
}

const MONTHS = 12;
const DAYS_OF_MONTH = 31;

/** Returns the mean distance of two-digit years from the present; each year ahead counts three times. */
function yearsAway(years: ReadonlySet<string>): number {
  const now = new Date().getFullYear();
  const away = [...years].map((year) => Number(fullYear(year, now)) - now);
  return away.reduce((sum, each) => sum + Math.max(3 * each, -each), 0) / away.length;
}
