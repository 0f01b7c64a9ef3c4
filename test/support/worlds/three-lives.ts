import type { PartnerSummary } from '../../../server/contract/app/overview.ts';
import type { Share } from '../../../server/contract/app/sharing.ts';
import { customers } from '../data/office-lists.ts';
import type { Harm } from './three-harms.ts';
import {
  COLUMNS,
  NAMES,
  threeOffices,
  type Beginning,
  type GridRow,
  type Name,
  type Row,
} from './three-offices.ts';
import { ownWords } from './three-own-words.ts';
import { bothEnds, offeredWays } from './three-ways.ts';

/** What happens to one of the three offices, or is done there. */
export type Act =
  | { readonly does: 'add'; readonly at: Name; readonly count: number }
  | {
      readonly does: 'edit' | 'remove';
      readonly at: Name;
      readonly which: number;
    }
  | { readonly does: 'sync' | 'copy' | 'backup' | 'restore'; readonly at: Name }
  | { readonly does: 'pass'; readonly seconds: number }
  | { readonly does: 'kill'; readonly at: Name; readonly calls: number }
  | {
      readonly does: 'harm';
      readonly at: Name;
      readonly what: Harm;
      readonly which: number;
      readonly isKilled: boolean;
    }
  | { readonly does: 'clock'; readonly at: Name; readonly ahead: number }
  | { readonly does: 'line'; readonly at: Name; readonly isCut: boolean }
  /** Answers of it end in the middle, until its line is another one. */
  | { readonly does: 'tear'; readonly at: Name }
  /** Its power fails in the middle of a restore. */
  | { readonly does: 'cut restore'; readonly at: Name; readonly calls: number }
  /** Both ends of a line remove each other, keep the rows, and pair anew; the clock of the inviter jumps meanwhile. */
  | { readonly does: 'pair anew'; readonly which: number; readonly ahead: number };

/** What the user of an office does where it says that another one's data went back. */
export type Way = 'take' | 'keep' | 'bring back';

/** Three offices, what each row may be by what was acknowledged, and what must not be lost. */
export interface ThreeLives {
  /** What happened so far, a line each. */
  readonly story: readonly string[];
  happens(act: Act): Promise<void>;
  comesToRest(): Promise<void>;
  /** @throws where rows are lost, there twice or made up, or offices differ and do not say so */
  isEqualOrTold(): Promise<'equal' | 'told'>;
  /** Goes the way that is offered. @throws unless all are equal then, and say that all is well */
  isMended(way: Way): Promise<void>;
  close(): Promise<void>;
}

const MADE = customers({ rows: 900, seed: 31 }).rows;
const FIRST_ROWS = 12;
/** The rows that an office begins with. */
export const firstRows = (at: Name): Row[] =>
  Array.from({ length: FIRST_ROWS }, (_, index) => rowNumber(at, NAMES.indexOf(at) * FIRST_ROWS + index));
const rowNumber = (at: Name, number: number): Row => ({
  ...MADE[number % MADE.length],
  CustomerID: `${at}-${number + 1}`,
});
const textOfRow = (row: Row): string => JSON.stringify(COLUMNS.map((column) => row[column] ?? ''));
const keyOf = ({ values }: GridRow): string => values.CustomerID?.[0] ?? '';
const textOf = ({ values }: GridRow): string =>
  JSON.stringify(COLUMNS.map((column) => (values[column] ?? []).join('|')));
const textsOf = (rows: readonly GridRow[]): string[] => rows.map(textOf).sort();

