import { omit } from '../../base/omit.ts';
import { compareKeys } from '../../base/sorted.ts';
import type { Lists } from '../../lists/lists.ts';
import type { Field, Module, ListsChange } from '../../lists/definitions/model.ts';
import type { TitlePins } from '../../lists/rows/pinned-titles.ts';
import type { Rows } from '../../lists/rows/rows.ts';
import { Refusal } from '../../base/refusal.ts';
import type { Tx } from '../../store/store.ts';
import { findNode, nowOf, type FederationContext } from '../context.ts';
import { brokenParts, conditionFor, EVERY_ROW, type ConditionWish } from '../../lists/query/condition.ts';
import type { Conditions } from './conditions.ts';
import { followColumns, retypedColumns, sharedColumns, type ColumnWish } from './columns.ts';
import { keepTitles, pinned, pinsFor, type WishedPins } from './exposure-pins.ts';
import { idleGaps, MANY_GAPS, type Gap } from './gaps.ts';
import type { Exposure } from '../model.ts';
import { createPinUpkeep, everyExposure } from './pin-upkeep.ts';
import { whoIs } from '../partners/pairing-state.ts';
import { EXPOSURES, NODES } from '../tables.ts';
import { said, type Words } from '../../words/said.ts';

export interface ExposureInput {
  readonly composeModuleID: string;
  /** Checked against the list when given. */
  readonly composeNamespaceID?: string;
  /** The list's own when absent or empty. */
  readonly name?: string;
  readonly handle?: string;
  /** At least one; kind and isMulti are the list's own, whatever was asked. */
  readonly fields: readonly ColumnWish[];
  /**
   * By the id of a column that refers to rows of another list: the id of that list's column that it leaves as, or
   * empty for nothing. A column that is not named keeps what it has; a new one gets what names that list's rows.
   */
  readonly titlePins?: TitlePins;
  /**
   * Which rows it gives; null: all. Where nothing is said of it, a share gives the rows that it gave, also one that was
   * withdrawn, and a new one all.
   */
  readonly condition?: ConditionWish | null;
  readonly shape: 1 | 2;
}

/** What we let each partner see (protocol: exposed module). `n` is a partner as `findNode` takes it. */
export interface Exposures {
  /** Oldest first; with `withdrawn`, those that ended as well. */
  list(n: string, options?: { readonly withdrawn?: boolean }): Promise<Exposure[]>;
  /** Whatever was shared with a partner of this id of ours, also with one that was removed. */
  ever(nodeID: string): Promise<Exposure[]>;
  /** Every partner that sees this list now. */
  ofList(composeModuleID: string): Promise<Exposure[]>;
  /** @throws Refusal `not-found` for one of another partner, `gone` for one that was withdrawn */
  get(n: string, moduleID: string): Promise<Exposure>;
  /** @throws Refusal `conflict` when the partner sees this list already, `impossible` for unknown columns */
  expose(n: string, input: ExposureInput, by: string): Promise<Exposure>;
  change(n: string, moduleID: string, input: ExposureInput, by: string): Promise<Exposure>;
  /** Takes effect on the very next request. @throws as {@link Exposures.get} */
  remove(n: string, moduleID: string, by: string): Promise<Exposure>;
  /**
   * Keeps exposures true to their lists: a renamed column stays shared, one that is gone leaves, and so does one
   * that refers to rows since or no more, of which the user is told.
   */
  follow(change: ListsChange): Promise<void>;
  /** The same for changes that a crash kept from being followed. */
  followAll(): Promise<void>;
}

