import { z } from 'zod';
import { columnsRequest, matchesRequest } from '../columns.ts';
import { columnMark, fieldKind, firstModuleID, id, timestamp } from '../common.ts';
import { nodeStatus } from './shape1.ts';

/** Unlike shape 1: flags are 0 or 1, requests are bare arrays. */

const flag = z.union([z.literal(0), z.literal(1)]);

/** POST /federation/nodes: by parameters, or with `nodeURI` by invite; POST /federation/nodes/{n} changes one. */
export const nodeRequest = z.object({
  myDomain: z.string().trim().max(2000),
  domain: z.string().trim().max(2000).optional(),
  name: z.string().trim().max(200).optional(),
  nodeURI: z.string().max(8192).optional(),
});

export const node = z.strictObject({
  nodeID: id,
  sharedNodeID: id,
  name: z.string(),
  domain: z.string(),
  status: nodeStatus,
  nodeURI: z.string().describe('with its secret in the answer that made it, later without'),
});

/** PUT /federation/nodes/{n}/modules/{m} and PUT …/{m}/exposed */
export const exposeRequest = columnsRequest;

/** PUT …/{m}/mapped */
export const mapRequest = matchesRequest;

const column = z.strictObject({ kind: fieldKind, name: z.string(), label: z.string(), isMulti: flag });

/** The same for exposed and shared modules. */
export const moduleDefinition = z.strictObject({
  moduleID: id,
  handle: z.string(),
  name: z.string(),
  createdAt: timestamp,
  updatedAt: timestamp,
  fields: z.array(column),
});

/** GET /federation/exposed/modules/{m}; the first id and the marks only if requested */
export const exposedDefinition = moduleDefinition.extend({
  firstModuleID: firstModuleID.optional(),
  fields: z.array(column.extend({ mark: columnMark.optional() })),
});

const side = z.strictObject({ name: z.string(), kind: fieldKind, is_multi: flag });

export const moduleMapping = z.strictObject({
  moduleID: id,
  handle: z.string(),
  name: z.string(),
  createdAt: timestamp,
  updatedAt: timestamp,
  mapping: z.array(z.strictObject({ origin: side, destination: side })),
});
