import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { z } from 'zod';

const media = z.object({
  schema: z.object({
    $ref: z.string().optional(),
    anyOf: z.array(z.object({ $ref: z.string() })).optional(),
  }),
  examples: z.record(z.string(), z.object({ value: z.unknown() })).optional(),
});
const content = z.record(z.string(), media);
const link = z.object({ operationId: z.string(), parameters: z.record(z.string(), z.string()) });
const operation = z.object({
  operationId: z.string(),
  parameters: z.array(z.object({ name: z.string(), in: z.enum(['path', 'query']) })),
  requestBody: z.object({ content }).optional(),
  responses: z.record(
    z.string(),
    z.object({
      description: z.string(),
      content: content.default({}),
      links: z.record(z.string(), link).default({}),
    }),
  ),
});
const description = z.object({
  openapi: z.string().regex(/^3\.1\./),
  info: z.object({ title: z.string(), version: z.string() }),
  servers: z.array(z.object({ url: z.string() })),
  paths: z.record(
    z.string().startsWith('/'),
    z.record(z.enum(['get', 'post', 'put', 'patch', 'delete']).or(z.string()), operation),
  ),
  components: z.object({
    schemas: z.record(z.string(), z.unknown()),
    securitySchemes: z.record(z.string(), z.unknown()),
  }),
});
export type Description = z.infer<typeof description>;
export type DescribedOperation = z.infer<typeof operation>;

/** A served description, and what it says about an exchange. */
export interface OpenApi {
  readonly description: Description;
  /** Every operation with its method and path. */
  readonly operations: readonly (DescribedOperation & { readonly method: string; readonly path: string })[];
  /** The operation of a request; paths with fixed words go before those with parameters. */
  find(method: string, path: string): DescribedOperation | undefined;
  /** What is wrong with a body, by the description; empty when nothing is. */
  faults(part: z.infer<typeof media>, body: unknown): string[];
}

/** Reads a description and compiles its schemas, all references included. */
export function readOpenApi(document: unknown): OpenApi {
  const parsed = description.parse(document);
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  ajv.addSchema({ $id: 'doc:', components: parsed.components });
  const compiled = new Map<string, ValidateFunction>();
  const validator = (schema: z.infer<typeof media>['schema']): ValidateFunction => {
    const key = JSON.stringify(schema);
    const known = compiled.get(key) ?? ajv.compile(JSON.parse(key.replaceAll('"#/', '"doc:#/')) as object);
    compiled.set(key, known);
    return known;
  };
  const operations = Object.entries(parsed.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, each]) => ({ ...each, method, path })),
  );
  const fixedFirst = [...operations].sort((a, b) => parametersIn(a.path) - parametersIn(b.path));
  return {
    description: parsed,
    operations,
    find: (method, path) =>
      fixedFirst.find((each) => each.method === method.toLowerCase() && pattern(each.path).test(path)),
    faults(part, body) {
      const validate = validator(part.schema);
      return validate(body)
        ? []
        : (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message ?? ''}`);
    },
  };
}

const parametersIn = (path: string): number => path.split('{').length;

const pattern = (path: string): RegExp => new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