export function createExposures(
  context: Pick<FederationContext, 'system' | 'clock' | 'ids' | 'log' | 'changed'>,
  lists: Lists,
  conditions: Pick<Conditions, 'saving' | 'follow'>,
  /** Writes down that a share gives other rows from now on. */
  onRowsChosen: (exposure: Exposure) => Promise<void> = () => Promise.resolve(),
): Exposures {
  const { system } = context;
  const pinUpkeep = createPinUpkeep(context, lists);

  async function listOf(input: ExposureInput): Promise<Module> {
    // What is owed to a change of columns from before was never meant for this choice.
    await lists.caughtUp();
    const module = await lists.module(input.composeModuleID).catch((error: unknown) => {
      if (error instanceof Refusal && error.kind === 'not-found') return undefined;
      throw error;
    });
    if (!module)
      throw impossible('list.unknown', said('list.unknown-number', { number: input.composeModuleID }));
    if (input.composeNamespaceID !== undefined && input.composeNamespaceID !== module.namespaceID)
      throw impossible('list.other-workspace', said('list.other-workspace'));
    return module;
  }

  /** As {@link save}, for whom the partner's record stands for now: what is chosen is for no other. */
  function choose(
    node: string,
    body: (all: readonly Exposure[]) => Exposure,
    ours?: () => boolean,
  ): Promise<Exposure> {
    const put = async (tx: Tx, all: readonly Exposure[]): Promise<Exposure> => {
      const partner = await tx.get(NODES, node);
      const chosenFor = partner && whoIs(partner);
      const exposure = omit(body(all), 'chosenFor');
      return chosenFor === undefined ? exposure : { ...exposure, chosenFor };
    };
    return save(node, put, ours);
  }

  /** @param ours only our own user sees what changes by it */
  async function save(
    node: string,
    body: (tx: Tx, all: readonly Exposure[]) => Exposure | Promise<Exposure>,
    ours: () => boolean = () => false,
  ): Promise<Exposure> {
    const saved = await system.transaction(async (tx) => {
      const all = (await tx.find(EXPOSURES, 'node', node)).map(({ value }) => value);
      const exposure = await body(tx, all);
      tx.put(EXPOSURES, exposure.moduleID, exposure);
      return exposure;
    });
    const change = { kind: 'exposure', nodeID: node, moduleID: saved.moduleID } as const;
    context.changed(ours() ? { ...change, ours: true } : change);
    return saved;
  }

  /** The share of this list with this partner, as it is or was last. */
  const shareOf = async (nodeID: string, composeModuleID: string): Promise<Exposure | undefined> =>
    exposureOf(
      (await system.find(EXPOSURES, 'node', nodeID)).map(({ value }) => value),
      composeModuleID,
    );

  /**
   * What is chosen from now on; every row of a share that never had a condition is none. Who says nothing of rows leaves
   * a condition as it is, and with it that it gives nothing any more.
   */
  function chosenRows(
    { condition }: ExposureInput,
    { fields }: Module,
    before: Exposure | undefined,
  ): Pick<Exposure, 'condition' | 'broken'> {
    const known = before?.condition;
    if (condition === undefined && before?.broken && known)
      return { condition: known, broken: before.broken };
    const wished = condition === undefined ? known : condition && conditionFor(condition, fields);
    // A column may have become another one while nobody was given rows by it, and nobody was told.
    if (wished && (wished.parts.length > 0 || known))
      return { condition: wished, ...brokenBy({ condition: wished }, fields, nowOf(context)) };
    return known ? { condition: EVERY_ROW } : {};
  }

  /** It counts whether or not that can be written down: each line of what leaves has its condition as well. */
  async function noteChoice(exposure: Exposure): Promise<void> {
    await onRowsChosen(exposure).catch((error: unknown) =>
      context.log.warn({ err: error }, 'that other rows were chosen is not in the ledger'),
    );
  }

  /**
   * Only once nothing leaves any more: of a row that is made while the share ends, it would else never be told that it
   * is gone. It has ended whether or not this succeeds; then the clock's time stands for it.
   */
  async function noteEnd({ moduleID, composeModuleID, deletedAt }: Exposure): Promise<void> {
    try {
      const ended = await (await lists.rows(composeModuleID)).drawLine();
      await system.transaction(async (tx) => {
        const exposure = await tx.get(EXPOSURES, moduleID);
        if (exposure?.deletedAt === deletedAt && exposure)
          tx.put(EXPOSURES, moduleID, { ...exposure, ended });
      });
    } catch (error) {
      context.log.info({ err: error }, 'the end of a share is kept by the clock alone');
    }
  }

  /** When the list was not shared with this partner, where nothing depends on it any more; looked for where they are many. */
  async function idleBefore(nodeID: string, { moduleID }: Module, rows: Rows): Promise<ReadonlySet<string>> {
    const { gaps = [] } = (await shareOf(nodeID, moduleID)) ?? {};
    const idle = gaps.length < MANY_GAPS ? [] : await idleGaps(gaps, rows);
    return new Set([...idle].map(({ from }) => from));
  }

  /** Live pullers tell offers apart by handle and name, so that two alike would shut each other out. */
  function checkUnlike(exposure: Exposure, all: readonly Exposure[]): void {
    const twin = all.find(
      (other) =>
        other.moduleID !== exposure.moduleID &&
        other.deletedAt === undefined &&
        other.handle === exposure.handle &&
        other.name === exposure.name,
    );
    if (twin)
      throw new Refusal('conflict', 'exposure.twin', said('share.name-taken', { list: exposure.name }));
  }

  function written(
    input: ExposureInput,
    module: Module,
    pins: WishedPins,
    before?: Exposure,
  ): Pick<Exposure, WrittenPart> {
    const columns = sharedColumns(input.fields, module.fields);
    if (columns.fields.length === 0) throw impossible('exposure.no-columns', said('share.no-column'));
    return {
      composeModuleID: module.moduleID,
      composeNamespaceID: module.namespaceID,
      handle: given(input.handle) ?? module.handle,
      name: given(input.name) ?? module.name,
      ...columns,
      titlePins: pinned(columns.fieldIDs, pins, before),
      shape: input.shape,
    };
  }

  /** The choice may change while this is on its way, so that it is read again where it is written. */
  async function followOne(
    { nodeID, moduleID, composeModuleID, condition }: Exposure,
    now: readonly Field[],
    before?: readonly Field[],
  ): Promise<void> {
    const isChanged = await system.transaction(async (tx) => {
      const exposure = await tx.get(EXPOSURES, moduleID);
      if (!exposure || exposure.deletedAt !== undefined) return false;
      const columns = followColumns(exposure, now, before);
      if (JSON.stringify(columns.fields) === JSON.stringify(exposure.fields))
        return noteBroken(tx, exposure, now);
      const updatedAt = nowOf(context);
      const ended = columns.fields.length === 0 ? { deletedAt: updatedAt } : columns;
      const retyped = withRetyped(exposure, now, updatedAt);
      const broken = brokenBy(exposure, now, updatedAt);
      tx.put(EXPOSURES, moduleID, { ...exposure, ...ended, ...retyped, ...broken, updatedAt });
      return 'all';
    });
    if (!isChanged) return;
    if (condition !== undefined) await conditions.follow(composeModuleID);
    const change = { kind: 'exposure', nodeID, moduleID } as const;
    context.changed(isChanged === 'ours' ? { ...change, ours: true } : change);
  }

  /** Nothing of it changes for the partner but that it sees no row. */
  function noteBroken(tx: Tx, exposure: Exposure, now: readonly Field[]): 'ours' | false {
    const found = brokenBy(exposure, now, nowOf(context));
    if (!found.broken) return false;
    tx.put(EXPOSURES, exposure.moduleID, { ...exposure, ...found });
    return 'ours';
  }

  const exposures: Exposures = {
    async ever(nodeID) {
      return (await system.find(EXPOSURES, 'node', nodeID)).map(({ value }) => value);
    },

    async list(n, options = {}) {
      const { nodeID } = await findNode(system, n);
      const all = await exposures.ever(nodeID);
      return options.withdrawn === true ? all : all.filter(({ deletedAt }) => deletedAt === undefined);
    },

    async ofList(composeModuleID) {
      const all = (await system.find(EXPOSURES, 'compose', composeModuleID)).map(({ value }) => value);
      return all.filter(({ deletedAt }) => deletedAt === undefined);
    },

    async get(n, moduleID) {
      const { nodeID } = await findNode(system, n);
      const exposure = await system.get(EXPOSURES, moduleID);
      if (exposure?.nodeID !== nodeID) throw unknown(moduleID);
      if (exposure.deletedAt !== undefined)
        throw new Refusal('gone', 'exposure.withdrawn', said('share.withdrawn'));
      return exposure;
    },

    async expose(n, input, by) {
      const { nodeID } = await findNode(system, n);
      const module = await listOf(input);
      const pins = await pinsFor(lists, module, input.titlePins);
      const fresh = written(input, module, pins);
      const now = nowOf(context);
      const rows = await lists.rows(module.moduleID);
      const idle = await idleBefore(nodeID, module, rows);
      const began = await rows.drawLine();
      keepTitles(lists, module, fresh.titlePins);
      const find = (): Promise<Exposure | undefined> => shareOf(nodeID, module.moduleID);
      mustBeNew(await find());
      const ever = await exposures.ever(nodeID);
      const condition =
        input.condition === undefined ? formerOf(ever, module.moduleID)?.condition : input.condition;
      const put = (all: readonly Exposure[]): Exposure => {
        const before = exposureOf(all, module.moduleID);
        mustBeNew(before);
        const chosen = { ...fresh, ...chosenRows(input, module, before ?? formerOf(all, module.moduleID)) };
        const exposure: Exposure = before
          ? { ...revived(before, began, idle), ...chosen, updatedAt: now, updatedBy: by }
          : { moduleID: context.ids.next(), nodeID, ...chosen, createdAt: now, createdBy: by, began };
        checkUnlike(exposure, all);
        return exposure;
      };
      const exposure = await conditions.saving(module.moduleID, find, condition, () => choose(nodeID, put));
      if (exposure.condition) await noteChoice(exposure);
      return exposure;
    },

    async change(n, moduleID, input, by) {
      const { nodeID, composeModuleID } = await exposures.get(n, moduleID);
      if (input.composeModuleID !== composeModuleID)
        throw impossible('exposure.other-list', said('share.stays'));
      const module = await listOf(input);
      const pins = await pinsFor(lists, module, input.titlePins);
      let [isOurs, isOther] = [false, false];
      const put = (all: readonly Exposure[]): Exposure => {
        const before = all.find((each) => each.moduleID === moduleID);
        if (!before || before.deletedAt !== undefined) throw unknown(moduleID);
        const fresh = { ...written(input, module, pins, before), ...chosenRows(input, module, before) };
        keepTitles(lists, module, fresh.titlePins);
        const named = {
          handle: given(input.handle) ?? before.handle,
          name: given(input.name) ?? before.name,
        };
        const known = omit(before, 'retyped', 'broken', 'unmirrored');
        const exposure = { ...known, ...fresh, ...named };
        checkUnlike(exposure, all);
        isOther = JSON.stringify(before.condition) !== JSON.stringify(exposure.condition);
        isOurs = isOther && definitionOf(before) === definitionOf(exposure);
        // Which rows it gives is nothing that its definition tells: no time of that either.
        return isOurs ? exposure : { ...exposure, updatedAt: nowOf(context), updatedBy: by };
      };
      const find = (): Promise<Exposure | undefined> => system.get(EXPOSURES, moduleID);
      const exposure = await conditions.saving(composeModuleID, find, input.condition, () =>
        choose(nodeID, put, () => isOurs),
      );
      if (isOther) await noteChoice(exposure);
      return exposure;
    },

    async remove(n, moduleID, by) {
      const { nodeID, composeModuleID } = await exposures.get(n, moduleID);
      const put = (_tx: Tx, all: readonly Exposure[]): Exposure => {
        const before = all.find((each) => each.moduleID === moduleID);
        if (!before || before.deletedAt !== undefined) throw unknown(moduleID);
        return { ...omit(before, 'retyped'), deletedAt: nowOf(context), updatedBy: by };
      };
      const find = (): Promise<Exposure | undefined> => system.get(EXPOSURES, moduleID);
      const removed = await conditions.saving(composeModuleID, find, undefined, () => save(nodeID, put));
      await noteEnd(removed);
      return removed;
    },

    async follow(change) {
      if (change.kind !== 'list' || change.change === 'created') return;
      const { module, before } = change;
      const now = change.change === 'removed' ? [] : module.fields;
      for (const exposure of await exposures.ofList(module.moduleID))
        await followOne(exposure, now, before?.fields);
      await pinUpkeep.follow(change);
    },

    async followAll() {
      const modules = new Map((await lists.modules()).map((module) => [module.moduleID, module]));
      await pinUpkeep.followAll(modules.values());
      for await (const exposure of everyExposure(system)) {
        const module = modules.get(exposure.composeModuleID);
        if (exposure.deletedAt === undefined) {
          await followOne(exposure, module?.fields ?? []);
          // Before anybody can change a row.
          if (module) keepTitles(lists, module, exposure.titlePins);
        }
        if (module) await pinUpkeep.pinOne(exposure, module);
      }
    },
  };
  return exposures;
}

