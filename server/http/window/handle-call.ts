import type { Request, RequestHandler, Response, Router } from 'express';
import { z } from 'zod';
import {
  CALLS,
  type Answer,
  type Body,
  type Call,
  type CallName,
  type Fixed,
  type Params,
  type Query,
} from '../../contract/app/calls.ts';
import type { Say } from '../../words/said.ts';
import { sayerFor } from '../listeners/language.ts';
import { pathID } from '../listeners/path-id.ts';
import { guard, userOrPartnerID } from './guard.ts';

interface ParsedCall<C extends CallName> {
  readonly params: Params<C>;
  readonly query: Query<C>;
  readonly body: Body<C>;
  /** The user's id. */
  readonly by: string;
  readonly say: Say;
  readonly req: Request;
}

type Answered<C extends CallName> = Answer<C> extends undefined ? unknown : Fixed<Answer<C>>;

const METHODS = { GET: 'get', POST: 'post', PUT: 'put', PATCH: 'patch', DELETE: 'delete' } as const;

/**
 * Registers a handler in the table of calls: checks the role, runs `before`, parses path, query and body (by
 * `readBody`), and sends what `answer` returns, {} for calls without an answer. Invalid requests get 400.
 */
export function handleCall<C extends CallName>(
  router: Router,
  name: C,
  answer: (asked: ParsedCall<C>) => Promise<Answered<C>>,
  before: readonly RequestHandler[] = [],
  readBody: (req: Request) => Promise<Body<C>> | Body<C> = (req) => bodyOf(name, req),
): void {
  const { method, path, may } = routeOf(name);
  router[method](path, may, ...before, async (req, res) => {
    const response = await answer(parseCall(name, req, await readBody(req)));
    const { answer: promised }: Call = CALLS[name];
    res.json(promised === undefined ? {} : { response });
  });
}

/** Registers a handler whose answer is a file, written by `send`; checks the role, parses the request. */
export function handleFileCall<C extends CallName>(
  router: Router,
  name: C,
  send: (asked: ParsedCall<C>, res: Response) => Promise<void>,
): void {
  const { method, path, may } = routeOf(name);
  router[method](path, may, async (req, res) => send(parseCall(name, req, bodyOf(name, req)), res));
}

/** Returns a call's method, path below `/app` and role check. */
export function routeOf(name: CallName): {
  method: (typeof METHODS)[keyof typeof METHODS];
  path: string;
  may: RequestHandler;
} {
  const [method = 'GET', path = ''] = name.split(' ');
  return {
    method: METHODS[method as keyof typeof METHODS],
    path: path.slice('/app'.length),
    may: guard[CALLS[name].may],
  };
}

/** All other path names are ids of digits. */
const itemID = z.string().min(1).max(300);

/**
 * Returns the parsed body. Throws `ZodError` (400), also for unknown members: without a mistyped `stepID` an undo
 * would be of another step.
 */
const bodyOf = <C extends CallName>(name: C, req: Request): Body<C> => {
  const { body }: Call = CALLS[name];
  return (body instanceof z.ZodObject ? body.strict() : body)?.parse(req.body ?? {}) as Body<C>;
};

/**
 * Parses path and query, and adds body, caller and language. Throws 400 for invalid parameters, 401 for anonymous
 * callers.
 */
function parseCall<C extends CallName>(name: C, req: Request, body: Body<C>): ParsedCall<C> {
  const call: Call = CALLS[name];
  const params = Object.keys(req.params).map((key): [string, string] => [
    key,
    key === 'itemID' ? itemID.parse(req.params[key]) : pathID(req, key),
  ]);
  return {
    params: Object.fromEntries(params) as Params<C>,
    query: call.query?.parse(req.query) as Query<C>,
    body,
    by: userOrPartnerID(req),
    say: sayerFor(req),
    req,
  };
}
