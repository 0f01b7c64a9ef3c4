import type { GridRow, ListColumn } from '../../server/contract/app/lists.ts';
import type { NodeError } from '../api/http.ts';
import type { RowValues } from '../api/lists.ts';

export type Content = readonly string[];

/** Input into a cell, not at the node yet. */
export interface CellInput extends Pick<ListColumn, 'fieldID' | 'name' | 'label'> {
  /** Before the input. */
  readonly row: GridRow;
  readonly values: Content;
  /**
   * May replace these: seen ones, or sent without an answer; once saved, the saved ones. Default: the row's, of refused
   * input any.
   */
  over?: readonly Content[];
}

export interface RejectedInput extends CellInput {
  readonly problem: string;
  readonly isDeleted: boolean;
}

interface NewRow {
  readonly newRow: RowValues;
  /** Undefined if not begun, or by an earlier version. */
  readonly idempotencyKey?: string | undefined;
}

/** A list's input, not at the node yet. */
export interface Draft extends NewRow {
  readonly rejected: readonly RejectedInput[];
  /** Inputs on their way, or until the node answers again. */
  readonly unsent: readonly CellInput[];
}

type Entry = NewRow | CellInput | RejectedInput;

const PREFIX = 'footbridge.draft.';
const NEW_ROW = '.new.';

/** Sorts by time. */
export const createID = (): string => `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`;

const isRejected = (input: CellInput): input is RejectedInput => 'problem' in input;

/** Returns whether the node gave no answer of its own. */
export const isUnanswered = ({ status, code }: NodeError): boolean =>
  status === 0 || status === 401 || status === 503 || code === 'window.unexpected';

const DELETED = ['row.deleted', 'row.unknown'];

/**
 * Autosaves unsaved input in `localStorage`, to survive leaving the list, reload and quit. Each input, and
 * each window's new row, has a key: windows don't overwrite each other's.
 */
export class Drafts {
  #entries = $state.raw<ReadonlyMap<string, Entry>>(new Map());
  readonly #ownNewRow = NEW_ROW + createID();
  /** Keys of new rows that this window waits for. */
  readonly #sent = new Set<string>();

  constructor() {
    const keys = Object.keys(localStorage).filter((key) => key.startsWith(PREFIX));
    for (const key of keys.sort()) this.#readStored(key.slice(PREFIX.length));
  }

  /** Returns a list's begun new row, and its refused and unsent inputs. */
  draftOf(moduleID: string): Draft {
    const inputs = this.#inputsOf(moduleID);
    const begun = this.#entries.get(this.#keyOfNewRow(moduleID));
    return {
      ...(begun && 'newRow' in begun ? begun : { newRow: {} }),
      rejected: inputs.filter(isRejected),
      unsent: inputs.filter((input) => !isRejected(input)),
    };
  }

  hasNewRow(moduleID: string): boolean {
    return this.#entries.has(this.#keyOfNewRow(moduleID));
  }

  /** Keeps the form's values for a new row, by default the begun one; forgets them if all are empty. */
  changeNewRow(
    moduleID: string,
    newRow: RowValues,
    idempotencyKey = this.draftOf(moduleID).idempotencyKey ?? createID(),
  ): void {
    const isEmpty = Object.values(newRow).every((values) => values.length === 0);
    this.#setAndStore(this.#keyOfNewRow(moduleID), undefined);
    if (!isEmpty) this.#setAndStore(moduleID + this.#ownNewRow, { newRow, idempotencyKey });
  }

  /**
   * Keeps the values of a new row that the grid shows, until {@link endSentRow}. If the page or the list is left first,
   * the form offers them.
   */
  keepSentRow(moduleID: string, newRow: RowValues, idempotencyKey: string): void {
    const key = moduleID + NEW_ROW + idempotencyKey;
    this.#sent.add(key);
    this.#setAndStore(key, { newRow, idempotencyKey });
  }

  /** Returns whether the grid still waits for this new row. */
  isSentRow(moduleID: string, idempotencyKey: string): boolean {
    return this.#sent.has(moduleID + NEW_ROW + idempotencyKey);
  }

