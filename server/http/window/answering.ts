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
import { guard, userOf } from './guard.ts';

/** A call as it came, read by its entry in the table of calls. */
export interface Asked<C extends CallName> {
  readonly params: Params<C>;
  readonly query: Query<C>;
  readonly body: Body<C>;
  /** Id of the user who asks. */
  readonly by: string;
  /** Words in the language of whoever asks. */
  readonly say: Say;
  readonly req: Request;
}

/** What the entry promises; what comes back where it promises nothing goes nowhere. */
type Answered<C extends CallName> = Answer<C> extends undefined ? unknown : Fixed<Answer<C>>;

const METHODS = { GET: 'get', POST: 'post', PUT: 'put', PATCH: 'patch', DELETE: 'delete' } as const;

/**
 * Answers a call of the table: only to who may, only what its entry reads, and with what it promises.
 * @param before handlers that run after the check of who asks
 * @param readBody reads a body that the entry's schema would take too long for in one turn of the event loop
 */
export function answering<C extends CallName>(
  router: Router,
  name: C,
  answer: (asked: Asked<C>) => Promise<Answered<C>>,
  before: readonly RequestHandler[] = [],
  readBody: (req: Request) => Promise<Body<C>> | Body<C> = (req) => bodyOf(name, req),
): void {
  const { method, path, may } = routeOf(name);
  router[method](path, may, ...before, async (req, res) => {
    const response = await answer(asked(name, req, await readBody(req)));
    const { answer: promised }: Call = CALLS[name];
    res.json(promised === undefined ? {} : { response });
  });
}

/** Answers a call of the table with a file, which `send` writes. */
export function answeringFile<C extends CallName>(
  router: Router,
  name: C,
  send: (asked: Asked<C>, res: Response) => Promise<void>,
): void {
  const { method, path, may } = routeOf(name);
  router[method](path, may, async (req, res) => send(asked(name, req, bodyOf(name, req)), res));
}

/** Where a call of the table comes in, below `/app`, and who may. For those that answer a file. */
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

/** What an inbox item is called. @see CALLS: all other names in paths are ids */
const itemID = z.string().min(1).max(300);

const bodyOf = <C extends CallName>(name: C, req: Request): Body<C> => {
  const call: Call = CALLS[name];
  return call.body?.parse(req.body ?? {}) as Body<C>;
};

function asked<C extends CallName>(name: C, req: Request, body: Body<C>): Asked<C> {
  const call: Call = CALLS[name];
  const params = Object.keys(req.params).map((key): [string, string] => [
    key,
    key === 'itemID' ? itemID.parse(req.params[key]) : pathID(req, key),
  ]);
  return {
    params: Object.fromEntries(params) as Params<C>,
    query: call.query?.parse(req.query) as Query<C>,
    body,
    by: userOf(req),
    say: sayerFor(req),
    req,
  };
}
