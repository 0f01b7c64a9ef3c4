import type { RequestHandler } from 'express';
import type { ErrorBody } from '../../contract/common.ts';

interface DescribedCall {
  readonly method: string;
  /** Parameters as `{n}` or `:n`. */
  readonly path: string;
}

/** Resolves with the methods of a described path; none for an unknown path. */
export type MethodsOf = (path: string) => Promise<readonly string[]>;

/**
 * Returns the look-up of methods by path, of the interface and of these window calls (`GET /app/overview`).
 * It adds HEAD where there is GET, and OPTIONS. The description of the interface is loaded on first use.
 */
export function methodsByPath(windowCalls: readonly string[] = []): MethodsOf {
  const calls: DescribedCall[] = windowCalls.map((name) => {
    const [method = '', path = ''] = name.split(' ');
    return { method, path };
  });
  const describe = async (): Promise<{ method: string; pattern: RegExp }[]> => {
    const { OPERATIONS } = await import('../../contract/openapi/operations.ts');
    return [...OPERATIONS, ...calls].map(({ method, path }) => ({
      method: method.toUpperCase(),
      pattern: new RegExp(
        `^${path
          .replaceAll('.', '\\.')
          .replace(/\{\w+\}|:\w+/g, '[^/]+')
          .replace(/\/$/, '')}/?$`,
      ),
    }));
  };
  let patterns: ReturnType<typeof describe> | undefined;
  return async (path) => {
    const below = path.replace(/^\/api(?=\/)/, '');
    const methods = (await (patterns ??= describe()))
      .filter(({ pattern }) => pattern.test(below))
      .map(({ method }) => method);
    const implied = methods.includes('GET') ? ['HEAD'] : [];
    return methods.length === 0 ? [] : [...new Set([...methods, ...implied, 'OPTIONS'])].sort();
  };
}

/** Returns middleware that answers OPTIONS with all methods of an address. Put it before the routes. */
export function answerOptions(methodsOf: MethodsOf): RequestHandler {
  return async (req, res, next) => {
    const methods = req.method === 'OPTIONS' ? await methodsOf(req.path) : [];
    if (methods.length === 0) next();
    else res.set('Allow', methods.join(', ')).status(204).end();
  };
}

/** Returns middleware that answers 405 to other methods of a known address. Put it after the routes. */
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
