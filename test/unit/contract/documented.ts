import { z } from 'zod';

/**
 * The tables of the Node Federation Service Interface, written down once more from the document and on purpose
 * not from `server/contract`: an answer has to have these fields, these JSON types and nothing else, whatever
 * our own schemas come to say.
 */

const id = z.string().regex(/^\d{1,20}$/);
const timestamp = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/);
const whole = z.number().int().min(0);
const flag2 = z.union([z.literal(0), z.literal(1)]);
const response = (payload: z.ZodType): z.ZodType => z.strictObject({ response: payload });

/** “operations with nothing to return give `{}`” */
export const nothing = z.strictObject({});

const shared = { nodeID: id, sharedNodeID: id, name: z.string().min(1) };
/** Node; `status` has the value `pending` after creation. */
const node1 = {
  ...shared,
  status: z.literal('pending'),
  baseURL: z.url(),
  createdAt: timestamp,
  createdBy: id,
};
const node2 = { ...shared, status: z.literal('pending'), domain: z.string().min(1), nodeURI: z.url() };
export const node = { 1: response(z.strictObject(node1)), 2: response(z.strictObject(node2)) };

/** Field descriptor: `value` and `map` are left out of answers. */
const field1 = z.strictObject({
  kind: z.string(),
  name: z.string(),
  label: z.string(),
  isMulti: z.boolean(),
});
const field2 = z.strictObject({ kind: z.string(), name: z.string(), label: z.string(), isMulti: flag2 });

const exposed1 = {
  moduleID: id,
  nodeID: id,
  composeModuleID: id,
  composeNamespaceID: id,
  handle: z.string(),
  name: z.string(),
  fields: z.array(field1).min(1),
  createdAt: timestamp,
  createdBy: id,
};
const definition = (
  field: z.ZodType,
): z.ZodObject<Record<'moduleID' | 'handle' | 'name' | 'createdAt' | 'updatedAt' | 'fields', z.ZodType>> =>
  z.strictObject({
    moduleID: id,
    handle: z.string(),
    name: z.string(),
    createdAt: timestamp,
    updatedAt: timestamp,
    fields: z.array(field).min(1),
  });

/** Exposed module, as added: `updatedAt` and `updatedBy` are not there yet. */
export const exposed = { 1: response(z.strictObject(exposed1)), 2: response(definition(field2)) };
/** The same after a change. */
export const changed = {
  1: response(z.strictObject({ ...exposed1, updatedAt: timestamp, updatedBy: id })),
  2: exposed[2],
};
export const sharedModule = { 1: response(definition(field1)), 2: response(definition(field2)) };

const sharedFilter = z.strictObject({
  query: z.string(),
  handle: z.string(),
  name: z.string(),
  sort: z.literal('name ASC'),
  count: whole,
});
const sharedList = (field: z.ZodType): z.ZodType =>
  response(z.strictObject({ filter: sharedFilter, set: z.array(definition(field)).min(1) }));
export const sharedModules = { 1: sharedList(field1), 2: sharedList(field2) };

const side2 = z.strictObject({ name: z.string(), kind: z.string(), is_multi: flag2 });
export const mapping = {
  1: response(
    z.strictObject({
      nodeID: id,
      federationModuleID: id,
      composeModuleID: id,
      composeNamespaceID: id,
      fields: z.array(z.strictObject({ origin: field1, destination: field1 })).min(1),
    }),
  ),
  2: response(
    z.strictObject({
      moduleID: id,
      handle: z.string(),
      name: z.string(),
      createdAt: timestamp,
      updatedAt: timestamp,
      mapping: z.array(z.strictObject({ origin: side2, destination: side2 })).min(1),
    }),
  ),
};

const link = z.strictObject({
  type: z.literal('GET'),
  rel: z.string().min(1),
  href: z.url().regex(/[?&]after=\d+/),
});
/** Change links asked for with `after=1600109447`. */
export const links = response(
  z.strictObject({
    filter: z.strictObject({
      query: z.literal('after=1600109447'),
      page: z.literal(1),
      perPage: whole,
      count: whole,
    }),
    set: z.array(link).min(1),
  }),
);

const record = z.strictObject({
  recordID: id,
  moduleID: id,
  values: z.array(z.strictObject({ name: z.string(), value: z.string() })),
  createdAt: timestamp,
  updatedAt: timestamp,
});
/** The two rows of a list of the test's world. */
export const records = response(
  z.strictObject({
    filter: z.strictObject({
      moduleID: id,
      query: z.literal(''),
      sort: z.literal('createdAt DESC'),
      page: z.literal(1),
      perPage: whole,
      count: z.literal(2),
      deleted: whole,
    }),
    set: z.array(record).length(2),
  }),
);
