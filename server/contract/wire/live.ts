import { z } from 'zod';
import { fieldDescriptor, headerToken, id, timestamp } from '../common.ts';
import { exposedModule as exposedModule1, moduleMapping, nodeStatus } from './shape1.ts';

/** Not wrapped in `response`. */
export const success = z.strictObject({ success: z.strictObject({ message: z.literal('OK') }) });

/** POST /federation/nodes, and POST /federation/nodes/{n} to change one */
export const nodeRequest = z.object({
  pairingURI: z.string().max(8192).optional(),
  baseURL: z.string().max(8192).optional(),
  name: z.string().trim().max(200).optional(),
  contact: z.string().max(320).optional(),
});

export const node = z.strictObject({
  nodeID: id,
  name: z.string(),
  status: nodeStatus,
  baseURL: z.string(),
  contact: z.string(),
  sharedNodeID: id,
  createdAt: timestamp,
  createdBy: id,
  updatedAt: timestamp.optional(),
  updatedBy: id.optional(),
  canManageNode: z.boolean(),
  canCreateModule: z.boolean(),
});

/** POST /federation/nodes/{n}/handshake; `sharedNodeID` is node A’s own id. */
export const handshakeRequest = z.object({
  pairToken: z.string().max(200),
  authToken: headerToken,
  sharedNodeID: id,
});

/** POST /federation/nodes/{n}/handshake-complete */
export const completeRequest = z.object({ authToken: headerToken });

export const exposedModule = exposedModule1.omit({ condition: true }).extend({
  deletedAt: timestamp.optional(),
  deletedBy: id.optional(),
  canManageModule: z.boolean(),
});

export const sharedModule = z.strictObject({
  moduleID: id,
  nodeID: id,
  handle: z.string(),
  name: z.string(),
  externalFederationModuleID: id,
  fields: z.array(fieldDescriptor.strict()),
  createdAt: timestamp,
  createdBy: id,
  updatedAt: timestamp.optional(),
  canMapModule: z.boolean(),
});

/** GET …/modules/?exposed=1, ?shared=1, ?mapped=1 */
export const exposedModules = z.array(exposedModule);
export const sharedModules = z.array(sharedModule);
export const mappings = z.array(moduleMapping);

/** GET /federation/nodes/{n}/modules/exposed/ */
export const structure = z.strictObject({
  filter: z.strictObject({
    nodeID: id,
    composeModuleID: id,
    composeNamespaceID: id,
    lastSync: z.number().int(),
    handle: z.string(),
    name: z.string(),
    query: z.string(),
    sort: z.string(),
    limit: z.number().int().optional(),
    nextPage: z.string().optional(),
  }),
  set: z
    .array(exposedModule.omit({ canManageModule: true }))
    .min(1)
    .nullable(),
});

export const record = z.strictObject({
  recordID: id,
  moduleID: id.describe('the local list'),
  values: z.array(z.strictObject({ name: z.string(), value: z.string().optional() })),
  namespaceID: id,
  ownedBy: id,
  createdAt: timestamp,
  createdBy: id,
  updatedAt: timestamp,
  updatedBy: id,
  deletedAt: timestamp.optional(),
  deletedBy: id.optional(),
});

/** GET /federation/nodes/{n}/modules/{m}/records/ */
export const recordList = z.strictObject({
  filter: z.strictObject({
    moduleID: id,
    namespaceID: id,
    query: z.string(),
    deleted: z.literal(1),
    sort: z.string(),
    limit: z.number().int().optional(),
    nextPage: z.string().optional(),
  }),
  set: z.array(record).min(1).nullable(),
});

/** GET /federation/nodes/{n}/modules/exposed/records/ */
export const recordIndex = z.strictObject({
  set: z.array(z.strictObject({ type: z.literal('GET'), rel: z.string(), href: z.string() })),
});
