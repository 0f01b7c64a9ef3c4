import { omitUndefined } from '../../../base/omit-undefined.ts';
import { Router, type Request } from 'express';
import {
  moduleChange,
  moduleQuery,
  moduleRemoval,
  moduleRequest,
  type FieldRequest,
} from '../../../contract/wire/compose.ts';
import { compareKeys } from '../../../base/sorted-list.ts';
import { Refusal } from '../../../base/refusal.ts';
import { roleCovers } from '../../../federation/partners/identity.ts';
import type { FieldInput } from '../../../lists/definitions/inputs.ts';
import type { Field, Module } from '../../../lists/definitions/model.ts';
import { checkTitle, createFieldNamer } from '../../../lists/definitions/names.ts';
import type { Lists } from '../../../lists/lists.ts';
import { said } from '../../../words/said.ts';
import { caller, userID } from '../../auth/caller.ts';
import { moduleAnswer } from './answers.ts';
import { fieldInput, nonBlank, moduleSettings } from './bodies.ts';
import {
  assertEvaluable,
  jsonBody,
  mayWrite,
  OK,
  sortAndPage,
  pathModule,
  type ComposeDeps,
} from './request.ts';
import { pathID } from '../../listeners/path-id.ts';

/**
 * Serves a workspace's lists, deleted ones too (`…/module/…`): creation and changes, all or none of them, deletion into
 * the bin, restore, and the bin of columns. Purging needs the role admin.
 */
export function composeModulesRouter({ lists, guard }: ComposeDeps): Router {
  const router = Router({ mergeParams: true });

  router.get('/', guard.read, async (req, res) => {
    assertEvaluable(req);
    const { query = '', handle = '', name = '', deleted, ...asked } = moduleQuery.parse(req.query);
    const { namespaceID } = await lists.namespace(pathID(req, 'ns'));
    const text = query.toLowerCase();
    const present = deleted === 2 ? [] : await lists.modules(namespaceID);
    const binned = deleted === 0 ? [] : await lists.binnedModules();
    const deletedAt = new Map(binned.map((each) => [each.module.moduleID, each.deletedAt]));
    const all = [...present, ...binned.map(({ module }) => module)];
    all.sort((one, other) => compareKeys(one.moduleID, other.moduleID));
    const found = all.filter(
      (one) =>
        one.namespaceID === namespaceID &&
        (handle === '' || one.handle.toLowerCase() === handle.toLowerCase()) &&
        (name === '' || one.name === name) &&
        `${one.name}\n${one.handle}`.toLowerCase().includes(text),
    );
    const page = sortAndPage(found, ({ moduleID }) => moduleID, 'handle', asked);
    const set = page.set.map((one) => moduleAnswer(one, mayWrite(req), deletedAt.get(one.moduleID)));
    const filter = { namespaceID, query, handle, name, count: set.length, ...page.filter };
    res.json({ response: { filter, set } });
  });

  router.post('/', guard.write, ...jsonBody, async (req, res) => {
    const { name, handle, fields, ...settings } = moduleRequest.parse(req.body);
    const named = { name, ...omitUndefined({ handle: nonBlank(handle) }) };
    const columns = fields.map((field) => fieldInput({ ...field, fieldID: '0' }));
    assertFreeColumnNames(columns);
    const input = { ...named, fields: columns, ...moduleSettings(settings) };
    const namespaceID = pathID(req, 'ns');
    const made = await lists.createModule(namespaceID, input, () => assertFreeName(lists, namespaceID, name));
    res.json({ response: moduleAnswer(made, mayWrite(req)) });
  });

  router.get('/:m', guard.read, async (req, res) => {
    res.json({ response: moduleAnswer(await pathModule(lists, req), mayWrite(req)) });
  });

  router.post('/:m', guard.write, ...jsonBody, async (req, res) => {
    const { name, handle, fields, updatedAt, ...settings } = moduleChange.parse(req.body);
    const module = await pathModule(lists, req);
    const { moduleID } = module;
    const columns = fields?.map((field) => fieldInput(field, module.fields));
    assertFreeColumnNames(columns ?? [], module.fields);
    /** Throws the refusal of the columns, or of a new name that is taken, before anything is changed. */
    const assertApplicable = async (): Promise<void> => {
      const present = await lists.module(moduleID);
      if (fields) await assertSafeColumnChanges(lists, present, fields);
      if (name !== undefined && !isSameTitle(name, present.name))
        await assertFreeName(lists, module.namespaceID, name);
    };
    const change = {
      ...omitUndefined({ name, handle: nonBlank(handle), expectedUpdatedAt: updatedAt ?? undefined }),
      ...omitUndefined({ fields: columns }),
      ...moduleSettings(settings, module.compose ?? {}),
    };
    const changed = await lists
      .updateModule(moduleID, change, userID(req), assertApplicable)
      .catch((error: unknown) => rethrowColumnError(lists, moduleID, error));
    res.json({ response: moduleAnswer(changed, mayWrite(req)) });
  });

  router.delete('/:m', guard.write, async (req, res) => {
    const { purge } = moduleRemoval.parse(req.query);
    if (purge) assertAdmin(req);
    const moduleID = pathID(req, 'm');
    if (purge && (await lists.isBinned(moduleID))) await assertInBin(lists, req);
    else {
      await pathModule(lists, req);
      await lists.removeModule(moduleID, userID(req));
    }
    if (purge) await lists.purgeModule(moduleID);
    res.json(OK);
  });

  router.post('/:m/undelete', guard.write, async (req, res) => {
    await assertInBin(lists, req);
    await assertWorkspaceExists(lists, req);
    await lists.restoreModule(pathID(req, 'm'), undefined, () => assertRestorableNames(lists, req));
    res.json(OK);
  });

  router.get('/:m/bin', guard.read, async (req, res) => {
    const { moduleID } = await pathModule(lists, req);
    const set = (await lists.binnedColumns(moduleID)).map(({ field, values, deletedAt }) => {
      const { fieldID, kind, name, label, isMulti } = field;
      return { fieldID, kind, name, label, isMulti, values, deletedAt };
    });
    res.json({ response: { set } });
  });

  router.post('/:m/bin/:f/undelete', guard.write, async (req, res) => {
    const { moduleID } = await pathModule(lists, req);
    await lists.restoreColumn(moduleID, pathID(req, 'f'), { by: userID(req) });
    res.json(OK);
  });

  router.delete('/:m/bin/:f', guard.write, async (req, res) => {
    assertAdmin(req);
    const { moduleID } = await pathModule(lists, req);
    await lists.purgeColumn(moduleID, pathID(req, 'f'));
    res.json(OK);
  });

  return router;
}

