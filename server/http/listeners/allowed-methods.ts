import type { RequestHandler } from 'express';
import type { ErrorBody } from '../../contract/common.ts';

const PARAMETER = /\{\w+\}|:\w+/g;

interface DescribedCall {
  readonly method: string;
  /** Has parameters as `{n}` or `:n`. */
  readonly path: string;
}

/** Resolves with the methods of a path without query, none if unknown. */
export type MethodsOf = (path: string) => Promise<readonly string[]>;

/**
 * Returns a function for all methods of a path in the interface and in `windowCalls` (such as `GET /app/overview`),
 * with HEAD where there is GET, and OPTIONS. Of the calls that fit a path, those with the fewest parameters count; an
 * unknown path has none. It loads the interface's description on first use.
 */
export function createMethodLookup(
  windowCalls: () => Promise<readonly string[]> = () => Promise.resolve([]),
): MethodsOf {
  /** Returns all calls' patterns, each with a number that grows with its parameters. */
  const loadPatterns = async (): Promise<{ method: string; parameters: number; pattern: RegExp }[]> => {
    const { OPERATIONS } = await import('../../contract/openapi/operations.ts');
    const calls = (await windowCalls()).map((name): DescribedCall => {
      const [method = '', path = ''] = name.split(' ');
      return { method, path };
    });
    return [...OPERATIONS, ...calls].map(({ method, path }) => ({
      method: method.toUpperCase(),
      parameters: path.split(PARAMETER).length,
      pattern: new RegExp(
        `^${path.replaceAll('.', '\\.').replaceAll(PARAMETER, '[^/]+').replace(/\/$/, '')}/?$`,
      ),
    }));
  };
  let patterns: ReturnType<typeof loadPatterns> | undefined;
  return async (path) => {
    const below = path.replace(/^\/api(?=\/)/, '');
    const paths = (await (patterns ??= loadPatterns())).filter(({ pattern }) => pattern.test(below));
    const fewest = Math.min(...paths.map(({ parameters }) => parameters));
    const methods = paths.filter(({ parameters }) => parameters === fewest).map(({ method }) => method);
    const implied = methods.includes('GET') ? ['HEAD'] : [];
    return methods.length === 0 ? [] : [...new Set([...methods, ...implied, 'OPTIONS'])].sort();
  };
}

/** Answers OPTIONS with all methods of an address. Put it before the routes. */
export function answerOptions(methodsOf: MethodsOf): RequestHandler {
  return async (req, res, next) => {
    const methods = req.method === 'OPTIONS' ? await methodsOf(req.path) : [];
    if (methods.length === 0) next();
    else res.set('Allow', methods.join(', ')).status(204).end();
  };
}

/** Answers 405 to other methods of a known address. Put it after the routes. */
export function refuseOtherMethods(methodsOf: MethodsOf): RequestHandler {
  return async (req, res, next) => {
    const methods = await methodsOf(req.path);
    if (methods.length === 0 || methods.includes(req.method)) {
      next();
      return;
    }
    const message = `${req.path} does not take ${req.method}. Use ${methods.join(', ')}.`;
    const error = { code: 'request.method', message };
    res
      .status(405)
      .set('Allow', methods.join(', '))
      .json({ error } satisfies ErrorBody);
  };
}
