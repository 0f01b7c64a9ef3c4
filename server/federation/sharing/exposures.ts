import { omit } from '../../base/omit.ts';
import type { Lists } from '../../lists/lists.ts';
import type { Field, Module, ListsChange } from '../../lists/definitions/model.ts';
import type { TitlePins } from '../../lists/rows/pinned-titles.ts';
import type { Rows } from '../../lists/rows/rows.ts';
import { Refusal } from '../../base/refusal.ts';
import type { Tx } from '../../store/store.ts';
import { findNode, nowOf, type FederationContext } from '../context.ts';
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
  function choose(node: string, body: (all: readonly Exposure[]) => Exposure): Promise<Exposure> {
    return save(node, async (tx, all) => {
      const partner = await tx.get(NODES, node);
      const chosenFor = partner && whoIs(partner);
      const exposure = omit(body(all), 'chosenFor');
      return chosenFor === undefined ? exposure : { ...exposure, chosenFor };
    });
  }

  async function save(
    node: string,
    body: (tx: Tx, all: readonly Exposure[]) => Exposure | Promise<Exposure>,
  ): Promise<Exposure> {
    const saved = await system.transaction(async (tx) => {
      const all = (await tx.find(EXPOSURES, 'node', node)).map(({ value }) => value);
      const exposure = await body(tx, all);
      tx.put(EXPOSURES, exposure.moduleID, exposure);
      return exposure;
    });
    context.changed({ kind: 'exposure', nodeID: node, moduleID: saved.moduleID });
    return saved;
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
    const known = (await system.find(EXPOSURES, 'node', nodeID)).map(({ value }) => value);
    const { gaps = [] } = exposureOf(known, moduleID) ?? {};
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
    { nodeID, moduleID }: Exposure,
    now: readonly Field[],
    before?: readonly Field[],
  ): Promise<void> {
    const isChanged = await system.transaction(async (tx) => {
      const exposure = await tx.get(EXPOSURES, moduleID);
      if (!exposure || exposure.deletedAt !== undefined) return false;
      const columns = followColumns(exposure, now, before);
      if (JSON.stringify(columns.fields) === JSON.stringify(exposure.fields)) return false;
      const updatedAt = nowOf(context);
      const ended = columns.fields.length === 0 ? { deletedAt: updatedAt } : columns;
      const retyped = withRetyped(exposure, now, updatedAt);
      tx.put(EXPOSURES, moduleID, { ...exposure, ...ended, ...retyped, updatedAt });
      return true;
    });
    if (isChanged) context.changed({ kind: 'exposure', nodeID, moduleID });
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
      return choose(nodeID, (all) => {
        const before = exposureOf(all, module.moduleID);
        if (before && before.deletedAt === undefined)
          throw new Refusal(
            'conflict',
            'exposure.exists',
            said('share.twice', { list: before.name, number: before.moduleID }),
          );
        const exposure: Exposure = before
          ? { ...revived(before, began, idle), ...fresh, updatedAt: now, updatedBy: by }
          : { moduleID: context.ids.next(), nodeID, ...fresh, createdAt: now, createdBy: by, began };
        checkUnlike(exposure, all);
        return exposure;
      });
    },

    async change(n, moduleID, input, by) {
      const { nodeID, composeModuleID } = await exposures.get(n, moduleID);
      if (input.composeModuleID !== composeModuleID)
        throw impossible('exposure.other-list', said('share.stays'));
      const module = await listOf(input);
      const pins = await pinsFor(lists, module, input.titlePins);
      return choose(nodeID, (all) => {
        const before = all.find((each) => each.moduleID === moduleID);
        if (!before || before.deletedAt !== undefined) throw unknown(moduleID);
        const fresh = written(input, module, pins, before);
        keepTitles(lists, module, fresh.titlePins);
        const named = {
          handle: given(input.handle) ?? before.handle,
          name: given(input.name) ?? before.name,
        };
        const known = omit(before, 'retyped');
        const exposure = { ...known, ...fresh, ...named, updatedAt: nowOf(context), updatedBy: by };
        checkUnlike(exposure, all);
        return exposure;
      });
    },

    async remove(n, moduleID, by) {
      const { nodeID } = await exposures.get(n, moduleID);
      const removed = await save(nodeID, (_tx, all) => {
        const before = all.find((each) => each.moduleID === moduleID);
        if (!before || before.deletedAt !== undefined) throw unknown(moduleID);
        return { ...omit(before, 'retyped'), deletedAt: nowOf(context), updatedBy: by };
      });
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

type WrittenPart =
  | 'composeModuleID'
  | 'composeNamespaceID'
  | 'handle'
  | 'name'
  | 'fields'
  | 'fieldIDs'
  | 'titlePins'
  | 'shape';

/** Notes for the user which columns are not shared any more because their kind changed. */
function withRetyped(exposure: Exposure, now: readonly Field[], at: string): Pick<Exposure, 'retyped'> {
  const left = retypedColumns(exposure, now).map(({ label, name }) => label || name);
  if (left.length === 0) return {};
  return { retyped: { at, columns: [...(exposure.retyped?.columns ?? []), ...left] } };
}

/** As it was, with the time noted during which it was not shared. */
function revived(before: Exposure, began: string, idle: ReadonlySet<string>): Exposure {
  const gap: Gap = { from: before.ended ?? before.deletedAt ?? began, to: began };
  const earlier = (before.gaps ?? []).filter(({ from }) => !idle.has(from));
  return { ...omit(before, 'deletedAt', 'ended', 'retyped'), gaps: [...earlier, gap] };
}

const given = (text: string | undefined): string | undefined =>
  text?.trim() === '' ? undefined : text?.trim();

const impossible = (code: string, message: Words): Refusal => new Refusal('impossible', code, message);

const unknown = (moduleID: string): Refusal =>
  new Refusal('not-found', 'exposure.unknown', said('share.unknown', { number: moduleID }));