/**
 * Throws `field.in-use` (422) if a column's name, kind, referenced list or date/time limit would change in a list with
 * rows (for the last two also in the bin), `field.unnamed` (422) for an ambiguous new column. Removed columns are
 * allowed.
 */
async function assertSafeColumnChanges(
  lists: Lists,
  { moduleID, fields }: Module,
  wanted: readonly FieldRequest[],
): Promise<void> {
  assertIdentified(wanted, fields);
  const isOf = (old: Field, { fieldID = '0', name }: FieldRequest): boolean =>
    fieldID === '0' ? name === old.name : fieldID === old.fieldID;
  for (const old of fields) {
    const field = wanted.find((one) => isOf(old, one));
    const change = field && findRewritingChange(old, field);
    if (change === undefined) continue;
    const { total, inBin } = await (await lists.rows(moduleID)).counts();
    if (total + (change.startsWith('options.') ? inBin : 0) === 0) continue;
    const message = `The \`${change}\` of the column “${old.label}” stays as it is while the list has rows. Change its \`label\`, or add a column and copy the values.`;
    throw new Refusal('impossible', 'field.in-use', message);
  }
}

/** Row members, which Corteza refuses as columns. */
const RESERVED = [
  ...['recordID', 'ownedBy', 'revision', 'meta', 'createdBy', 'createdAt'],
  ...['updatedBy', 'updatedAt', 'deletedBy', 'deletedAt'],
];

/** Throws `name.column` (422) for a new column named like a row member, as Corteza does. */
function assertFreeColumnNames(columns: readonly FieldInput[], existing: readonly Field[] = []): void {
  const isNew = (name: string): boolean => existing.every((old) => old.name !== name);
  const reserved = columns.find(({ name = '' }) => RESERVED.includes(name) && isNew(name))?.name;
  if (reserved === undefined) return;
  const message = `A column cannot have the name “${reserved}”, as each row has a member of this name. Choose another \`name\`.`;
  throw new Refusal('impossible', 'name.column', message);
}

/**
 * Rethrows an error of changed columns; as `field.in-use` (422) if only values of rows in the bin don't fit the kind.
 */
async function rethrowColumnError(lists: Lists, moduleID: string, error: unknown): Promise<never> {
  const isMisfit = error instanceof Refusal && error.code === 'list.retype';
  if (!isMisfit || (await lists.counts(moduleID)).total > 0) throw error;
  const message =
    'Rows in the bin have values that do not fit the other kind. Restore these rows and change them first, or add a column.';
  throw new Refusal('impossible', 'field.in-use', message, { cause: error });
}