/** The one of a list, which may be withdrawn; there is one at the most that is not of another installation. */
const exposureOf = (all: readonly Exposure[], composeModuleID: string): Exposure | undefined =>
  all.find((each) => each.composeModuleID === composeModuleID && !each.ofAnother);

/**
 * The newest one that was for another installation, whose place the partner has taken since. Nothing of it is shared with
 * this one, but who says nothing of rows shares no others than it gave.
 */
const formerOf = (all: readonly Exposure[], composeModuleID: string): Exposure | undefined =>
  all.findLast((each) => each.composeModuleID === composeModuleID && each.ofAnother);

type WrittenPart =
  | 'composeModuleID'
  | 'composeNamespaceID'
  | 'handle'
  | 'name'
  | 'fields'
  | 'fieldIDs'
  | 'titlePins'
  | 'shape';

/** What partners are told of a share, or what decides about what leaves, but which rows. */
function definitionOf(exposure: Exposure): string {
  const { titlePins, ...known } = omit(
    exposure,
    'condition',
    'unmirrored',
    'chosenFor',
    'updatedAt',
    'updatedBy',
  );
  // They are kept in the order in which they were chosen.
  const pins = Object.entries(titlePins ?? {}).sort(([a], [b]) => compareKeys(a, b));
  return JSON.stringify([omit(known, 'retyped', 'broken'), titlePins && pins]);
}

