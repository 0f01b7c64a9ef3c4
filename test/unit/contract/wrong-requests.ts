import { BODY_BYTES, type Operation, type Parameter } from '../../../server/contract/openapi/operation.ts';
import type { HttpCall } from '../../support/harness/served-parts.ts';

/** A request that has to be refused, and with what. */
export interface Wrong {
  readonly what: string;
  /** Put in place of this parameter of the path; absent: the path is right. */
  readonly inPath?: Readonly<Record<string, string>>;
  /** Without the question mark. */
  readonly query?: string;
  readonly call?: HttpCall;
  readonly status: number;
}

const NO_IDS = ['x', '-1', '0x10', '99999999999999999999', '..%2f1'];

/** Ids that are none, for each parameter of the path. */
export function wrongIDs({ path }: Operation): Wrong[] {
  return parametersOf(path).flatMap((name) =>
    NO_IDS.map((id) => ({ what: `${name} ${id}`, inPath: { [name]: id }, status: 400 })),
  );
}

export const parametersOf = (path: string): string[] =>
  [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);

/** Values that the description of each query parameter rules out, and each parameter given twice. */
export function wrongQueries({ query = [] }: Operation): Wrong[] {
  return query.flatMap((parameter) => {
    const { name } = parameter;
    const wrong = valuesAgainst(parameter).map((text) => `${name}=${encodeURIComponent(text)}`);
    const value = encodeURIComponent(String(parameter.example ?? fitting(parameter)));
    const { maxItems } = parameter.schema;
    const most = typeof maxItems === 'number' ? maxItems : 1;
    const tooOften = Array.from({ length: most + 1 }, () => `${name}=${value}`).join('&');
    return [...wrong, tooOften].map((text) => ({
      what: `?${text}`,
      query: text,
      status: 400,
    }));
  });
}

/** Values at the edges of what the description of each query parameter allows. */
export function rightQueries({ query = [] }: Operation): string[] {
  return query.flatMap(({ name, schema, example }) => {
    const { enum: values = [], type, pattern, minimum, maximum, minLength = 0 } = schema;
    const text = type === 'string' && pattern === undefined && !Array.isArray(schema.enum);
    const edges: unknown[] = [values, minimum ?? [], maximum ?? [], example ?? []].flat();
    const shortest = text && name !== 'pageCursor' ? ['a'.repeat(Number(minLength))] : [];
    return [...edges, ...shortest].map((value) => `${name}=${encodeURIComponent(String(value))}`);
  });
}

function valuesAgainst({ name, schema }: Parameter): string[] {
  if (name === 'after' || name === 'lastSync') {
    // An empty time means none to live servers; the others are wrong for everybody.
    return schema.type === 'integer'
      ? ['-1', 'x']
      : ['yesterday', '-5', '1.5', '2026-13-45T00:00:00Z', '2026-01-01'];
  }
  if (Array.isArray(schema.enum)) return ['nonsense', '-1'];
  if (schema.type === 'integer') {
    const most = typeof schema.maximum === 'number' ? [String(schema.maximum + 1)] : [];
    const least = typeof schema.minimum === 'number' ? [String(schema.minimum - 1)] : [];
    return ['x', '1.5', ...least, ...most];
  }
  if (typeof schema.pattern === 'string') return ['x', '-1'];
  if (name === 'pageCursor') return ['bogus'];
  if (name === 'sort') return ['Nope', 'name SIDEWAYS', 'name;drop'];
  return [];
}

function fitting({ schema }: Parameter): unknown {
  if (Array.isArray(schema.enum)) return schema.enum.at(-1) as unknown;
  return schema.type === 'integer' ? 1 : 'a';
}

/** Bodies that are no JSON, say that they are something else, are too large, or have something of a wrong type. */
export function wrongBodies(operation: Operation): Wrong[] {
  const { body, bodyType = 'application/json' } = operation;
  if (!body || bodyType !== 'application/json') return [];
  const whole = JSON.stringify(body[0]?.example);
  const raw = (text: string, type = 'application/json'): HttpCall => ({
    body: text,
    headers: { 'content-type': type },
  });
  const limit = operation.bodyBytes ?? BODY_BYTES;
  const notJson = ['{', 'null', '"text"', '['.repeat(50_000)];
  return [
    ...notJson.map((text) => ({ what: `body ${text.slice(0, 20)}`, call: raw(text), status: 400 })),
    ...['text/plain', 'application/x-www-form-urlencoded'].map((type) => ({
      what: type,
      call: raw(whole, type),
      status: 415,
    })),
    { what: 'an unknown charset', call: raw(whole, 'application/json; charset=klingon'), status: 415 },
    { what: 'one byte too many', call: raw(padded(whole, limit + 1)), status: 413 },
    ...body.flatMap(({ shape, schema, example }) =>
      mistyped(example)
        // What a schema takes all the same is not wrong: parts that may be left out, or the body of another shape.
        .filter(({ isOtherForm, value }) =>
          (isOtherForm ? body.map((each) => each.schema) : [schema]).every(
            (each) => !each.safeParse(value).success,
          ),
        )
        .map(({ what, value }) => ({ what: `${shape}: ${what}`, call: { body: value }, status: 400 })),
    ),
    ...(operation.bodyOptional ? [] : [{ what: 'no body', call: {}, status: 400 }]),
  ];
}

/** JSON may have blanks anywhere, so that a body is as long as one likes. */
const padded = (json: string, bytes: number): string => json + ' '.repeat(bytes - Buffer.byteLength(json));

interface Mistyped {
  readonly what: string;
  readonly value: unknown;
  /** It may be what another shape sends. */
  readonly isOtherForm?: true;
}

/** The example with each of its parts in turn left out or of another type. */
function mistyped(example: unknown): Mistyped[] {
  const swapped = {
    what: 'the other container',
    value: Array.isArray(example) ? {} : [],
    isOtherForm: true as const,
  };
  if (Array.isArray(example)) {
    const [first, ...rest] = example as unknown[];
    return [
      swapped,
      ...mistyped(first).map(({ what, value }) => ({ what: `[0] ${what}`, value: [value, ...rest] })),
    ];
  }
  if (typeof example !== 'object' || example === null) return [];
  return [
    swapped,
    ...Object.entries(example).flatMap(([name, part]: [string, unknown]): Mistyped[] => [
      { what: `without ${name}`, value: without(example, name), isOtherForm: true },
      ...others(part).map((other) => ({
        what: `${name}: ${JSON.stringify(other)}`,
        value: { ...example, [name]: other },
      })),
      ...mistyped(part).map((each) => ({
        ...each,
        what: `${name}.${each.what}`,
        value: { ...example, [name]: each.value },
      })),
    ]),
  ];
}

const without = (whole: object, name: string): object =>
  Object.fromEntries(Object.entries(whole).filter(([key]) => key !== name));

/** Values of other types than this one. */
function others(part: unknown): unknown[] {
  const kind = Array.isArray(part) ? 'array' : typeof part;
  return [5, 'text', true, null, [], {}].filter(
    (other) => (Array.isArray(other) ? 'array' : typeof other) !== kind || other === null,
  );
}
