import { given } from '../../../base/given.ts';
import express, { type Request, type RequestHandler } from 'express';
import { roleCovers } from '../../../federation/partners/identity.ts';
import type { Lists } from '../../../lists/lists.ts';
import type { Module } from '../../../lists/definitions/model.ts';
import { Refusal } from '../../../base/refusal.ts';
import { caller, stillLetIn } from '../../auth/caller.ts';
import { jsonOnly } from '../../listeners/errors.ts';
import { pathID } from '../../listeners/path-id.ts';
import { said } from '../../../words/said.ts';

export interface ComposeDeps {
  readonly lists: Lists;
  readonly guard: {
    /** Lets those through who may read. */
    readonly read: RequestHandler;
    /** Lets those through who may change lists and rows. */
    readonly write: RequestHandler;
  };
}

/** docs/interface.md: Limits */
const json = express.json({ limit: 1024 * 1024 });

/** Reads a JSON body of at most 1 MiB. */
export const jsonBody: readonly RequestHandler[] = [jsonOnly, json, stillLetIn];

/** The id of the user who sends this request; only behind a guard. */
export function userID(req: Request): string {
  const who = caller(req);
  return who.kind === 'user' ? who.userID : '0';
}

/** Whether the caller may change lists and rows; tells the `can…` members of answers. */
export function mayWrite(req: Request): boolean {
  const who = caller(req);
  return who.kind === 'user' && roleCovers(who.role, 'editor');
}

/** The list that the path names. @throws Refusal `not-found`, also when it lies in another workspace */
export async function pathModule(lists: Lists, req: Request): Promise<Module> {
  const module = await lists.module(pathID(req, 'm'));
  if (module.namespaceID === pathID(req, 'ns')) return module;
  throw new Refusal('not-found', 'list.unknown', said('list.other-workspace'));
}

/** How much of a set a caller wants: `limit` 0 or absent is all of it. */
export interface AskedPage {
  readonly limit?: number | undefined;
  readonly pageCursor?: string | undefined;
  readonly incTotal?: boolean | undefined;
}

/**
 * One page of workspaces or lists, which are in the order of their ids; a cursor is the last id, so that it stays true
 * when others come or go.
 * @throws Refusal `malformed` for a cursor that no answer gave
 */
export function pageOf<T>(
  all: readonly T[],
  idOf: (one: T) => string,
  { limit = 0, pageCursor = '', incTotal = false }: AskedPage,
): { readonly set: readonly T[]; readonly filter: { limit?: number; nextPage?: string; total?: number } } {
  if (!/^\d{0,20}$/.test(pageCursor)) {
    throw new Refusal('malformed', 'page.cursor', 'The page cursor is none. Start again without it.');
  }
  const rest = pageCursor === '' ? all : all.filter((one) => BigInt(idOf(one)) > BigInt(pageCursor));
  const set = limit === 0 ? rest : rest.slice(0, limit);
  const last = set.at(-1);
  const nextPage = last !== undefined && set.length < rest.length ? idOf(last) : undefined;
  const total = incTotal ? all.length : undefined;
  return { set, filter: given({ limit: limit === 0 ? undefined : limit, nextPage, total }) };
}

export const OK = { success: { message: 'OK' } } as const;
