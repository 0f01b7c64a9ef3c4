import { COLOURS, type Colour } from '../../base/vocabulary.ts';
import type { Partition, Tx } from '../../store/store.ts';
import { NODES } from '../tables.ts';

/** Returns the first colour that the fewest present partners have. */
export async function colourFor(tx: Pick<Tx, 'find'>): Promise<Colour> {
  let best: { colour: Colour; taken: number } | undefined;
  for (const colour of COLOURS) {
    const all = await tx.find(NODES, 'colour', colour);
    const taken = all.filter(({ value }) => value.deletedAt === undefined).length;
    if (best === undefined || taken < best.taken) best = { colour, taken };
  }
  return best?.colour ?? COLOURS[0];
}

/** Gives every partner without a known colour one, in the order of ids. */
export async function assignColours(system: Partition): Promise<void> {
  const all = await system.page(NODES, { limit: 100_000 });
  for (const { key } of all.filter(({ value }) => !COLOURS.includes(value.colour))) {
    await system.transaction(async (tx) => {
      const node = await tx.get(NODES, key);
      if (node) tx.put(NODES, key, { ...node, colour: await colourFor(tx) });
    });
  }
}
