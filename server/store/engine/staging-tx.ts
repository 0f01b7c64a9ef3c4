import type { Group } from './journal.ts';
import { createLineBuffer, lineBytes, type LineSpan } from '../files/line-buffer.ts';
import type { PartitionData } from './journal-adapter.ts';
import { createStaged, type Staged } from './staged.ts';
import {
  MAX_LINE_ENTRIES,
  type Entry,
  type IndexTexts,
  type Table,
  type TemplateEntries,
  type Tx,
} from '../store.ts';
import { fillTemplate } from './template.ts';
import { MIN_LINE_ENTRIES, formatTemplateLine } from './template-line.ts';
import { createOperationReader, type Operation } from './operation.ts';
import { findByIndex, getValue, type View } from './views.ts';

/** Reads durable data, waiting changes and its own; stages its changes. */
export class StagingTx implements Tx {
  readonly staged = createStaged();
  readonly #data: PartitionData;
  readonly #view: View;
  readonly #lines = createLineBuffer();
  readonly #readBack = createOperationReader();
  #ops = 0;
  #last: number;
  #isOver = false;

  constructor(data: PartitionData) {
    const { inFlight, state, waiting } = data;
    this.#data = data;
    this.#view = layeredView([this.staged, waiting.staged, ...(inFlight ? [inFlight.staged] : [])], data);
    this.#last = waiting.groups.at(-1)?.last ?? inFlight?.groups.at(-1)?.last ?? state.lastSeq();
  }

  get<T>(table: Table<T>, key: string): Promise<T | undefined> {
    return this.#read(() => getValue(this.#view, table, key));
  }

  getMany<T>(table: Table<T>, keys: readonly string[]): Promise<(T | undefined)[]> {
    return this.#read(() => keys.map((key) => getValue(this.#view, table, key)));
  }

  /** Returns entries with this index text in key order, staged ones included. */
  find<T>(table: Table<T>, index: string, text: string): Promise<Entry<T>[]> {
    return this.#read(() => findByIndex(this.#view, table, index, text), this.#prepareIndex(table, index));
  }

  /**
   * Returns for each text the first entry, by key, with this text in the index, staged ones included; undefined without
   * one.
   */
  findMany<T>(table: Table<T>, index: string, texts: readonly string[]): Promise<(Entry<T> | undefined)[]> {
    return this.#read(
      () => texts.map((text) => findByIndex(this.#view, table, index, text, 1)[0]),
      this.#prepareIndex(table, index),
    );
  }

  /** Stages an entry, in place of any other with its key, as the next change. Throws TypeError for undefined. */
  put<T>(table: Table<T>, key: string, value: T): void {
    this.#throwIfOver();
    if (value === undefined) throw new TypeError(`undefined cannot be stored (table ${table.name}).`);
    const texts = indexTextsOf(table, value);
    this.#stagePut(table.name, key, storedFormOf(table, value), texts);
  }

  /** Puts new entries that share a template, in one line if possible. */
  putFromTemplate<T>(table: Table<T>, entries: TemplateEntries): void {
    this.#throwIfOver();
    const { keys, template, texts, indexes } = entries;
    const refs = this.#writeInOneLine(table.name, entries);
    for (const [at, key] of keys.entries()) {
      const [slot, indexTexts] = [refs?.[at]?.slot, indexes[at] ?? NO_TEXTS];
      if (slot) this.staged.stageEntry(table.name, key, { slot, texts: indexTexts });
      else this.#stagePut(table.name, key, fillTemplate(template, texts[at] ?? ''), indexTexts);
    }
  }

  /**
   * Stages another value of an entry under its present change number, so that it doesn't count as changed; nothing
   * without one.
   */
  amend<T>(table: Table<T>, key: string, value: T): void {
    this.#throwIfOver();
    const before = this.#view.slot(table.name, key);
    if (!before) return;
    const texts = indexTextsOf(table, value);
    const { seq } = before;
    const { bytes, start, end } = this.#lines.add(seq, table.name, key, storedFormOf(table, value));
    this.#ops++;
    this.staged.stageEntry(table.name, key, { slot: { key, seq, bytes, start, end }, texts });
  }

  /** Stages an entry's deletion as the next change; nothing without one. */
  delete<T>(table: Table<T>, key: string): void {
    this.#throwIfOver();
    if (this.#view.slot(table.name, key) === undefined) return;
    this.#addNextLine(table.name, key);
    this.staged.stageEntry(table.name, key, null);
  }

  /** Ends the transaction and returns its lines; undefined if nothing changed. Other calls throw from then on. */
  finish(): Group | undefined {
    this.#isOver = true;
    return this.#ops === 0 ? undefined : { chunks: this.#lines.pieces(), ops: this.#ops, last: this.#last };
  }

  /** Throws an Error once the transaction is over. */
  #throwIfOver(): void {
    if (this.#isOver) throw new Error('This transaction is over; nothing more can be done in it.');
  }

  /** Starts building the index if needed; returns a promise until it is built. */
  #prepareIndex<T>(table: Table<T>, index: string): Promise<void> | undefined {
    return this.#data.state.table(table.name).prepare(table, index);
  }

  /** Returns the result of `work` after `prepared`. Throws once the transaction is over. */
  async #read<R>(work: () => R, prepared?: Promise<void>): Promise<R> {
    this.#throwIfOver();
    if (prepared) await prepared;
    return work();
  }