/** Throws `field.unnamed` (422) for a column without id and name whose label is an existing one's label or name. */
function assertIdentified(wanted: readonly FieldRequest[], existing: readonly Field[]): void {
  const nameFrom = createFieldNamer([]);
  const unnamed = wanted.filter(({ fieldID = '0', name }) => fieldID === '0' && nonBlank(name) === undefined);
  const taken = unnamed.find(({ label = '' }) => {
    const texts = [label.trim().toLowerCase(), nameFrom(label).toLowerCase()];
    return existing.some(
      (old) => texts.includes(old.label.toLowerCase()) || texts.includes(old.name.toLowerCase()),
    );
  });
  if (taken === undefined) return;
  const message = `The list has a column “${taken.label?.trim() ?? ''}” already. Send its \`fieldID\`, or give the new one a \`name\`.`;
  throw new Refusal('impossible', 'field.unnamed', message);
}

/**
 * Returns the member of a column's request that would change stored values: `name`, `kind`, `options.moduleID` of a
 * reference, `options.onlyDate` or `options.onlyTime`; undefined without one.
 */
function findRewritingChange(old: Field, field: FieldRequest): string | undefined {
  if ((nonBlank(field.name) ?? old.name) !== old.name) return 'name';
  if (field.kind !== old.kind) return 'kind';
  const { options } = fieldInput(field, [old]);
  if (!options) return undefined;
  const { moduleID = '0', only } = options;
  if (old.kind === 'Record' && moduleID !== (old.options.moduleID ?? '0')) return 'options.moduleID';
  if (old.kind !== 'DateTime' || only === old.options.only) return undefined;
  return (only ?? old.options.only) === 'date' ? 'options.onlyDate' : 'options.onlyTime';
}

/** Ignores case. Throws if `name` is no valid title. */
const isSameTitle = (name: string, title: string): boolean =>
  checkTitle(name, 'list').toLowerCase() === title.toLowerCase();

/** Throws `list.taken` (409) if the workspace has this name, in any case, as Corteza does. */
async function assertFreeName(lists: Lists, namespaceID: string, name: string): Promise<void> {
  if ((await lists.modules(namespaceID)).every((module) => !isSameTitle(name, module.name))) return;
  const message = `This workspace has a list “${name}” already. Use that one, or choose another \`name\`.`;
  throw new Refusal('conflict', 'list.taken', message);
}

/** Throws `bin.admin` (403) unless the caller is an admin. */
function assertAdmin(req: Request): void {
  const who = caller(req);
  if (who.kind === 'user' && roleCovers(who.role, 'admin')) return;
  throw new Refusal('forbidden', 'bin.admin', said('bin.admin'));
}

/** Throws `list.taken` (409) if another list of the workspace now has the deleted list's name or handle. */
async function assertRestorableNames(lists: Lists, req: Request): Promise<void> {
  const restored = (await lists.binnedModules()).find(({ module }) => module.moduleID === pathID(req, 'm'));
  const others = await lists.modules(pathID(req, 'ns'));
  const taken = (['name', 'handle'] as const).find((key) =>
    others.some((other) => other[key].toLowerCase() === restored?.module[key].toLowerCase()),
  );
  if (taken === undefined) return;
  const message = `Another list of this workspace has the ${taken} “${restored?.module[taken] ?? ''}” now. Change that one first, or restore this list from the bin in the window.`;
  throw new Refusal('conflict', 'list.taken', message);
}

/** Throws `list.not-in-bin` (404) unless the list is in the bin, from the path's workspace. */
async function assertInBin(lists: Lists, req: Request): Promise<void> {
  const [moduleID, namespaceID] = [pathID(req, 'm'), pathID(req, 'ns')];
  const binned = (await lists.binnedModules()).map(({ module }) => module);
  if (binned.some((module) => module.moduleID === moduleID && module.namespaceID === namespaceID)) return;
  throw new Refusal('not-found', 'list.not-in-bin', said('list.not-in-bin'));
}

/** Throws `workspace.unknown` (404): a list can't be restored into a deleted workspace. */
async function assertWorkspaceExists(lists: Lists, req: Request): Promise<void> {
  const namespaceID = pathID(req, 'ns');
  if ((await lists.namespaces()).some((namespace) => namespace.namespaceID === namespaceID)) return;
  const message =
    'The workspace of this list was deleted, so the list cannot be restored at this address. Restore it from the bin in the window: it comes back in another workspace.';
  throw new Refusal('not-found', 'workspace.unknown', message);
}
