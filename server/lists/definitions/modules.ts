import type { Clock } from '../../base/clock.ts';
import type { Ids } from '../../base/ids.ts';
import { everyValue } from '../../store/every-entry.ts';
import type { Partition, Table, Tx } from '../../store/store.ts';
import { makeFields, withFreeName } from './fields.ts';
import { importKeyIDs } from './import-key.ts';
import type { ModuleInput } from './inputs.ts';
import type { Module } from './model.ts';
import { checkHandle, checkTitle, freeTitle, handleFrom } from './names.ts';
import { omitUndefined } from '../../base/omit-undefined.ts';
import { omit } from '../../base/omit.ts';
import { assertNotStale, changedDefinition, timeAfter } from './stale.ts';
import { Refusal } from '../../base/refusal.ts';
import { withColumnInPlace, type BinnedColumn } from './column-bin.ts';
import { assertWorkspace, NAMESPACES } from './namespaces.ts';
import type { Layout } from './restructure.ts';
import type { DefinitionStep } from '../rows/undo-log.ts';
import { undoChange, type UndoneDefinition } from './undo-columns.ts';
import { said } from '../../words/said.ts';

export const MODULES: Table<Module> = {
  name: 'module',
  indexes: {
    namespace: ({ namespaceID }) => namespaceID,
    handle: ({ handle }) => handle.toLowerCase(),
  },
};
const MAX_MODULES = 2000;

/** Two-partition change: definition here, rows in their own. */
export interface Intent {
  readonly kind: 'restructure' | 'remove';
  /** After a change, before a removal. */
  readonly module: Module;
  readonly token: string;
}

const INTENTS: Table<Intent> = { name: 'module-intent' };

/** Earlier columns, if rows were rewritten for them. */
export interface Layouts {
  /** Token of the last change; empty before the first. */
  readonly token: string;
  readonly earlier: readonly Layout[];
}

/** Its partition with the rows stays until purged. */
export interface BinnedModule {
  readonly module: Module;
  readonly deletedAt: string;
  readonly deletedBy: string;
  readonly rows: number;
}

export interface RestoreTo {
  /** Numbered if taken in the workspace. */
  readonly name: string | undefined;
  /** If the previous workspace is gone. */
  readonly namespaceID: string;
}

/** Key: list id. Binned lists' handles are free. */
const MODULE_BIN: Table<BinnedModule> = { name: 'module-bin' };

const LAYOUTS: Table<Layouts> = { name: 'module-layout' };
/** After more column changes, an older copy isn't recognised. */
const LAYOUTS_KEPT = 10;

interface ModulesDeps {
  system: Partition;
  clock: Clock;
  ids: Ids;
}

/** List definitions, without rows. */
export class Modules {
  readonly #deps: ModulesDeps;

  constructor(deps: ModulesDeps) {
    this.#deps = deps;
  }

  /** Returns the definitions of a workspace or of all, by id. */
  async list(namespaceID?: string): Promise<Module[]> {
    const entries =
      namespaceID === undefined
        ? await this.#deps.system.page(MODULES, { limit: MAX_MODULES })
        : await this.#deps.system.find(MODULES, 'namespace', namespaceID);
    return entries.map(({ value }) => value);
  }

  /** Returns a definition outside the bin. Throws `list.unknown` (404) for others. */
  async get(moduleID: string): Promise<Module> {
    const module = await this.#deps.system.get(MODULES, moduleID);
    if (module) return module;
    throw new Refusal('not-found', 'list.unknown', said('list.gone'));
  }

  /** Returns a definition outside the bin; undefined without one. */
  find(moduleID: string): Promise<Module | undefined> {
    return this.#deps.system.get(MODULES, moduleID);
  }

  /** Returns lists of all workspaces with this handle, ignoring case. */
  async byHandle(handle: string): Promise<Module[]> {
    return (await this.#deps.system.find(MODULES, 'handle', handle.toLowerCase())).map(({ value }) => value);
  }

  /**
   * Creates a list, by default with a free handle from its name. Throws `workspace.unknown`, `list.taken` for the
   * handle, `list.many` (over 2,000 in the office), or a refusal of title, handle or columns.
   */
  async create(namespaceID: string, input: ModuleInput): Promise<Module> {
    await this.#refuseTooMany();
    return this.#deps.system.transaction(async (tx) => {
      assertWorkspace(await tx.get(NAMESPACES, namespaceID));
      const others = await tx.find(MODULES, 'namespace', namespaceID);
      const name = checkTitle(input.name, 'list');
      const taken = others.map(({ value }) => value.handle);
      return writeModule(tx, {
        moduleID: this.#deps.ids.next(),
        namespaceID,
        name,
        handle: input.handle ?? handleFrom(name, taken),
        fields: makeFields(input.fields, [], this.#deps.ids),
        ...omitUndefined({ compose: input.compose }),
        createdAt: this.#now(),
      });
    });
  }

