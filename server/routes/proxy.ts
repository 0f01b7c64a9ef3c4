import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { isIP, isIPv6, type Socket } from 'node:net';
import { unescape } from 'node:querystring';
import { RouteError, type RouteProblem } from './route-error.ts';

export interface Target {
  readonly host: string;
  readonly port: number;
}

export type ProxyVariables = Readonly<Record<string, string | undefined>>;

/**
 * Returns the HTTP proxy for `target` by `HTTPS_PROXY`, `ALL_PROXY` and `NO_PROXY`, in capitals or not; undefined
 * without a valid one, or if `NO_PROXY` exempts the target.
 */
export function proxyFromVariables(target: Target, variables: ProxyVariables): URL | undefined {
  const read = (name: string): string =>
    (variables[name.toLowerCase()] ?? variables[name.toUpperCase()] ?? '').trim();
  const text = read('https_proxy') || read('all_proxy');
  if (text === '') return undefined;
  const exceptions = read('no_proxy')
    .toLowerCase()
    .split(/[\s,]+/);
  if (exceptions.some((exception) => isExemptedBy(exception, target))) return undefined;
  const address = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  if (!URL.canParse(address)) return undefined;
  const url = new URL(address);
  return url.protocol === 'http:' || url.protocol === 'https:' ? url : undefined;
}

export const urlOf = ({ host, port }: Target): string =>
  `https://${host.includes(':') ? `[${host}]` : host}:${port}/`;

/**
 * Returns the first `PROXY` (`http:`) or `HTTPS` (`https:`) entry of a list such as `PROXY proxy.office.lan:3128;
 * DIRECT`; undefined without one, or if `DIRECT` precedes it. Skips others.
 */
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

/**
 * Returns whether an entry of `NO_PROXY` exempts the target: `*`; a host or a domain above it, also behind `*.` or `.`;
 * or an address, as written. A port must agree; behind IPv6, it needs brackets. `exception` is in lower case.
 */
function isExemptedBy(exception: string, { host, port }: Target): boolean {
  if (exception === '*') return true;
  const [, name = '', ownPort] = isIPv6(exception)
    ? [exception, exception]
    : (/^\*?\.?(.*?)(?::(\d+))?$/.exec(exception) ?? []);
  const plain = name.replace(/^\[|\]$/g, '');
  if (plain === '' || (ownPort !== undefined && Number(ownPort) !== port)) return false;
  const own = host.toLowerCase();
  return own === plain || (isIP(own) === 0 && own.endsWith(`.${plain}`));
}

/**
 * Opens a connection to `target` through an HTTP proxy (CONNECT of RFC 9110). Throws {@link RouteError} `proxy`,
 * `proxy-login` or, if the proxy didn't reach the target, `network`; Node's error on abort.
 */
export function connectThroughProxy(proxy: URL, target: Target, signal: AbortSignal): Promise<Socket> {
  const authority = `${target.host.includes(':') ? `[${target.host}]` : target.host}:${target.port}`;
  // People write passwords unescaped, even a `%`.
  const credentials = unescape(`${proxy.username}:${proxy.password}`);
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
  return new Promise<Socket>((resolve, reject) => {
    const refused = (status = 0): void =>
      reject(new RouteError(problemOf(status), `the proxy ${proxy.host} answered ${status}`));
    request.on('error', (cause) => {
      const problem = new RouteError('proxy', `no connection to the proxy ${proxy.host}`, cause);
      reject(signal.aborted ? cause : problem);
    });
    request.once('response', (response) => {
      request.destroy();
      refused(response.statusCode);
    });
    request.once('connect', (response, socket, head) => {
      if (response.statusCode === 200 && head.length === 0) {
        resolve(socket);
      } else {
        socket.destroy();
        refused(response.statusCode);
      }
    });
  });
}

/** Returns the problem of a proxy's refusal. 5xx: the proxy would connect, but didn't reach the target. */
function problemOf(status: number): RouteProblem {
  if (status === 407 || status === 401) return 'proxy-login';
  return status >= 500 ? 'network' : 'proxy';
}
