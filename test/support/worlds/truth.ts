type Row = Readonly<Record<string, string>>;

/** What one side shows of the other's rows. */
export interface Shown {
  /** The columns that are matched: what they are called there and here. */
  readonly columns: readonly { readonly origin: string; readonly destination: string }[];
  /** Undefined: it does not receive the list. */
  readonly rows: readonly Row[] | undefined;
}

/** What a list held, and until when, so that it can be told whether what somebody shows of it was ever true. */
export interface Truth {
  note(rows: readonly Row[], at: number): void;
  /** What is wrong with that, if it is nothing that the list held at `since` or later. */
  contradicts(shown: Shown, since: number): string | undefined;
}

export function truthOf(first: readonly Row[], at: number): Truth {
  /** What was made of the rows of a state, by the columns; it is looked at again and again. */
  const texts = new WeakMap<readonly Row[], Map<string, readonly string[]>>();
  function remembered(rows: readonly Row[], columns: readonly string[]): readonly string[] {
    const known = texts.get(rows) ?? new Map<string, readonly string[]>();
    texts.set(rows, known);
    const key = JSON.stringify(columns);
    const text = known.get(key) ?? textOf(rows, columns);
    known.set(key, text);
    return text;
  }

  const held: { readonly from: number; readonly rows: readonly Row[] }[] = [{ from: at, rows: first }];

  return {
    note: (rows, from) => void held.push({ from, rows }),
    contradicts({ columns, rows }, since) {
      if (!rows || columns.length === 0) return undefined;
      const is = textOf(
        rows,
        columns.map(({ destination }) => destination),
      );
      const origins = columns.map(({ origin }) => origin);
      const might = held.filter((_, index) => (held[index + 1]?.from ?? Infinity) >= since);
      const isOne = is.join();
      if (might.some((state) => remembered(state.rows, origins).join() === isOne)) return undefined;
      const should = textOf(might.at(-1)?.rows ?? [], origins);
      const extra = is.filter((text) => !should.includes(text)).slice(0, 2);
      const missing = should.filter((text) => !is.includes(text)).slice(0, 2);
      return `${is.length} rows of ${should.length}; too much: ${extra.join(' ')}; missing: ${missing.join(' ')}`;
    },
  };
}

function textOf(rows: readonly Row[], columns: readonly string[]): string[] {
  return rows.map((row) => JSON.stringify(columns.map((column) => row[column] ?? ''))).sort();
}