/** @param spent real milliseconds by what they went for, added to */
export async function threeLives(beginning: Beginning, spent: Map<string, number>): Promise<ThreeLives> {
  const { links } = beginning;
  const timed = async <T>(what: string, work: () => Promise<T>): Promise<T> => {
    const since = performance.now();
    try {
      return await work();
    } finally {
      spent.set(what, (spent.get(what) ?? 0) + performance.now() - since);
    }
  };
  const three = await timed('beginning', () => threeOffices(beginning));
  const ways = offeredWays(three, links);
  const words = ownWords(three, keyOf);
  const story: string[] = [];
  let made = NAMES.length * FIRST_ROWS;
  /** Of each key all that was ever acknowledged or tried. */
  const known = new Map<string, Set<string>>();
  const removed = new Set<string>();
  /** Of each office the keys that it showed, and that nobody took from it. */
  const safe = new Map<Name, Set<string>>(NAMES.map((name) => [name, new Set()]));
  /** Its own rows as acknowledged, of those whose data never went back. */
  const own = new Map<Name, Map<string, string>>(NAMES.map((name) => [name, new Map()]));

  function fresh(at: Name, count: number): Row[] {
    const rows = Array.from({ length: count }, () => rowNumber(at, made++));
    rows.forEach(know);
    return rows;
  }
  function know(row: Row): void {
    known.set(row.CustomerID ?? '', new Set([textOfRow(row)]));
  }
  async function note(at: Name): Promise<void> {
    for (const row of await three.grid(at)) {
      const key = keyOf(row);
      if (!removed.has(key)) safe.get(at)?.add(key);
    }
  }
  async function noteOwn(at: Name): Promise<void> {
    if (!own.has(at)) return;
    const rows = (await three.grid(at)).filter(({ received }) => !received);
    own.set(at, new Map(rows.map((row) => [keyOf(row), textOf(row)])));
  }
  /** Of an office whose data went back, only what it shows now is sure to be there. */
  async function wentBack(at: Name): Promise<void> {
    own.delete(at);
    safe.set(at, new Set());
    await note(at);
  }
  async function ownRow(at: Name, which: number): Promise<GridRow | undefined> {
    const rows = (await three.grid(at)).filter(({ received }) => !received);
    return rows[which % Math.max(rows.length, 1)];
  }
  async function ownTexts(at: Name): Promise<string[]> {
    return textsOf((await three.grid(at)).filter(({ received }) => !received));
  }

  async function add(at: Name, count: number): Promise<void> {
    await three.add(at, fresh(at, count));
    await noteOwn(at);
    await note(at);
  }

  async function kill(at: Name, calls: number): Promise<void> {
    const rows = fresh(at, 3);
    three.all[at].disk.cutAfter(1 + calls);
    const isDone = await three.add(at, rows).then(
      () => true,
      () => false,
    );
    await three.sync(at);
    await three.restart(at, true);
    const keys = new Set((await three.grid(at)).map(keyOf));
    const there = rows.filter(({ CustomerID = '' }) => keys.has(CustomerID)).length;
    if (there !== rows.length && (isDone || there > 0))
      throw new Error(`${at}: ${there} of ${rows.length} rows of an import, acknowledged: ${String(isDone)}`);
    const before = own.get(at);
    if (before) {
      const now = (await three.grid(at)).filter(({ received }) => !received);
      const texts = new Map(now.map((row) => [keyOf(row), textOf(row)]));
      for (const [key, text] of before)
        if (texts.get(key) !== text) throw new Error(`${at} lost ${text} with its power: ${texts.get(key)}`);
    }
    await noteOwn(at);
    await note(at);
  }

  async function harmed(act: Act & { does: 'harm' }): Promise<void> {
    const { at, what, which, isKilled } = act;
    const before = await ownTexts(at);
    const done = await three.restart(at, isKilled, { what, which });
    story.push(`  ${done}`);
    const { inbox } = await three.overview(at);
    const isTold = inbox.some(({ kind }) => kind === 'store-notice') || done.includes('restored');
    if (!(await three.isWhole(at))) {
      if (!isTold) throw new Error(`${at} lost lists or partners (${done}) and its inbox says nothing`);
      story.push('  restores its backup, as lists or partners are gone');
      await three.restoreBackup(at);
      await wentBack(at);
      return;
    }
    const after = new Set(await ownTexts(at));
    const lost = before.filter((text) => !after.has(text));
    await wentBack(at);
    if (what !== 'folder' && lost.length > 0 && !isTold)
      throw new Error(`${at} lost ${lost.length} rows of its own (${done}) and its inbox says nothing`);
  }

  async function happens(act: Act): Promise<void> {
    story.push(JSON.stringify(act));
    switch (act.does) {
      case 'add':
        await add(act.at, act.count);
        break;
      case 'edit': {
        const row = await ownRow(act.at, act.which);
        if (!row) break;
        const city = MADE[act.which % MADE.length]?.City ?? '';
        known.get(keyOf(row))?.add(
          textOf({
            ...row,
            values: { ...row.values, City: city === '' ? [] : [city] },
          }),
        );
        await three.edit(act.at, row.recordID, city);
        await noteOwn(act.at);
        break;
      }
      case 'remove': {
        const row = await ownRow(act.at, act.which);
        if (!row) break;
        removed.add(keyOf(row));
        for (const keys of safe.values()) keys.delete(keyOf(row));
        if (!keyOf(row).startsWith(act.at)) words.removes(act.at, keyOf(row));
        await three.remove(act.at, row.recordID);
        await noteOwn(act.at);
        break;
      }
      case 'sync':
        await three.sync(act.at);
        await note(act.at);
        break;
      case 'pass':
        await three.pass(act.seconds * 1000);
        for (const name of NAMES) await note(name);
        break;
      case 'kill':
        await kill(act.at, act.calls);
        break;
      case 'copy':
        await three.copy(act.at);
        break;
      case 'harm':
        await harmed(act);
        break;
      case 'backup':
        await three.saveBackup(act.at);
        break;
      case 'restore':
        await three.restoreBackup(act.at);
        await wentBack(act.at);
        break;
      case 'cut restore':
        story.push(`  ${await three.restoreBackup(act.at, act.calls)}`);
        await wentBack(act.at);
        break;
      case 'tear':
        three.all[act.at].line.set('torn');
        break;
      case 'pair anew': {
        const [at, other] = bothEnds(links)[act.which % (2 * links.length)] ?? ['Oslo', 'Bergen'];
        story.push(`  ${at} invites ${other}`);
        await three.pairAnew(at, other, act.ahead);
        // What was received is kept as their own.
        own.delete(at);
        own.delete(other);
        break;
      }
      case 'clock':
        three.setClock(act.at, act.ahead);
        break;
      case 'line':
        three.all[act.at].line.set(act.isCut ? 'cut' : 'clear');
        break;
    }
  }

  const summaryOf = async (at: Name, partner: Name): Promise<PartnerSummary> => {
    const { partners } = await three.overview(at);
    const found = partners.find(({ nodeID }) => nodeID === three.all[at].partners.get(partner));
    if (!found) throw new Error(`${at} does not know ${partner} any more`);
    return found;
  };
  const said = ({ state, reason, also }: PartnerSummary): string =>
    `${state}: ${[reason, ...also].join(' / ')}`;

  /** What is wrong at one office whatever the others have. */
  async function checkOne(at: Name): Promise<GridRow[]> {
    const rows = await three.grid(at);
    const keys = rows.map(keyOf);
    const lost = [...(safe.get(at) ?? [])].filter((key) => !keys.includes(key));
    if (lost.length > 0) throw new Error(`${at} showed and lost without a word: ${lost.join(', ')}`);
    for (const row of rows)
      if (!known.get(keyOf(row))?.has(textOf(row)))
        throw new Error(`${at} shows what nobody wrote: ${textOf(row)}`);
    const mine = own.get(at);
    const now = rows.filter(({ received }) => !received).map(textOf);
    if (mine && JSON.stringify(now.sort()) !== JSON.stringify([...mine.values()].sort()))
      throw new Error(`${at}, which was never harmed, has other rows of its own than were acknowledged`);
    return rows;
  }

  async function differences(): Promise<string[]> {
    const grids = new Map<Name, GridRow[]>();
    for (const name of NAMES) grids.set(name, await three.grid(name));
    const twice = [...grids].flatMap(([name, rows]) => {
      const keys = rows.map(keyOf);
      const again = keys.filter((key, index) => keys.indexOf(key) !== index);
      return again.length === 0 ? [] : [`twice at ${name}: ${again.join(' ')}`];
    });
    const apart = links.flatMap(([a, b]) => {
      const [atA, atB] = [textsOf(grids.get(a) ?? []), textsOf(grids.get(b) ?? [])];
      const onlyA = atA.filter((text) => !atB.includes(text));
      const onlyB = atB.filter((text) => !atA.includes(text));
      if (onlyA.length + onlyB.length === 0) return [];
      return [`only ${a}, not ${b}: ${briefly(onlyA)}; only ${b}, not ${a}: ${briefly(onlyB)}`];
    });
    return [...twice, ...apart];
  }

  /**
   * Who lacks a row that another one shows which shares with it must not say that all is well; of two versions, neither
   * must the office where the row was made, nor both of the others. Who has such a row by a third one alone has nothing to
   * say of it. Where it is what went back here that lacks the share, no partner's state can say so, but all of it together.
   * Where one of the two has it so by its own user's word, all may be well, but it is said of how many rows that is so. The
   * same where who shows the row has it by a third one, whose user's word it is.
   */
  async function untold(): Promise<string[]> {
    const well = new Set<Name>();
    const texts = new Map<Name, Map<string, string>>();
    for (const name of NAMES) {
      const { partners } = await three.overview(name);
      if (partners.every(({ state }) => state === 'up-to-date')) well.add(name);
      texts.set(name, new Map((await three.grid(name)).map((row) => [keyOf(row), textOf(row)])));
    }
    const wrong: string[] = [];
    const owned = new Map<Name, ReadonlySet<string>>();
    for (const name of NAMES) {
      owned.set(name, await words.at(name));
      const [own, told] = [owned.get(name)?.size ?? 0, await words.told(name)];
      if (told < own && well.has(name))
        wrong.push(`${name} says of ${told} rows that its user has them otherwise, of ${own} that are so`);
    }
    const isOwn = (key: string, ...ends: Name[]): boolean => ends.some((name) => owned.get(name)?.has(key));
    /** Of each office the keys that it lacks, and that stand at the others by the word of one of their users. */
    const behind = new Map<Name, Set<string>>(NAMES.map((name) => [name, new Set()]));
    for (const [at, other] of bothEnds(links)) {
      const third = NAMES.find((name) => name !== at && name !== other);
      const isAsked = (await three.overview(at)).state !== 'up-to-date';
      const saysSo =
        isAsked && ((await saysThatItSharesNothing(at, other)) || (await saysThatItSharesNothing(other, at)));
      for (const [key, text] of texts.get(other) ?? []) {
        const ours = texts.get(at)?.get(key);
        // Where it was removed at its home, whoever still shows it is the one that waits.
        if ((ours === undefined && removed.has(key)) || isOwn(key, at, other)) continue;
        const isHome = key.startsWith(at);
        const isQuiet = !saysSo && well.has(at) && (ours === undefined || isHome || well.has(other));
        if (
          isQuiet &&
          ours === undefined &&
          third &&
          isOwn(key, third) &&
          texts.get(third)?.get(key) === text
        ) {
          behind.get(at)?.add(key);
          continue;
        }
        if (ours !== text && isQuiet)
          wrong.push(`${at} says that all is well, with ${ours} and not ${text} of ${other}`);
      }
    }
    for (const [at, keys] of behind) {
      const heard = await words.heard(at);
      if (heard < keys.size)
        wrong.push(`${at} heard of ${heard} rows that another user has, and lacks ${keys.size}`);
    }
    return wrong;
  }

  /** It lost what it shares, and asks its user to look at that with each partner: nothing of its rows is on its way. */
  async function saysThatItSharesNothing(at: Name, other: Name): Promise<boolean> {
    const shares = `/app/partners/${three.all[at].partners.get(other)}/shares`;
    const { state, inbox } = await three.overview(at);
    return (
      state !== 'up-to-date' &&
      inbox.some(({ kind }) => kind === 'store-notice') &&
      (await three.all[at].node.app<Share[]>('GET', shares)).length === 0
    );
  }

  async function allSay(): Promise<string[]> {
    const all: string[] = [];
    for (const [at, partner] of bothEnds(links))
      all.push(`  ${at} of ${partner}: ${said(await summaryOf(at, partner))}`);
    for (const at of NAMES) {
      const { inbox } = await three.overview(at);
      if (inbox.length > 0) all.push(`  inbox of ${at}: ${inbox.map(({ message }) => message).join(' / ')}`);
    }
    return all;
  }

  async function isWell(): Promise<boolean> {
    for (const [at, partner] of bothEnds(links))
      if ((await summaryOf(at, partner)).state !== 'up-to-date') return false;
    return (await differences()).length === 0;
  }

  const lives: ThreeLives = {
    story,
    happens: (act) => timed(act.does, () => happens(act)),
    comesToRest: () => timed('coming to rest', () => three.settle()),
    isEqualOrTold: () =>
      timed('looking', async () => {
        for (const name of NAMES) await checkOne(name);
        const found = await differences();
        if (found.length === 0) return 'equal';
        const wrong = [...found.filter((each) => each.startsWith('twice')), ...(await untold())];
        if (wrong.length > 0) throw new Error([...found, ...wrong, ...(await allSay())].join('\n'));
        story.push(...found, ...(await allSay()));
        return 'told';
      }),
    isMended: (way) =>
      timed('mending', async () => {
        if (await isWell()) return;
        story.push(`then: ${way}`);
        await three.shareAgain();
        await ways.keepWithdrawn();
        await three.settle();
        if (way === 'bring back') {
          const did = await ways.bringBack();
          if (did !== undefined) story.push(did);
        }
        if (way === 'keep' && (await ways.decide(false))) {
          await three.settle();
          for (const name of NAMES) await checkOne(name);
          const wrong = await untold();
          if (wrong.length > 0)
            throw new Error(`kept: ${(await differences()).join('\n')}\n${wrong.join('\n')}`);
          await ways.fetchWhatWasKept();
        }
        for (let round = 0; round < 8; round++) {
          await ways.decide(true);
          await words.takeBack();
          await three.settle();
          if (round > 2) await ways.fetchWhatWasKept();
          if (await isWell()) return;
          if (round === 7)
            throw new Error(`not mended: ${[...(await differences()), ...(await allSay())].join('\n')}`);
        }
      }),
    close: () => three.close(),
  };

  for (const name of NAMES) {
    firstRows(name).forEach(know);
    await noteOwn(name);
    await note(name);
  }
  return lives;
}

const briefly = (texts: readonly string[]): string => texts.map((text) => text.slice(0, 50)).join(' ');