/** @throws Refusal `conflict` for a list that the partner sees already */
function mustBeNew(before: Exposure | undefined): void {
  if (!before || before.deletedAt !== undefined) return;
  const { name, moduleID } = before;
  throw new Refusal('conflict', 'exposure.exists', said('share.twice', { list: name, number: moduleID }));
}

/** Notes for the user which columns are not shared any more because their kind changed. */
function withRetyped(exposure: Exposure, now: readonly Field[], at: string): Pick<Exposure, 'retyped'> {
  const left = retypedColumns(exposure, now).map(({ label, name }) => label || name);
  if (left.length === 0) return {};
  return { retyped: { at, columns: [...(exposure.retyped?.columns ?? []), ...left] } };
}

/** No row meets the condition any more, of which the user is told, until they choose anew. */
function brokenBy(
  { condition = EVERY_ROW }: Pick<Exposure, 'condition'>,
  now: readonly Field[],
  at: string,
): Pick<Exposure, 'condition' | 'broken'> {
  const columns = brokenParts(condition, now).map(({ label }) => label);
  if (columns.length === 0 || condition.closed) return {};
  return { condition: { ...condition, closed: true }, broken: { at, columns } };
}

/** As it was, with the time noted during which it was not shared. */
function revived(before: Exposure, began: string, idle: ReadonlySet<string>): Exposure {
  const gap: Gap = { from: before.ended ?? before.deletedAt ?? began, to: began };
  const earlier = (before.gaps ?? []).filter(({ from }) => !idle.has(from));
  const known = omit(before, 'deletedAt', 'ended', 'retyped', 'broken', 'unmirrored');
  return { ...known, gaps: [...earlier, gap] };
}

const given = (text: string | undefined): string | undefined =>
  text?.trim() === '' ? undefined : text?.trim();

const impossible = (code: string, message: Words): Refusal => new Refusal('impossible', code, message);

const unknown = (moduleID: string): Refusal =>
  new Refusal('not-found', 'exposure.unknown', said('share.unknown', { number: moduleID }));
