import type { z } from 'zod';
import type * as live from '../../../contract/wire/live.ts';
import type * as shape1 from '../../../contract/wire/shape1.ts';
import type * as shape2 from '../../../contract/wire/shape2.ts';
import { conditionAnswer } from '../../../app/condition-answer.ts';
import { descriptorOf } from '../../../federation/sharing/columns.ts';
import type { Exposure, Mapping, SharedModule } from '../../../federation/model.ts';
import type { FieldDescriptor } from '../../../lists/definitions/model.ts';

type Shape = 1 | 2;
type Definition = Pick<SharedModule, 'moduleID' | 'handle' | 'name' | 'createdAt' | 'updatedAt' | 'fields'>;
type Column2 = z.infer<typeof shape2.moduleDefinition>['fields'][number];

/** Footbridges only: stable ids of columns and list. */
interface MarkedParts {
  readonly marks?: readonly string[];
  readonly firstModuleID?: string;
}

const column1 = descriptorOf;
/** Returns a column in shape 2, where `isMulti` is 0 or 1. */
const columnAnswer2 = ({ kind, name, label, isMulti }: FieldDescriptor): Column2 => ({
  kind,
  name,
  label,
  isMulti: isMulti ? 1 : 0,
});

/** Returns a shared module's or exposure's definition in a shape, with stable ids if wanted. */
export function definitionAnswer(
  module: Definition,
  shape: Shape,
  { marks = [], ...first }: MarkedParts = {},
): z.infer<typeof shape1.exposedDefinition> | z.infer<typeof shape2.exposedDefinition> {
  const { moduleID, handle, name, createdAt } = module;
  const head = { moduleID, handle, name, createdAt, updatedAt: module.updatedAt ?? createdAt, ...first };
  const marked = (at: number): { mark?: string } => (marks[at] === undefined ? {} : { mark: marks[at] });
  return shape === 1
    ? { ...head, fields: module.fields.map((column, at) => ({ ...column1(column), ...marked(at) })) }
    : { ...head, fields: module.fields.map((column, at) => ({ ...columnAnswer2(column), ...marked(at) })) };
}

/** Returns a share in shape 1, without its condition. */
function exposedAnswer1(exposure: Exposure): z.infer<typeof shape1.exposedModule> {
  const { moduleID, nodeID, composeModuleID, composeNamespaceID, handle, name } = exposure;
  return {
    ...{ moduleID, nodeID, composeModuleID, composeNamespaceID, handle, name },
    fields: exposure.fields.map(column1),
    createdAt: exposure.createdAt,
    createdBy: exposure.createdBy,
    ...(exposure.updatedAt === undefined ? {} : { updatedAt: exposure.updatedAt }),
    ...(exposure.updatedBy === undefined ? {} : { updatedBy: exposure.updatedBy }),
  };
}

/** Returns a share in a shape; in shape 1 with its condition. */
export function exposedAnswer(exposure: Exposure, shape: Shape): object {
  if (shape === 2) return definitionAnswer(exposure, 2);
  const condition = conditionAnswer(exposure.condition);
  return { ...exposedAnswer1(exposure), ...(condition ? { condition } : {}) };
}

/** Returns a share in live servers' form, also an ended one; always with `canManageModule`. */
export function exposedAnswerLive(exposure: Exposure): z.infer<typeof live.exposedModule> {
  const deleted = exposure.deletedAt === undefined ? {} : { deletedAt: exposure.deletedAt };
  return { ...exposedAnswer1(exposure), ...deleted, canManageModule: true };
}

/** Returns a partner's offered list in live servers' form. */
export function sharedAnswerLive(module: SharedModule): z.infer<typeof live.sharedModule> {
  const { moduleID, nodeID, handle, name, externalFederationModuleID, createdAt, updatedAt } = module;
  return {
    ...{ moduleID, nodeID, handle, name, externalFederationModuleID },
    fields: module.fields.map(column1),
    createdAt,
    createdBy: '0',
    ...(updatedAt === undefined ? {} : { updatedAt }),
    canMapModule: true,
  };
}

/** Returns a mapping in shape 1, also for live servers. */
export function mappingAnswer1(mapping: Mapping): z.infer<typeof shape1.moduleMapping> {
  const { nodeID, federationModuleID, composeModuleID, composeNamespaceID } = mapping;
  return {
    ...{ nodeID, federationModuleID, composeModuleID, composeNamespaceID },
    fields: mapping.fields.map(({ origin, destination }) => ({
      origin: column1(origin),
      destination: column1(destination),
    })),
  };
}

/**
 * Returns a mapping in shape 2: the shared module's id and names with the pairs of columns. `updatedAt` is always set.
 */
export function mappingAnswer2(mapping: Mapping, module: SharedModule): z.infer<typeof shape2.moduleMapping> {
  const sideOfPair = ({
    name,
    kind,
    isMulti,
  }: FieldDescriptor): { name: string; kind: typeof kind; is_multi: 0 | 1 } => ({
    name,
    kind,
    is_multi: isMulti ? 1 : 0,
  });
  return {
    moduleID: module.moduleID,
    handle: module.handle,
    name: module.name,
    createdAt: mapping.createdAt,
    updatedAt: mapping.updatedAt ?? mapping.createdAt,
    mapping: mapping.fields.map(({ origin, destination }) => ({
      origin: sideOfPair(origin),
      destination: sideOfPair(destination),
    })),
  };
}
