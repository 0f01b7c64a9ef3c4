import { randomUUID } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import type { Clock } from '../../base/clock.ts';
import { storedValueOf } from '../../store/engine/record-ref.ts';
import { compareContents } from '../../store/moving/content.ts';
import { throwUnlessServedHere, type MoveMark } from '../../store/moving/mark.ts';
import { StoreError } from '../../store/store.ts';
import type { Belongings, MoveEnd } from './end.ts';

/** Equal at both ends after a move. */
export interface Moved {
  readonly partitions: number;
  readonly entries: number;
  readonly keys: number;
  readonly tokens: number;
  readonly notes: number;
  /** Moved by an interrupted earlier call. */
  readonly wasThere: boolean;
}

/** Power may fail after each. */
export type MoveStep =
  'begin' | `fill ${string}` | 'belongings' | 'compare' | 'leave' | 'arrive' | 'end' | 'done';

export interface MoveOptions {
  readonly from: MoveEnd;
  readonly to: MoveEnd;
  readonly clock: Pick<Clock, 'now'>;
  readonly onStep?: (step: MoveStep) => void | Promise<void>;
}

/**
 * Moves an office with its keys, or continues a move. The source is served until all is compared, then neither end,
 * then the target. If it throws, the source is served as before, or neither end until the next call.
 */
export async function moveOffice({ from, to, clock, onStep = () => undefined }: MoveOptions): Promise<Moved> {
  const left = await from.mark();
  if (left?.state === 'left') {
    const ended = await completeArrived(left, { from, to });
    if (ended) return ended;
  } else throwUnlessServedHere(left);

  await onStep('begin');
  const mark = await prepareTarget(to, { from, left, clock });
  await copyOffice(from, to, onStep);
  await onStep('compare');
  const same = await compareEnds(from, to);
  await onStep('leave');
  const at = new Date(clock.now()).toISOString();
  const leaving: MoveMark = { ...mark, state: 'left', at };
  await from.setMark(leaving);
  await onStep('arrive');
  await to.completeArrival({ ...mark, state: 'arrived', at });
  await onStep('end');
  await from.setMark({ ...leaving, isEnded: true });
  await onStep('done');
  return { ...same, wasThere: false };
}

/**
 * Cancels a move: removes the copy, and the source is served again. Throws `StoreError` if the office has arrived or
 * went elsewhere, or if the target has an office or another move's copy.
 */
export async function giveUpMove({ from, to }: Pick<MoveOptions, 'from' | 'to'>): Promise<void> {
  const [left, there] = [await from.mark(), await to.mark()];
  if (left?.state === 'left' && left.to !== to.name) throw movedElsewhere(left);
  const isOurs = there?.from === from.name && (left?.state !== 'left' || there.id === left.id);
  if (left?.state === 'left' && (left.isEnded || (isOurs && there.state !== 'arriving')))
    throw new StoreError('locked', `The office has arrived in ${to.name}. Move it back instead.`);
  if (there?.state === 'arriving' && !isOurs) throw otherMoveBegun(there);
  if (there?.state === 'arriving') {
    await to.removeCopy();
    await to.setMark(undefined);
  } else if (!(await to.isEmpty())) throw targetNotEmpty(to);
  if (left?.state === 'left') await from.setMark(undefined);
}

/**
 * Ends a move that has arrived, and returns what was moved; undefined if it hasn't arrived. Throws `StoreError` if it
 * went elsewhere, or had ended and isn't there.
 */
async function completeArrived(
  left: MoveMark,
  { from, to }: Pick<MoveOptions, 'from' | 'to'>,
): Promise<Moved | undefined> {
  if (left.to !== to.name) throw movedElsewhere(left);
  const there = await to.mark();
  const isThere = there?.id === left.id && there.state !== 'arriving';
  if (!isThere && left.isEnded) throwUnlessServedHere(left);
  if (!isThere) return undefined;
  await from.setMark({ ...left, isEnded: true });
  let entries = 0;
  const partitions = await from.partitions();
  for (const partition of partitions)
    for (const count of (await from.content(partition)).tables.values()) entries += count;
  return {
    partitions: partitions.length,
    entries,
    ...countBelongings(await from.readBelongings()),
    wasThere: true,
  };
}

/**
 * Returns the move's mark at the target: that of an interrupted attempt, or a new one, written if the target is empty.
 * Throws `StoreError` if it has an office or another move's copy.
 */
