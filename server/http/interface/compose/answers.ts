import { z } from 'zod';
import { ownMember } from '../../../base/own-member.ts';
import { omitUndefined } from '../../../base/omit-undefined.ts';
import { omit } from '../../../base/omit.ts';
import type {
  FieldOptionsBody,
  ModuleAnswer,
  NamespaceAnswer,
  RecordAnswer,
} from '../../../contract/wire/compose.ts';
import type { Field, Module, Namespace, Row } from '../../../lists/definitions/model.ts';
import { lastEditOf } from '../../../lists/rows/edits.ts';
import { valuesOf } from '../../../lists/values/value-sets.ts';
import { STYLES } from './bodies.ts';
import { MAX_DECIMALS } from './values.ts';

/** Returns a workspace in Compose's form. `mayWrite` is the value of its `can…` members. */
export function namespaceAnswer(namespace: Namespace, mayWrite: boolean): NamespaceAnswer {
  return {
    namespaceID: namespace.namespaceID,
    slug: namespace.slug,
    enabled: namespace.enabled,
    meta: namespace.compose?.meta ?? {},
    labels: namespace.compose?.labels ?? {},
    ...timesAnswer(namespace),
    name: namespace.name,
    canUpdateNamespace: mayWrite,
    canDeleteNamespace: mayWrite,
    canCreateModule: mayWrite,
  };
}

/** Returns a list in Compose's form. `mayWrite`: the value of its `can…` members; `deletedAt` is set in the bin. */
export function moduleAnswer(module: Module, mayWrite: boolean, deletedAt?: string): ModuleAnswer {
  const { moduleID, namespaceID, createdAt } = module;
  return {
    moduleID,
    handle: module.handle,
    meta: module.compose?.meta ?? {},
    config: module.compose?.config ?? {},
    labels: module.compose?.labels ?? {},
    namespaceID,
    ...timesAnswer(module),
    ...(deletedAt === undefined ? {} : { deletedAt }),
    name: module.name,
    fields: module.fields.map((field) => ({
      fieldID: field.fieldID,
      namespaceID,
      namspaceID: namespaceID,
      moduleID,
      kind: field.kind,
      name: field.name,
      options: optionsAnswer(field),
      isPrivate: false,
      isRequired: field.isRequired,
      isVisible: false,
      isMulti: field.isMulti,
      defaultValue: null,
      expressions: {},
      ...field.compose,
      createdAt,
      label: field.label,
      canReadRecordValue: true,
      canUpdateRecordValue: mayWrite,
    })),
    canUpdateModule: mayWrite,
    canDeleteModule: mayWrite,
    canCreateRecord: mayWrite,
  };
}

/**
 * Returns a row in Compose's form, values in column order, empty ones without `value`; `updatedAt` only if they
 * changed.
 */
export function recordAnswer(module: Module, row: Row, mayWrite: boolean): RecordAnswer {
  const labels = labelsAnswer(row);
  const lastEdit = lastEditOf(row);
  return {
    recordID: row.recordID,
    moduleID: module.moduleID,
    values: module.fields.flatMap(({ name }) =>
      valuesOf(row.values, name).map((value) => (value === '' ? { name } : { name, value })),
    ),
    ...omitUndefined({ labels }),
    namespaceID: module.namespaceID,
    ownedBy: row.createdBy,
    createdAt: row.createdAt,
    createdBy: row.createdBy,
    ...(lastEdit.updatedAt !== row.createdAt && lastEdit),
    ...(row.deletedAt !== undefined && { deletedAt: row.deletedAt, deletedBy: row.deletedBy ?? '0' }),
    canUpdateRecord: mayWrite,
    canReadRecord: true,
    canDeleteRecord: mayWrite,
  };
}

/** Returns a received row's labels: our id of its partner, and its id there; undefined for our own rows. */
export function labelsAnswer({ received }: Row): RecordAnswer['labels'] {
  return received && { federation: received.nodeID, federation_extrecord: received.recordID };
}

/** Returns the times, without an absent `updatedAt`. */
function timesAnswer({ createdAt, updatedAt }: { createdAt: string; updatedAt?: string }): {
  createdAt: string;
  updatedAt?: string;
} {
  return updatedAt === undefined ? { createdAt } : { createdAt, updatedAt };
}

const choiceStyles = z.record(z.string(), z.record(z.string(), z.unknown())).catch({});

/** Returns a column's options in Compose's form. A number column without precision gets Corteza's maximum. */
function optionsAnswer({
  kind,
  options: { options, optionTexts, only, compose = {}, ...rest },
}: Field): FieldOptionsBody {
  const styles = new Map(Object.entries(choiceStyles.parse(compose[STYLES])));
  return {
    ...omit(compose, STYLES),
    // Without it, Corteza rounds to whole numbers.
    ...(kind === 'Number' && { precision: MAX_DECIMALS }),
    ...rest,
    ...(options && {
      options: options.map((value) => ({
        text: ownMember(optionTexts, value) ?? value,
        value,
        ...omitUndefined({ style: styles.get(value) }),
      })),
    }),
    ...(only === 'date' && { onlyDate: true }),
    ...(only === 'time' && { onlyTime: true }),
  };
}
