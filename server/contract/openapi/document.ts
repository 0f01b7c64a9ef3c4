import { z } from 'zod';
import { ID_PATTERN, errorBody } from '../common.ts';
import { BODY_BYTES, type Operation, type Variant, type Who } from './operation.ts';
import * as compose from '../wire/compose.ts';
import * as footbridge from '../wire/footbridge.ts';
import * as live from '../wire/live.ts';
import * as shape1 from '../wire/shape1.ts';
import * as shape2 from '../wire/shape2.ts';
import * as syncStatus from '../wire/sync-status.ts';
import * as upkeep from '../wire/upkeep.ts';

type Json = Readonly<Record<string, unknown>>;

export const STATUS_TEXTS: Readonly<Record<number, string>> = {
  400: 'malformed',
  401: 'no credential, or a wrong one',
  403: 'not allowed',
  404: 'unknown',
  409: 'does not fit the state, or is there already',
  410: 'used, expired or withdrawn',
  413: 'too large',
  415: 'not JSON',
  422: 'understood, but impossible',
  429: 'too many wrong credentials, or too many requests without any',
  431: 'the head of the request is too large; the answer has no body',
  502: 'the partner could not be reached, or refused',
  503: 'not at the moment, such as while the node stops; ask again later, after Retry-After where it is given',
  507: 'the disk is full',
};

const WHO_TEXTS: Readonly<Record<Who, string>> = {
  anyone: 'Needs no token.',
  viewer: 'Needs a token of a user; any role.',
  editor: 'Needs a token of a user with the role editor or admin.',
  admin: 'Needs a token of a user with the role admin.',
  partner: 'Needs the node token that this partner was given in the handshake.',
  'partner or viewer': 'Needs the node token of this very partner, or a token of a user.',
};

const SCHEMAS = '#/components/schemas/';

/**
 * Makes an OpenAPI 3.1 document from the operations' zod schemas.
 * @param version of the program
 */
export function openApiDocument(operations: readonly Operation[], version: string): Json {
  const { requests, answers } = contractNames();
  answers.add(errorBody, { id: 'Error' });
  const paths: Record<string, Record<string, Json>> = {};
  for (const operation of operations) {
    const { path, method } = operation;
    const links = linksOf(operation, operations);
    paths[path] = { ...paths[path], [method]: operationObject(operation, links, requests, answers) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Footbridge',
      version,
      description:
        'Node Federation Service Interface in shape 1, shape 2 and the dialect of live servers, local data in the ' +
        'form of Compose, and what Footbridges say to each other. Every path is there under /api as well. A ' +
        'trailing slash makes no difference, except after …/records: without it shape 1, with it live.',
    },
    servers: [{ url: '/' }, { url: '/api' }],
    security: [{ bearer: [] }],
    tags: [...new Set(operations.map(({ tag }) => tag))].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
      schemas: { ...namedSchemas(requests, 'input'), ...namedSchemas(answers, 'output') },
    },
  };
}

/**
 * Describes an operation with parameters, body and all answers and refusals. Adds schemas without a name to `requests`
 * and `answers`.
 */
function operationObject(
  operation: Operation,
  links: Json,
  requests: SchemaNames,
  answers: SchemaNames,
): Json {
  const { id, tag, summary, who, body } = operation;
  const type = operation.answerType ?? 'application/json';
  const statuses = statusesOf(operation);
  return {
    operationId: id,
    tags: [tag],
    summary,
    description: [operation.description, sizeText(operation), WHO_TEXTS[who]].filter(Boolean).join(' '),
    ...(who === 'anyone' ? { security: [] } : {}),
    parameters: parametersOf(operation),
    ...(body
      ? {
          requestBody: {
            required: operation.bodyOptional !== true,
            content: {
              [operation.bodyType ?? 'application/json']: mediaType(body, id, 'Request', requests),
              ...bytes(operation.otherBodyTypes),
            },
          },
        }
      : {}),
    responses: {
      ...Object.fromEntries(statuses.map((status) => [status, refusalAnswer(status)])),
      ...answersByStatus(operation, type, answers, links),
    },
  };
}

/** Returns all statuses from 400 on, sorted, of an operation's refusals: its own, and those of any such request. */
export function statusesOf({ who, method, body, refusals = [] }: Operation): number[] {
  const all = [
    ...[400, 429, 431, 503],
    ...(who === 'anyone' ? [] : [401, 403, 404]),
    ...(body ? [413, 415] : []),
    ...(method === 'get' ? [] : [507]),
    ...refusals,
  ];
  return [...new Set(all)].sort((a, b) => a - b);
}

const bytes = (types: readonly string[] = []): Json =>
  Object.fromEntries(types.map((type) => [type, { schema: {} }]));

/**
 * Returns the answers by status (200, 202, 502, 503 so far as there are any) with this content type; refusals have
 * their own. Only 200 gets `links`.
 */
function answersByStatus(
  { id, answers, otherAnswerTypes }: Operation,
  type: string,
  names: SchemaNames,
  links: Json,
): Record<number, Json> {
  const of = (status: number): readonly Variant[] =>
    answers.filter((each) => (each.status ?? 200) === status);
  /** Returns the answer for one status; empty if there is none. */
  const response = (status: number, description: string): Record<number, Json> =>
    of(status).length === 0
      ? {}
      : {
          [status]: {
            description,
            content: { [type]: mediaType(of(status), id, 'Answer', names), ...bytes(otherAnswerTypes) },
          },
        };
  const done = response(200, 'done');
  return {
    ...(done[200] && Object.keys(links).length > 0 ? { 200: { ...done[200], links } } : done),
    ...response(202, 'begun; goes on by itself'),
    ...response(502, `${STATUS_TEXTS[502] ?? ''}; with a response, what was done all the same`),
    ...response(503, STATUS_TEXTS[503] ?? ''),
  };
}