  /** Throws `workspace.not-empty` while the workspace has lists. */
  async refuseInUse(tx: Tx, namespaceID: string): Promise<void> {
    const { length } = await tx.find(MODULES, 'namespace', namespaceID);
    if (length > 0)
      throw new Refusal('conflict', 'workspace.not-empty', said('workspace.not-empty', { lists: length }));
  }

  /**
   * Returns the changed list, unwritten; `old` itself if nothing differs. Throws `data.stale` if it changed after
   * `expectedUpdatedAt`, and refusals of title and columns. The handle is checked on writing.
   */
  draftChange(old: Module, change: Partial<ModuleInput>): Module {
    const { name, handle, fields, importKey, compose, expectedUpdatedAt } = change;
    assertNotStale(expectedUpdatedAt, old, this.#deps.clock.now());
    const next = {
      ...old,
      name: name === undefined ? old.name : checkTitle(name, 'list'),
      handle: handle ?? old.handle,
      fields: fields ? makeFields(fields, old.fields, this.#deps.ids) : old.fields,
      ...omitUndefined({ compose: compose && { ...old.compose, ...compose } }),
      updatedAt: timeAfter(old, this.#deps.clock),
    };
    const key = importKey ?? importKeyIDs(old.importKey, old.fields);
    return changedDefinition(old, key === undefined ? omit(next, 'importKey') : { ...next, importKey: key });
  }

  /**
   * Puts a binned column back in its position, unwritten. Numbers a taken name or label.
   * @param label its new label; throws `name.title` if invalid
   */
  withColumn(old: Module, column: BinnedColumn, label?: string): Module {
    const back = withFreeName(
      column.field,
      old.fields,
      label === undefined ? undefined : checkTitle(label, 'column'),
    );
    const fields = withColumnInPlace(old.fields, back, column);
    return { ...old, fields, updatedAt: timeAfter(old, this.#deps.clock) };
  }

  /** Returns the list with the change undone, unwritten, and how many columns of the change it undoes and can't. */
  draftUndo(old: Module, change: DefinitionStep, binned: readonly BinnedColumn[]): UndoneDefinition {
    const { module, ...counts } = undoChange(old, change, binned);
    const importKey = importKeyIDs(old.importKey, old.fields);
    return {
      module: { ...module, ...omitUndefined({ importKey }), updatedAt: timeAfter(old, this.#deps.clock) },
      ...counts,
    };
  }

  /** Returns the token of the present columns, with up to ten earlier sets; undefined if rows were never rewritten. */
  layouts(moduleID: string): Promise<Layouts | undefined> {
    return this.#deps.system.get(LAYOUTS, moduleID);
  }

  /**
   * Gives a definition older than its rows, as after a restore, the columns that these were written for. Its own become
   * an earlier layout.
   */
  adoptLayout(module: Module, { token, fields }: Layout): Promise<Module> {
    return this.#deps.system.transaction(async (tx) => {
      const followed = { ...module, fields, updatedAt: timeAfter(module, this.#deps.clock) };
      const key = importKeyIDs(module.importKey, module.fields);
      await recordLayout(tx, module.moduleID, token);
      return writeModule(
        tx,
        key === undefined ? omit(followed, 'importKey') : { ...followed, importKey: key },
      );
    });
  }

  /** Writes a definition as given. Throws `list.taken` if the handle is in use. */
  insert(module: Module): Promise<Module> {
    return this.#deps.system.transaction((tx) => writeModule(tx, module));
  }

  /**
   * Writes a changed definition and deletes its intent; after rows were rewritten, the former columns become an earlier
   * layout. Throws `name.handle`, or `list.taken` if the handle is in use.
   */
  save(module: Module): Promise<void> {
    return this.#deps.system.transaction(async (tx) => {
      const intent = await tx.get(INTENTS, module.moduleID);
      if (intent?.kind === 'restructure') await recordLayout(tx, module.moduleID, intent.token);
      await writeModule(tx, module);
      tx.delete(INTENTS, module.moduleID);
    });
  }

  /**
   * Moves a definition to the bin.
   * @param deletedBy user id
   * @param rows number outside their bin
   */
  remove(module: Module, deletedBy: string, rows: number): Promise<void> {
    return this.#deps.system.transaction((tx) => {
      tx.delete(MODULES, module.moduleID);
      tx.put(MODULE_BIN, module.moduleID, { module, deletedAt: this.#now(), deletedBy, rows });
    });
  }

  /** Returns all definitions in the bin. */
  async binned(): Promise<BinnedModule[]> {
    const all: BinnedModule[] = [];
    for await (const module of everyValue(this.#deps.system, MODULE_BIN)) all.push(module);
    return all;
  }

  /** Returns whether the list is in the bin. */
  async isBinned(moduleID: string): Promise<boolean> {
    return (await this.#deps.system.get(MODULE_BIN, moduleID)) !== undefined;
  }

  /**
   * Moves a list out of the bin; to workspace `namespaceID` if its own is gone. Numbers a taken name, and
   * replaces a taken handle. Throws `list.not-in-bin`, `name.title`, or `list.many` (over 2,000).
   */
  restore(moduleID: string, { name, namespaceID }: RestoreTo): Promise<Module> {
    return this.#deps.system.transaction(async (tx) => {
      const binned = await tx.get(MODULE_BIN, moduleID);
      if (!binned) throw notInBin();
      await this.#refuseTooMany();
      const isThere = (await tx.get(NAMESPACES, binned.module.namespaceID)) !== undefined;
      const module = isThere ? binned.module : { ...binned.module, namespaceID };
      const others = (await tx.find(MODULES, 'namespace', module.namespaceID)).map(({ value }) => value);
      const handles = others.map(({ handle }) => handle);
      const isTaken = handles.some((handle) => handle.toLowerCase() === module.handle.toLowerCase());
      const wished = name === undefined ? module.name : checkTitle(name, 'list');
      tx.delete(MODULE_BIN, moduleID);
      return writeModule(tx, {
        ...module,
        name: freeTitle(
          wished,
          others.map((other) => other.name),
        ),
        handle: isTaken ? handleFrom(wished, handles) : module.handle,
        updatedAt: timeAfter(module, this.#deps.clock),
      });
    });
  }

  /**
   * Removes a definition and its earlier layouts from the bin, and writes the intent to remove its rows. Throws
   * `list.not-in-bin`.
   */
  purge(moduleID: string): Promise<BinnedModule> {
    return this.#deps.system.transaction(async (tx) => {
      const binned = await tx.get(MODULE_BIN, moduleID);
      if (!binned) throw notInBin();
      tx.delete(MODULE_BIN, moduleID);
      tx.delete(LAYOUTS, moduleID);
      const { module } = binned;
      tx.put(INTENTS, moduleID, { kind: 'remove', module, token: this.#deps.ids.next() });
      return binned;
    });
  }

  /** Writes an intent, for completion after a crash while rows change. Throws `list.taken` if the handle is in use. */
  writeIntent(intent: Intent): Promise<void> {
    return this.#deps.system.transaction(async (tx) => {
      await refuseTaken(tx, intent.module);
      tx.put(INTENTS, intent.module.moduleID, intent);
    });
  }

  /** Returns changes of lists that weren't completed. */
  async intents(): Promise<Intent[]> {
    return (await this.#deps.system.page(INTENTS, { limit: MAX_MODULES })).map(({ value }) => value);
  }

  /** Deletes a list's intent, as it was carried out or given up. */
  dropIntent(moduleID: string): Promise<void> {
    return this.#deps.system.transaction((tx) => tx.delete(INTENTS, moduleID));
  }

  /** Throws `list.many` at 2,000 lists outside the bin. */
  async #refuseTooMany(): Promise<void> {
    if ((await this.#deps.system.count(MODULES)) < MAX_MODULES) return;
    throw new Refusal('conflict', 'list.many', said('list.too-many', { most: MAX_MODULES }));
  }

  #now(): string {
    return new Date(this.#deps.clock.now()).toISOString();
  }
}

const notInBin = (): Refusal => new Refusal('not-found', 'list.not-in-bin', said('list.not-in-bin'));

/**
 * Keeps the present columns among ten earlier layouts; nothing for an unknown list.
 * @param token of the next layout
 */
async function recordLayout(tx: Tx, moduleID: string, token: string): Promise<void> {
  const before = await tx.get(MODULES, moduleID);
  if (!before) return;
  const known = (await tx.get(LAYOUTS, moduleID)) ?? { token: '', earlier: [] };
  const earlier = [...known.earlier, { token: known.token, fields: before.fields }];
  tx.put(LAYOUTS, moduleID, { token, earlier: earlier.slice(-LAYOUTS_KEPT) });
}

/** Writes a definition as given. Throws `name.handle` for an invalid handle, `list.taken` for one in use. */
async function writeModule(tx: Tx, module: Module): Promise<Module> {
  await refuseTaken(tx, module);
  tx.put(MODULES, module.moduleID, module);
  return module;
}

/** Throws `name.handle` for an invalid handle, `list.taken` if another list of the workspace has it, ignoring case. */
async function refuseTaken(tx: Tx, module: Module): Promise<void> {
  checkHandle(module.handle);
  const same = await tx.find(MODULES, 'handle', module.handle.toLowerCase());
  if (same.some(({ key, value }) => key !== module.moduleID && value.namespaceID === module.namespaceID)) {
    throw new Refusal('conflict', 'list.taken', said('list.name-taken', { list: module.handle }));
  }
}
