import { randomBytes } from 'node:crypto';
import { rawRequest } from '../harness/http.ts';
import { startLyingPartner } from './lying-partner.ts';
import type { NodeOffice } from '../harness/node.ts';

export interface Said {
  readonly status: number;
  readonly text: string;
  /** What stands under `response`. */
  readonly response: unknown;
}

/** A partner that a test plays by hand: paired with a node, it holds the token that the node gave it. */
export interface ScriptedPartner {
  /** The node's id of it. */
  readonly nodeID: string;
  /** The node's token for us. */
  token: string;
  /** Our token for the node. */
  readonly ownToken: string;
  readonly uri: string;
  /** One call to the node's partners' port, with the token unless another one or none is given. */
  ask(method: string, path: string, options?: { body?: unknown; token?: string | null }): Promise<Said>;
  close(): Promise<void>;
}

/** One call to a node's partners' port. */
export async function askNode(
  port: number,
  method: string,
  path: string,
  options: {
    body?: unknown;
    token?: string | undefined;
    headers?: Record<string, string>;
    localAddress?: string;
  } = {},
): Promise<Said> {
  const { body, token } = options;
  const { status, text } = await rawRequest(port, path, {
    method,
    headers: {
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...options.headers,
    },
    ...(options.localAddress === undefined ? {} : { localAddress: options.localAddress }),
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  return { status, text, response: responseIn(text) };
}

function responseIn(text: string): unknown {
  try {
    return (JSON.parse(text) as { response?: unknown }).response;
  } catch {
    return undefined;
  }
}

/** Pairs by the interface's own steps (shape 1), from handshake to completion. */
export async function scriptedPartner(office: NodeOffice, name = 'Scripted'): Promise<ScriptedPartner> {
  let received: (token: string) => void = () => undefined;
  const completed = new Promise<string>((resolve) => (received = resolve));
  const server = await startLyingPartner((app) => {
    app.post('/nodes/:n/handshake-complete', (req, res) => {
      received((req.body as { token: string }).token);
      res.json({});
    });
  });
  const { nodeID } = await office.app<{ nodeID: string }>('POST', '/federation/nodes', {
    baseURL: server.base,
    name,
  });
  const uri = await office.app<string>('POST', `/federation/nodes/${nodeID}/uri`);
  const ownToken = randomBytes(24).toString('base64url');
  const asked = await askNode(office.port, 'POST', `/federation/nodes/${nodeID}/handshake`, {
    body: { nodeURI: uri, token: ownToken, nodeIDB: String(7_000_000_000 + Math.floor(Math.random() * 1e9)) },
  });
  if (asked.status !== 200) throw new Error(`the handshake was answered ${asked.status} ${asked.text}`);
  await office.app('POST', `/federation/nodes/${nodeID}/handshake-confirm`);
  const partner: ScriptedPartner = {
    nodeID,
    token: await completed,
    ownToken,
    uri,
    ask: (method, path, { body, token } = {}) =>
      askNode(office.port, method, path, {
        body,
        token: token === null ? undefined : (token ?? partner.token),
      }),
    close: () => server.close(),
  };
  return partner;
}