  /** Lets the form offer new rows that a list's grid showed. */
  releaseSentRows(moduleID: string): void {
    for (const key of this.#sent) if (key.startsWith(moduleID + NEW_ROW)) this.#sent.delete(key);
  }

  /** Forgets the values of a new row that was added or discarded. */
  endSentRow(moduleID: string, idempotencyKey: string): void {
    const key = moduleID + NEW_ROW + idempotencyKey;
    this.#setAndStore(key, undefined);
    this.#sent.delete(key);
  }

  /**
   * Keeps an input with the node's reason to refuse it, unless it was replaced since. Returns false, and leaves it
   * unsent, if the node gave no answer of its own: it may succeed later.
   */
  keepRejected(moduleID: string, input: CellInput, error: NodeError, problem: string): boolean {
    if (isUnanswered(error)) return false;
    if (!this.isKept(input)) return true;
    const rejected: RejectedInput = { ...input, problem, isDeleted: DELETED.includes(error.code) };
    // Saved again, it replaces the change that the user was told of.
    if (error.code === 'row.changed') delete rejected.over;
    this.keepUnsent(moduleID, rejected);
    return true;
  }

  /** Keeps an input; it replaces earlier ones into the same cell. */
  keepUnsent(moduleID: string, input: CellInput): void {
    for (const other of this.#inputsOf(moduleID)) if (isSameCell(other, input)) this.dismissInput(other);
    this.#setAndStore(`${moduleID}.${createID()}`, input);
  }

  /**
   * Adds values to the begun new row. They are of another row if given with another key, if that one `isShown`, which
   * then stays, or has others in these columns: one of both is offered after the other.
   */
  continueNewRow(moduleID: string, values: RowValues, isShown: boolean, given?: string): void {
    const idempotencyKey = given ?? createID();
    const { newRow, idempotencyKey: begun } = this.draftOf(moduleID);
    const differs = ([name, texts]: [string, Content]): boolean =>
      (newRow[name]?.length ?? 0) > 0 && newRow[name]?.join('\n') !== texts.join('\n');
    const isBegun = this.hasNewRow(moduleID) && begun !== idempotencyKey;
    if (!isBegun || !(given !== undefined || isShown || Object.entries(values).some(differs))) {
      this.changeNewRow(moduleID, { ...newRow, ...values }, begun ?? idempotencyKey);
      return;
    }
    const later = isShown ? { newRow: values, idempotencyKey } : { newRow, idempotencyKey: begun };
    this.changeNewRow(moduleID, isShown ? newRow : values, isShown ? begun : idempotencyKey);
    this.#setAndStore(`${moduleID}${NEW_ROW}${createID()}`, later);
  }

  /** Changes what an input may replace. */
  changeOver(input: CellInput, over: readonly Content[]): void {
    input.over = over;
    for (const [key, entry] of this.#entries) if (entry === input) this.#setAndStore(key, input);
  }

  /** Returns whether this very input is kept. */
  isKept(input: CellInput): boolean {
    return [...this.#entries.values()].includes(input);
  }

  /** Forgets this very input, in other windows too. */
  dismissInput(input: CellInput): void {
    for (const [key, entry] of this.#entries) if (entry === input) this.#setAndStore(key, undefined);
  }

  /** Lists with inputs that the node hasn't answered. */
  get unsentLists(): readonly string[] {
    const lists = [...this.#entries.keys()].map((key) => key.slice(0, key.indexOf('.')));
    return [...new Set(lists)].filter((moduleID) => this.draftOf(moduleID).unsent.length > 0);
  }

  /**
   * Takes over what another window keeps or dismisses, but no new row begun there. Stores this window's new row again
   * if the other changed or removed it.
   */
  followStorage({ key: stored }: Pick<StorageEvent, 'key'>): void {
    if (!stored?.startsWith(PREFIX)) return;
    const key = stored.slice(PREFIX.length);
    // A row continued in another window is filled in here too, as another row; one begun there is its own.
    if (key.endsWith(this.#ownNewRow)) {
      const own = this.#entries.get(key);
      this.#setAndStore(key, own && { ...own, idempotencyKey: createID() });
    } else if (!key.includes(NEW_ROW) || this.#entries.has(key)) this.#readStored(key);
  }

  /** Returns the key of this window's new row, otherwise of the first one that another window left behind. */
  #keyOfNewRow(moduleID: string): string {
    const own = moduleID + this.#ownNewRow;
    if (this.#entries.has(own)) return own;
    const isLeft = (key: string): boolean => key.startsWith(moduleID + NEW_ROW) && !this.#sent.has(key);
    return [...this.#entries.keys()].find(isLeft) ?? own;
  }

  /** Returns the list's inputs into cells, refused and unsent. */
  #inputsOf(moduleID: string): CellInput[] {
    return [...this.#entries].flatMap(([key, entry]) =>
      key.startsWith(`${moduleID}.`) && 'values' in entry ? [entry] : [],
    );
  }

  /** Takes over a stored entry, converted if an earlier version's; drops what isn't readable. */
  #readStored(key: string): void {
    const stored = parseOrUndefined(localStorage.getItem(PREFIX + key));
    if (!key.includes('.')) this.#convertOldEntry(key, stored);
    else if (isObject(stored) && isCellOfNewRow(stored)) this.#convertCellOfNewRow(key, stored);
    else this.#setInMemory(key, isEntry(stored) ? stored : undefined);
  }

  /** Makes a new row of the value that an earlier version kept for its cell. */
  #convertCellOfNewRow(key: string, { name, values }: CellOfNewRow): void {
    this.#setAndStore(key, undefined);
    const newRow = { newRow: { [name]: values }, idempotencyKey: createID() };
    this.#setAndStore(key.replace('.', NEW_ROW), newRow);
  }

  /** Splits a list's input that an earlier version kept under one key. */
  #convertOldEntry(moduleID: string, stored: unknown): void {
    localStorage.removeItem(PREFIX + moduleID);
    if (!isObject(stored) || !('newRow' in stored) || !('rejected' in stored)) return;
    if (isEntry({ newRow: stored.newRow })) this.changeNewRow(moduleID, stored.newRow as RowValues);
    for (const input of Array.isArray(stored.rejected) ? (stored.rejected as unknown[]) : [])
      if (isEntry(input) && 'values' in input) this.keepUnsent(moduleID, input);
  }

  /** Sets or, with undefined, removes an entry of this window. */
  #setInMemory(key: string, entry: Entry | undefined): void {
    const entries = new Map(this.#entries);
    if (entry) entries.set(key, entry);
    else entries.delete(key);
    this.#entries = entries;
  }

  /**
   * Sets or, with undefined, removes an entry in this window and in `localStorage`; without room there it is kept until
   * the window closes.
   */
  #setAndStore(key: string, entry: Entry | undefined): void {
    this.#setInMemory(key, entry);
    try {
      if (entry) localStorage.setItem(PREFIX + key, JSON.stringify(entry));
      else localStorage.removeItem(PREFIX + key);
    } catch {
      // Without room, kept until the window closes.
    }
  }
}

const isSameCell = (one: CellInput, other: CellInput): boolean =>
  one.row.recordID === other.row.recordID && one.fieldID === other.fieldID;

/** Parses JSON; undefined if invalid, null for a null text. */
function parseOrUndefined(text: string | null): unknown {
  try {
    return JSON.parse(text ?? 'null');
  } catch {
    return undefined;
  }
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
const isTexts = (value: unknown): boolean =>
  Array.isArray(value) && value.every((text) => typeof text === 'string');

type CellOfNewRow = Pick<CellInput, 'name' | 'values'>;

const isCellOfNewRow = (stored: object): stored is CellOfNewRow =>
  !('row' in stored) &&
  'name' in stored &&
  typeof stored.name === 'string' &&
  'values' in stored &&
  isTexts(stored.values);

/** Returns whether a stored value is a draft: a new row, or an input with texts as values. */
function isEntry(stored: unknown): stored is Entry {
  if (!isObject(stored)) return false;
  if ('newRow' in stored) {
    const isKey = !('idempotencyKey' in stored) || typeof stored.idempotencyKey === 'string';
    return isKey && isObject(stored.newRow) && Object.values(stored.newRow).every(isTexts);
  }
  const isText = !('problem' in stored) || typeof stored.problem === 'string';
  const isOver = !('over' in stored) || (Array.isArray(stored.over) && stored.over.every(isTexts));
  const isCell = 'row' in stored && isObject(stored.row) && 'fieldID' in stored;
  return isText && isOver && isCell && 'values' in stored && isTexts(stored.values);
}
