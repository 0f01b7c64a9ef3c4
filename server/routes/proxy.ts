import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import type { Socket } from 'node:net';
import { RouteError } from './route-error.ts';

export interface Target {
  readonly host: string;
  readonly port: number;
}

export type ProxyVariables = Readonly<Record<string, string | undefined>>;

/**
 * Returns the HTTP proxy for `target` by `HTTPS_PROXY`, `ALL_PROXY` and `NO_PROXY`, in capitals or not;
 * undefined if there is no valid one, or `NO_PROXY` exempts the target.
 */
export function proxyFromVariables(target: Target, variables: ProxyVariables): URL | undefined {
  const read = (name: string): string =>
    (variables[name.toLowerCase()] ?? variables[name.toUpperCase()] ?? '').trim();
  const text = read('https_proxy') || read('all_proxy');
  if (text === '') return undefined;
  const exceptions = read('no_proxy')
    .toLowerCase()
    .split(/[\s,]+/);
  if (exceptions.some((exception) => matches(exception, target))) return undefined;
  const address = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  return url.protocol === 'http:' || url.protocol === 'https:' ? url : undefined;
}

/** Returns the URL by which systems are asked for the proxy of connections to `target`. */
export const urlOf = ({ host, port }: Target): string =>
  `https://${host.includes(':') ? `[${host}]` : host}:${port}/`;

/** Returns the first HTTP proxy of a list such as `PROXY proxy.office.lan:3128; DIRECT`, unless `DIRECT` is before. */
export function firstProxy(list: string): URL | undefined {
  for (const entry of list.split(';')) {
    const [, kind = '', address = ''] = /^\s*(\w+)(?:\s+(\S+))?\s*$/.exec(entry) ?? [];
    if (/^direct$/i.test(kind)) return undefined;
    const scheme = /^proxy$/i.test(kind) ? 'http' : /^https$/i.test(kind) ? 'https' : undefined;
    const text = `${scheme}://${address}`;
    if (scheme !== undefined && URL.canParse(text)) return new URL(text);
  }
  return undefined;
}

/** Returns whether an entry of `NO_PROXY` exempts this target: a name, also above it, address, `name:port`, or `*`. */
function matches(exception: string, { host, port }: Target): boolean {
  if (exception === '*') return true;
  const [, name = '', ownPort] = /^\*?\.?(.*?)(?::(\d+))?$/.exec(exception) ?? [];
  const plain = exception.includes('::') ? exception : name;
  if (plain === '' || (ownPort !== undefined && plain === name && Number(ownPort) !== port)) return false;
  return host.toLowerCase() === plain || host.toLowerCase().endsWith(`.${plain}`);
}

/**
 * Opens a connection to `target` through an HTTP proxy (CONNECT of RFC 9110). Throws {@link RouteError}
 * `proxy`, or Node's error on abort.
 */
export async function connectThroughProxy(proxy: URL, target: Target, signal: AbortSignal): Promise<Socket> {
  const authority = `${target.host.includes(':') ? `[${target.host}]` : target.host}:${target.port}`;
  const credentials = decodeURIComponent(`${proxy.username}:${proxy.password}`);
  const request = (proxy.protocol === 'https:' ? httpsRequest : httpRequest)({
    host: proxy.hostname.replace(/^\[|\]$/g, ''),
    port: proxy.port === '' ? (proxy.protocol === 'https:' ? 443 : 80) : Number(proxy.port),
    method: 'CONNECT',
    path: authority,
    agent: false,
    signal,
    headers: {
      Host: authority,
      ...(credentials === ':'
        ? {}
        : { 'Proxy-Authorization': `Basic ${Buffer.from(credentials).toString('base64')}` }),
    },
  });
  request.end();
  try {
    return await new Promise<Socket>((resolve, reject) => {
      request.on('error', reject);
      request.once('response', (response) => {
        request.destroy();
        reject(new Error(`the proxy answered ${response.statusCode ?? 0}`));
      });
      request.once('connect', (response, socket, head) => {
        if (response.statusCode === 200 && head.length === 0) {
          resolve(socket);
        } else {
          socket.destroy();
          reject(new Error(`the proxy answered ${response.statusCode ?? 0}`));
        }
      });
    });
  } catch (cause) {
    if (signal.aborted) throw cause;
    throw new RouteError('proxy', `the proxy ${proxy.host} did not connect: ${String(cause)}`, cause);
  }
}