  /** Adds a put (with `json`) or deletion; returns its position. */
  #addNextLine(table: string, key: string, json?: string): LineSpan {
    const place = this.#lines.add(this.#last + 1, table, key, json);
    this.#last++;
    this.#ops++;
    return place;
  }

  /** Adds entries as one line and returns their operations; adds none if too few, too many or not read back equal. */
  #writeInOneLine(table: string, entries: TemplateEntries): readonly Operation[] | undefined {
    const { keys } = entries;
    if (keys.length < MIN_LINE_ENTRIES || keys.length > MAX_LINE_ENTRIES) return undefined;
    const bytes = lineBytes(formatTemplateLine(this.#last + 1, table, entries));
    const operations = this.#readBack(bytes, 0, bytes.length - 1) ?? [];
    const isWhole = keys.every((key, at) => operations[at]?.slot.key === key);
    if (!isWhole || operations.length > keys.length) return undefined;
    this.#lines.addLine(bytes);
    this.#last += keys.length;
    this.#ops++;
    return operations;
  }

  /** Adds the line of a put and stages its entry. */
  #stagePut(table: string, key: string, json: string, texts: IndexTexts): void {
    const { bytes, start, end } = this.#addNextLine(table, key, json);
    this.staged.stageEntry(table, key, { slot: { key, seq: this.#last, bytes, start, end }, texts });
  }
}

/** Creates a view of the durable data below staged layers, the newest first. */
function layeredView(layers: readonly Staged[], data: PartitionData): View {
  return {
    /** Returns the newest staged entry, without one the stored one; undefined if missing or deleted. */
    slot(table, key) {
      for (const layer of layers) {
        const entry = layer.entry(table, key);
        if (entry !== undefined) return entry?.slot;
      }
      return data.state.table(table).byKey.get(key);
    },
    /** Returns the durable and staged keys with this index text, some perhaps twice or outdated. */
    keysUnder(table, index, text) {
      let keys = data.state.table(table).keysUnder(index, text);
      for (const layer of layers) {
        const staged = layer.keysUnder(table, index, text);
        if (staged.length > 0) keys = [...keys, ...staged];
      }
      return keys;
    },
  };
}

const storedFormOf = <T>({ form }: Table<T>, value: T): string =>
  JSON.stringify(form ? form.encode(value) : value);

const NO_TEXTS: IndexTexts = {};

/** Returns the value's index texts, computed before it is stored, so that errors show. */
function indexTextsOf<T>({ indexes }: Table<T>, value: T): IndexTexts {
  if (!indexes) return NO_TEXTS;
  const texts: Record<string, string | undefined> = {};
  for (const index in indexes) texts[index] = indexes[index]?.(value);
  return texts;
}
