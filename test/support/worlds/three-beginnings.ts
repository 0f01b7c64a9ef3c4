import { join } from 'node:path';
import { temporaryFolderInMemory } from '../harness/temporary-folder.ts';
import { startLine } from '../faults/line.ts';
import {
  byName,
  NAMES,
  SHAPES,
  threeOffices,
  type Beginning,
  type Name,
  type Row,
  type Shape,
  type Street,
} from './three-offices.ts';

/** Pairing and the first exchange take longer than most of what follows: they are done once for each shape. */
export interface Beginnings {
  of(shape: Shape): Promise<Beginning>;
  close(): Promise<void>;
}

const START = Date.parse('2026-03-02T08:00:00Z');

/** @param first the rows that each office begins with */
export async function openBeginnings(first: (at: Name) => readonly Row[]): Promise<Beginnings> {
  const folder = await temporaryFolderInMemory();
  // The addresses by which the offices know each other stay the same, whichever world runs behind them.
  const [Oslo, Bergen, Turku] = [await startStreet(), await startStreet(), await startStreet()];
  const streets: Readonly<Record<Name, Street>> = { Oslo, Bergen, Turku };
  const made = new Map<Shape, Beginning>();

  async function make(shape: Shape): Promise<Beginning> {
    const empty = await temporaryFolderInMemory();
    const blank: Beginning = {
      links: SHAPES[shape],
      path: empty.path,
      streets,
      time: START,
      lists: {},
      partners: byName(() => new Map()),
    };
    const three = await threeOffices(blank);
    await empty.remove();
    await three.setUp();
    for (const name of NAMES) await three.add(name, first(name));
    await three.settle();
    const path = join(folder.path, shape);
    return { ...blank, path, ...(await three.leaveAt(path)) };
  }

  return {
    async of(shape) {
      const beginning = made.get(shape) ?? (await make(shape));
      made.set(shape, beginning);
      return beginning;
    },
    async close() {
      for (const { line } of Object.values(streets)) await line.close();
      await folder.remove();
    },
  };
}

async function startStreet(): Promise<Street> {
  let port: number | undefined;
  return { line: await startLine(() => port), lead: (to) => (port = to) };
}
