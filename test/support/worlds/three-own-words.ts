import { NAMES, type GridRow, type Name, type ThreeOffices } from './three-offices.ts';

/** What users did with rows of other offices while these were theirs, as a connection had ended: it stays theirs. */
export interface OwnWords {
  /** The user of an office removes a row there. */
  removes(at: Name, key: string): void;
  /** Keys of rows that stand as the user of that office wants them to, whatever those have who brought them. */
  at(name: Name): Promise<ReadonlySet<string>>;
  /** So many rows its partners are said to have otherwise by its user's word. */
  told(at: Name): Promise<number>;
  /** Of so many rows it is told that a partner has them otherwise by the word of the user there. */
  heard(at: Name): Promise<number>;
  /** Everywhere the users have all of that as their partners have it. */
  takeBack(): Promise<void>;
}

const TOLD = /(\d+) rows? from .* keeps? your changes\./;
const HEARD = /keeps its own version of (\d+) rows?\./;

export function ownWords(three: ThreeOffices, keyOf: (row: GridRow) => string): OwnWords {
  const removed = new Map<Name, Set<string>>(NAMES.map((name) => [name, new Set()]));

  const isChanged = ({ received }: GridRow): boolean => received !== undefined && received.edited.length > 0;
  const isKept = (at: Name, row: GridRow): boolean => !row.received && !keyOf(row).startsWith(at);
  /** Rows of others in the bin, by the word of the user there. What is gone everywhere else too is nobody's word here. */
  async function binned(at: Name): Promise<GridRow[]> {
    const others = NAMES.filter((name) => name !== at).map((name) => three.grid(name));
    const shown = new Set((await Promise.all(others)).flat().map(keyOf));
    const isRemoved = (row: GridRow): boolean =>
      row.received !== undefined && shown.has(keyOf(row)) && removed.get(at)?.has(keyOf(row)) === true;
    return (await three.bin(at)).filter(isRemoved);
  }

  async function countOf(what: RegExp, at: Name): Promise<number> {
    const { partners } = await three.overview(at);
    const texts = partners.flatMap(({ reason, also }) => [reason, ...also]);
    return texts.reduce((sum, text) => sum + Number(what.exec(text)?.[1] ?? 0), 0);
  }

  return {
    removes(at, key) {
      removed.get(at)?.add(key);
    },
    async at(name) {
      const stand = (await three.grid(name)).filter((row) => isChanged(row) || isKept(name, row));
      return new Set([...stand, ...(await binned(name))].map(keyOf));
    },
    told: (at) => countOf(TOLD, at),
    heard: (at) => countOf(HEARD, at),
    async takeBack() {
      for (const name of NAMES) {
        for (const row of await binned(name)) {
          await three.restore(name, row.recordID);
          removed.get(name)?.delete(keyOf(row));
        }
        for (const row of await three.grid(name))
          if (isChanged(row)) await three.revert(name, row.recordID);
          else if (isKept(name, row)) {
            await three.remove(name, row.recordID);
            // Whoever brought it may only lack it until all is shared again.
            removed.get(name)?.add(keyOf(row));
          }
      }
    },
  };
}