const PARAMETER = /\{(\w+)\}/g;

/** Returns links to operations below an operation's path, each by the id that its answer has of what it made. */
function linksOf({ path, answers }: Operation, operations: readonly Operation[]): Json {
  const own = path.replace(/\/$/, '');
  const known = [...own.matchAll(PARAMETER)].map(([, name = '']) => name);
  const found = z.object({ response: z.record(z.string(), z.unknown()) }).safeParse(answers[0]?.example);
  const made = Object.keys(found.data?.response ?? {});
  const links = operations.flatMap((target) => {
    const below = target.path.startsWith(`${own}/{`) ? target.path.slice(own.length) : '';
    const [id = '', ...further] = [...below.matchAll(PARAMETER)].map(([, name = '']) => name);
    if (!made.includes(id) || further.length > 0) return [];
    const parameters = {
      ...Object.fromEntries(known.map((name) => [name, `$request.path.${name}`])),
      [id]: `$response.body#/response/${id}`,
    };
    return [[target.id, { operationId: target.id, parameters }] as const];
  });
  return Object.fromEntries(links);
}

/** Says how large the body may be; '' without a body. */
function sizeText({ body, bodyBytes = BODY_BYTES }: Operation): string {
  return body ? `The body holds at most ${bodyBytes / 1024} KiB.` : '';
}

/** Describes a refusal with this status and an example; 431 has no body. */
function refusalAnswer(status: number): Json {
  const description = STATUS_TEXTS[status] ?? 'refused';
  // Sent before the request is read.
  if (status === 431) return { description };
  const example = { error: { code: 'dotted.words', message: 'What is wrong, and what to do about it.' } };
  const content = { 'application/json': { schema: { $ref: `${SCHEMAS}Error` }, example } };
  return { description, content };
}

/** Describes the path's and the query's parameters. */
function parametersOf({ path, query = [] }: Operation): Json[] {
  const inPath = [...path.matchAll(PARAMETER)].map(([, name = '']) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string', pattern: ID_PATTERN },
  }));
  return [...inPath, ...query.map((parameter) => ({ ...parameter, in: 'query' }))];
}

/** Describes a body; several forms become alternatives, each with a named example. */
function mediaType(
  variants: readonly Variant[],
  operation: string,
  part: 'Request' | 'Answer',
  names: SchemaNames,
): Json {
  const refs = variants.map(({ schema, shape }) => ({
    $ref: referenceTo(schema, formName(operation, part, variants.length > 1 ? shape : ''), names),
  }));
  const different = refs.filter(({ $ref }, at) => refs.findIndex((other) => other.$ref === $ref) === at);
  const examples = variants.map(({ shape, example }) => [shape, { value: example }] as const);
  return {
    schema: different.length === 1 ? different[0] : { anyOf: different },
    examples: Object.fromEntries(examples),
  };
}

/** Returns a reference to a schema; adds it under this name if it has none. */
function referenceTo(schema: z.ZodType, name: string, names: SchemaNames): string {
  if (!names.has(schema)) names.add(schema, { id: name });
  return SCHEMAS + (names.get(schema)?.id ?? name);
}

/** Converts to JSON schemas by name, for input or output. */
function namedSchemas(names: SchemaNames, io: 'input' | 'output'): Json {
  const made = z.toJSONSchema(names, { io, unrepresentable: 'any', uri: (id) => SCHEMAS + id });
  const keep = ([key]: [string, unknown]): boolean => key !== '$schema' && key !== '$id';
  return Object.fromEntries(
    Object.entries(made.schemas).map(([id, schema]) => [
      id,
      Object.fromEntries(Object.entries(schema).filter(keep)),
    ]),
  );
}

type SchemaNames = z.core.$ZodRegistry<{ id: string }>;

const MODULES = {
  Shape1: shape1,
  Shape2: shape2,
  Live: live,
  Upkeep: { ...syncStatus, ...upkeep },
  Footbridge: footbridge,
  Compose: compose,
};

/**
 * Returns the contract's exported schemas with their names (`node` of shape 1 is `Shape1Node`): requests and changes,
 * and all others as answers. Omits query strings. New registries at each call.
 */
function contractNames(): { requests: SchemaNames; answers: SchemaNames } {
  const requests: SchemaNames = z.registry();
  const answers: SchemaNames = z.registry();
  for (const [prefix, module] of Object.entries(MODULES)) {
    for (const [name, schema] of Object.entries(module)) {
      if (!(schema instanceof z.ZodType) || name.endsWith('Query')) continue;
      const names = /Request$|Change$/.test(name) ? requests : answers;
      if (!names.has(schema)) names.add(schema, { id: prefix + capital(name) });
    }
  }
  return { requests, answers };
}

/** Returns a schema's name, such as `CreateListRequest`, with the form's name if there are several. */
function formName(operation: string, part: 'Request' | 'Answer', shape: string): string {
  const words = shape.split(/\W+/).filter(Boolean);
  return capital(operation) + part + words.map(capital).join('');
}

const capital = (word: string): string => (word[0] ?? '').toUpperCase() + word.slice(1);