async function prepareTarget(
  to: MoveEnd,
  { from, left, clock }: { from: MoveEnd; left: MoveMark | undefined; clock: Pick<Clock, 'now'> },
): Promise<MoveMark> {
  const office = await readInstallationID(from);
  const there = await to.mark();
  if (there?.state === 'arriving') {
    const isIt = there.office === office && there.from === from.name;
    if (!isIt || (left?.state === 'left' && left.id !== there.id)) throw otherMoveBegun(there);
    return there;
  }
  if (there || !(await to.isEmpty())) throw targetNotEmpty(to);
  const id = left?.state === 'left' ? left.id : randomUUID();
  const at = new Date(clock.now()).toISOString();
  const mark: MoveMark = { id, at, state: 'arriving', from: from.name, to: to.name, office };
  await to.setMark(mark);
  return mark;
}

/** Copies all partitions and belongings, after removing partitions of the copy that the source lacks. */
async function copyOffice(
  from: MoveEnd,
  to: MoveEnd,
  onStep: NonNullable<MoveOptions['onStep']>,
): Promise<void> {
  const partitions = await from.partitions();
  for (const partition of await to.partitions())
    if (!partitions.includes(partition)) await to.discard(partition);
  for (const partition of partitions) {
    await onStep(`fill ${partition}`);
    await to.fillPartition(partition, await from.content(partition));
  }
  await onStep('belongings');
  await to.putBelongings(await from.readBelongings());
}

/**
 * Compares both ends and returns the counts. If anything differs, discards those partitions' copies and throws
 * `StoreError` `damaged`.
 */
async function compareEnds(from: MoveEnd, to: MoveEnd): Promise<Omit<Moved, 'wasThere'>> {
  const partitions = await from.partitions();
  const differing: string[] = [];
  let entries = 0;
  for (const partition of partitions) {
    const { same, different } = await compareContents(
      await from.content(partition),
      await to.content(partition),
    );
    entries += same;
    if (different === 0) continue;
    differing.push(`${partition}: ${different} of ${same + different}`);
    await to.discard(partition);
  }
  const belongings = await from.readBelongings();
  const brought = await to.readBelongings();
  for (const name of new Set([...keysOf(belongings), ...keysOf(brought)]))
    if (!isDeepStrictEqual(belongings[name], brought[name])) differing.push(name);
  if (differing.length === 0)
    return { partitions: partitions.length, entries, ...countBelongings(belongings) };
  throw new StoreError(
    'damaged',
    `What was brought to ${to.name} is not the same as what is in ${from.name} (${differing.join('; ')}). The office is still where it was. Call the same command again: what differs is copied again.`,
  );
}

const keysOf = (of: Belongings): (keyof Belongings)[] => Object.keys(of) as (keyof Belongings)[];

/** Counts keys, users' tokens and notes of revocations. */
const countBelongings = ({
  secretsKey,
  userKey,
  certificate,
  tokens,
  notes,
}: Belongings): Pick<Moved, 'keys' | 'tokens' | 'notes'> => ({
  keys: [secretsKey, userKey, certificate].filter((key) => key !== undefined).length,
  tokens: tokens.filter((line) => 'jti' in line).length,
  notes: notes?.notes.length ?? 0,
});

const installationSchema = z.object({ id: z.string() });

/** Returns an office's installation. Throws `StoreError` `damaged` without an office. */
async function readInstallationID(end: MoveEnd): Promise<string> {
  const system = await end.content('system');
  if (system.tables.has('installation'))
    for await (const [slot] of system.entries('installation'))
      if (slot) return installationSchema.parse(storedValueOf(slot)).id;
  throw new StoreError('damaged', `There is no office in ${end.name}. Nothing was changed.`);
}

const movedElsewhere = ({ to }: MoveMark): StoreError =>
  new StoreError('locked', `This office has moved, or is moving, to ${to}, and not to where you said now.`);
/** Returns the error that another move into this place has begun. */
const otherMoveBegun = ({ from, to }: MoveMark): StoreError =>
  new StoreError(
    'locked',
    `A move from ${from} into ${to} was begun and has not ended. End that one first, or choose an empty place.`,
  );
const targetNotEmpty = ({ name }: MoveEnd): StoreError =>
  new StoreError('locked', `There is something in ${name} already. Choose an empty place for the office.`);
