import { z } from 'zod';
import { columnsRequest, matchesRequest } from '../columns.ts';
import { condition, conditionRequest } from '../condition.ts';
import { columnMark, fieldDescriptor, firstModuleID, headerToken, id, timestamp } from '../common.ts';

/** Values of `status` that are sent (docs/interface.md: Partners). */
export const nodeStatus = z.enum(['pending', 'pair_requested', 'paired']);

/** POST /federation/nodes, and POST /federation/nodes/{n} to change one. Either address may be an invite. */
export const nodeRequest = z.object({
  baseURL: z.string().max(8192).optional().describe('base address of the partner, or the invite'),
  name: z.string().trim().max(200).optional(),
  nodeURI: z.string().max(8192).optional().describe('the invite, beside a baseURL'),
});

export const node = z.strictObject({
  nodeID: id,
  sharedNodeID: id,
  name: z.string(),
  status: nodeStatus,
  baseURL: z.string(),
  createdAt: timestamp,
  createdBy: id,
});

/** POST /federation/nodes/{n}/handshake; the same in shape 2. */
export const handshakeRequest = z.object({
  nodeURI: z.string().min(1).max(8192),
  token: headerToken,
  nodeIDB: id,
});

/** POST /federation/nodes/{n}/handshake-complete; the same in shape 2. */
export const completeRequest = z.object({ token: headerToken });

/** PUT /federation/nodes/{n}/modules/ and PUT …/{m}/exposed */
export const exposeRequest = z.object({
  composeModuleID: id,
  composeNamespaceID: id.optional(),
  name: z.string().max(200).optional(),
  handle: z.string().max(200).optional(),
  fields: columnsRequest,
  condition: conditionRequest
    .nullable()
    .optional()
    .describe('ours alone, and never told to the partner: which rows; null is all, absent what it was'),
});

export const exposedModule = z.strictObject({
  moduleID: id,
  nodeID: id,
  composeModuleID: id,
  composeNamespaceID: id,
  handle: z.string(),
  name: z.string(),
  fields: z.array(fieldDescriptor.strict()),
  condition: condition.optional().describe('only to users of this office, and only where there is one'),
  createdAt: timestamp,
  createdBy: id,
  updatedAt: timestamp.optional(),
  updatedBy: id.optional(),
});

/** GET …/{m}/shared, and the entries of GET …/modules */
export const sharedModule = z.strictObject({
  moduleID: id,
  handle: z.string(),
  name: z.string(),
  createdAt: timestamp,
  updatedAt: timestamp,
  fields: z.array(fieldDescriptor.strict()),
});

/** GET /federation/exposed/modules/{m}; the first id and the marks only if requested */
export const exposedDefinition = sharedModule.extend({
  firstModuleID: firstModuleID.optional(),
  fields: z.array(fieldDescriptor.extend({ mark: columnMark.optional() }).strict()),
});

/** GET /federation/nodes/{n}/modules */
export const sharedModuleList = z.strictObject({
  filter: z.strictObject({
    query: z.string(),
    handle: z.string(),
    name: z.string(),
    sort: z.string(),
    count: z.number().int(),
    page: z.number().int().optional(),
    perPage: z.number().int().optional(),
    limit: z.number().int().optional(),
    nextPage: z.string().optional(),
  }),
  set: z.array(sharedModule),
});

/** PUT …/{m}/mapped */
export const mapRequest = z.object({
  composeModuleID: id,
  composeNamespaceID: id.optional(),
  fields: matchesRequest,
});

export const moduleMapping = z.strictObject({
  nodeID: id,
  federationModuleID: id,
  composeModuleID: id,
  composeNamespaceID: id,
  fields: z.array(
    z.strictObject({ origin: fieldDescriptor.strict(), destination: fieldDescriptor.strict() }),
  ),
});

const cutting = {
  page: z.number().int().optional(),
  perPage: z.number().int().optional(),
  limit: z.number().int().optional(),
  nextPage: z.string().optional(),
};

/** GET /federation/exposed/modules, and GET /federation/exposed/records (shape 2) */
export const linkList = z.strictObject({
  filter: z.strictObject({ query: z.string(), ...cutting, count: z.number().int() }),
  set: z.array(z.strictObject({ type: z.literal('GET'), rel: z.string(), href: z.string() })),
});

export const record = z.strictObject({
  recordID: id,
  moduleID: id,
  values: z.array(z.strictObject({ name: z.string(), value: z.string() })),
  createdAt: timestamp,
  updatedAt: timestamp,
  deletedAt: timestamp.optional(),
});

/** GET /federation/nodes/{n}/modules/{m}/records, and the record addresses of shape 2 */
export const recordList = z.strictObject({
  filter: z.strictObject({
    moduleID: id,
    query: z.string(),
    sort: z.string(),
    ...cutting,
    count: z.number().int(),
    deleted: z.union([z.literal(0), z.literal(1)]),
  }),
  set: z.array(record),
});
