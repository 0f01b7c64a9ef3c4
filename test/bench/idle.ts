import { middle, readable, type Measured } from './measured.ts';
import { openDestination, openOrigin } from './offices.ts';

/** A list that has been pulled, and its pull once more with nothing new. */
interface Idle {
  /** Milliseconds from the user's word to the answer that nothing is new. */
  again(): Promise<number>;
  remove(): Promise<void>;
}

const WARM = 10;

/** A sync with nothing new must not cost more where many rows are held: both sizes are measured in turn. */
export async function measureIdle(few: number, many: number, times: number): Promise<Measured[]> {
  const small = await pulled(few);
  const large = await pulled(many).catch(async (error: unknown) => {
    await small.remove();
    throw error;
  });
  try {
    const [ofFew, ofMany]: [number[], number[]] = [[], []];
    for (let at = 0; at < WARM + times; at++) {
      const [one, other] = [await small.again(), await large.again()];
      if (at < WARM) continue;
      ofFew.push(one);
      ofMany.push(other);
    }
    const [theirs, ours] = [ofFew, ofMany].map((all) => middle(all, (ms) => ms));
    if (theirs === undefined || ours === undefined) throw new Error('Nothing was measured.');
    return [
      {
        what: `sync with nothing new, ${many.toLocaleString('en')} rows held`,
        reference: `the same, ${few.toLocaleString('en')} rows held`,
        ours: readable(ours),
        theirs: readable(theirs),
        ratio: theirs / ours,
        toReach: 'within 1.5×',
        reached: ours / theirs <= 1.5,
      },
    ];
  } finally {
    await small.remove();
    await large.remove();
  }
}

async function pulled(rows: number): Promise<Idle> {
  const { origin, list } = await openOrigin(rows);
  const { destination, here } = await openDestination(origin, list);
  const { created } = await destination.syncNow(here);
  if (created !== rows) throw new Error(`${created} rows came instead of ${rows}.`);
  return {
    async again() {
      const start = performance.now();
      const { created: more } = await destination.syncNow(here);
      if (more > 0) throw new Error('There was something new.');
      return performance.now() - start;
    },
    async remove() {
      await destination.remove();
      await origin.remove();
    },
  };
}
