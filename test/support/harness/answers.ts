import { isDeepStrictEqual } from 'node:util';
import { CALLS, type Call, type CallName } from '../../../server/contract/app/calls.ts';

const ROUTES = (Object.keys(CALLS) as CallName[]).map((name) => {
  const [method = '', path = ''] = name.split(' ');
  const pattern = path.replaceAll('.', '\\.').replace(/:\w+/g, '[^/]+');
  return { name, method, matches: new RegExp(`^${pattern}$`) };
});

/** The call of the table that a request is; a fixed word in a path goes before a name. */
export function callOf(method: string, url: string): CallName | undefined {
  const path = new URL(url, 'http://localhost').pathname;
  const found = ROUTES.filter((route) => route.method === method && route.matches.test(path));
  return found.sort((one, other) => one.name.split(':').length - other.name.split(':').length)[0]?.name;
}

/**
 * What is wrong with an answer of the window's API, held against the table of calls: a call that is not in it,
 * something missing or of another kind, or something that it does not promise. Undefined where nothing is.
 */
export function faultOf(method: string, url: string, body: unknown): string | undefined {
  const name = callOf(method, url);
  if (name === undefined) return `${method} ${url} is not in the table of calls`;
  const { answer }: Call = CALLS[name];
  const given = (body as { response?: unknown } | undefined)?.response;
  if (!answer) return given === undefined ? undefined : `${name} answers, and promises nothing`;
  const read = answer.safeParse(given);
  if (!read.success) return `${name}: ${read.error.message}`;
  return isDeepStrictEqual(read.data, given) ? undefined : `${name} answers more than it promises`;
}

/** The last answer to each question in which nothing was wrong: whoever asks again and again mostly gets the same. */
const right = new Map<string, string>();
const MAX_KNOWN = 100;

/** What stands under `response`; also of the interface, which has a description of its own. @throws where it is not what the table promises */
export function asPromised(method: string, path: string, text: string): unknown {
  const body = JSON.parse(text) as { response?: unknown };
  if (!path.startsWith('/app/') || right.get(`${method} ${path}`) === text) return body.response;
  const fault = faultOf(method, path, body);
  if (fault !== undefined) throw new Error(fault);
  if (right.size >= MAX_KNOWN) right.clear();
  right.set(`${method} ${path}`, text);
  return body.response;
}
