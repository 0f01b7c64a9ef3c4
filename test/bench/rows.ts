/** A made-up row of about `bytes` bytes of JSON; the same number and version always give the same row. */
export function benchRow(number: number, version: number, bytes = 296): BenchRow {
  const row = {
    recordID: `5321${String(number).padStart(14, '0')}`,
    values: {
      Name: [`Customer ${number}`],
      City: [['Berlin', 'Lyon', 'Porto', 'Gdańsk'][number % 4] ?? ''],
      Amount: [((number * 7919) % 100_000).toFixed(2)],
      Note: [''],
    },
    createdAt: '2026-11-20T08:00:00Z',
    updatedAt: new Date(1_795_000_000_000 + version).toISOString(),
  };
  const left = bytes - Buffer.byteLength(JSON.stringify(row));
  row.values.Note = ['the quick brown fox '.repeat(1 + left / 20).slice(0, Math.max(left, 0))];
  return row;
}

export interface BenchRow {
  readonly recordID: string;
  readonly values: Readonly<Record<string, readonly string[]>>;
  readonly createdAt: string;
  readonly updatedAt: string;
}

/** Numbers from a seed, the same in every run. */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}
