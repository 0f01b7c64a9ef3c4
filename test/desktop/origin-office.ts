import { setPriority } from 'node:os';
import { pino } from 'pino';
import { z } from 'zod';
import { createWindowSession } from '../../main/window/window-session.ts';
import { sessionAnswer, type PartnerDetail } from '../../server/contract/app/overview.ts';
import { type Offer } from '../../server/contract/app/sharing.ts';
import { FootbridgeNode } from '../../server/node/node.ts';
import { serveBuilt, userTokenOf } from '../support/harness/program.ts';

/** Asks a node as its window does: a path of its interface, answered with what stands in `response`. */
export type Ask = <T>(path: string, init?: { method?: string; body?: string; type?: string }) => Promise<T>;

type Send = (path: string, init: RequestInit) => Promise<Response>;

/** {@link Ask} through anything that fetches paths of the window listener, in the window's own session. */
export function askThrough(send: Send): Ask {
  return async (path, init) => {
    const session: unknown = await (await send('/app/session', {})).json();
    const { csrfToken } = z.object({ response: sessionAnswer }).parse(session).response;
    return asked(send, { 'x-csrf-token': csrfToken }, path, init);
  };
}

async function asked<T>(
  send: Send,
  headers: Readonly<Record<string, string>>,
  path: string,
  init: Parameters<Ask>[1] = {},
): Promise<T> {
  const answer = await send(path, {
    method: init.method ?? 'GET',
    headers: { ...headers, 'content-type': init.type ?? 'application/json' },
    ...(init.body === undefined ? {} : { body: init.body }),
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${text}`);
  return (JSON.parse(text) as { response: T }).response;
}

/** A real partner on this computer that shares one list of `rows` rows. */
export interface OriginOffice {
  /** Pairs the office behind `ask` with this one and lets it make a list like the shared one. */
  shareWith(ask: Ask): Promise<{ nodeID: string; moduleID: string }>;
  stop(): Promise<void>;
}

export async function startOrigin(dataDir: string, rows: number): Promise<OriginOffice> {
  const node = new FootbridgeNode({
    dataDir,
    port: 0,
    windowPort: 0,
    label: 'Origin office',
    allowLoopbackPartners: true,
    log: pino({ level: 'silent' }),
  });
  await node.start();
  const session = createWindowSession(() => node.windowLink());
  return originThrough(
    askThrough((path, init) => session.fetch(path, init)),
    rows,
    () => node.stop(),
  );
}

/**
 * {@link startOrigin} as the built program in a process of its own, which gets the processor only when nobody else wants it:
 * in an office it is another computer's, and takes nothing from the window that is measured.
 */
export async function startOriginApart(dataDir: string, rows: number): Promise<OriginOffice> {
  const served = await serveBuilt({ dataDir });
  setPriority(served.pid, 19);
  const headers = { authorization: `Bearer ${userTokenOf(served)}` };
  const send: Send = (path, init) => fetch(new URL(path, served.window), init);
  return originThrough(
    (path, init) => asked(send, headers, path, init),
    rows,
    async () => {
      await served.stop();
    },
  );
}

/** The office behind `ask`, with its list of `rows` rows. */
async function originThrough(ask: Ask, rows: number, stop: () => Promise<void>): Promise<OriginOffice> {
  const lines = Array.from({ length: rows }, (_, i) => `${i},Customer ${i},Town ${i % 97},${i * 3}`);
  const { moduleID } = await ask<{ moduleID: string }>('/app/import?list=customers', {
    method: 'POST',
    type: 'text/csv',
    body: `Number,Name,Town,Sum\n${lines.join('\n')}\n`,
  });

  return {
    async shareWith(theirs) {
      const invite = { method: 'POST', body: '{"name":"Desktop office"}' };
      const { nodeID: desktop, uri } = await ask<{ nodeID: string; uri: string }>('/app/invites', invite);
      const { nodeID } = await theirs<{ nodeID: string }>('/app/invites/accept', {
        method: 'POST',
        body: JSON.stringify({ uri, ownNetwork: true }),
      });
      await until(async () => {
        const { status } = await ask<PartnerDetail>(`/app/partners/${desktop}`);
        if (status === 'pair_requested')
          await ask(`/app/partners/${desktop}/approve`, { method: 'POST', body: '{}' });
        return status === 'paired';
      });
      await ask(`/app/partners/${desktop}/shares/${moduleID}`, {
        method: 'PUT',
        body: JSON.stringify({ fields: ['Number', 'Name', 'Town'] }),
      });
      await until(async () => (await theirs<PartnerDetail>(`/app/partners/${nodeID}`)).status === 'paired');
      const [offer] = await until(async () => {
        await theirs(`/app/partners/${nodeID}/sync?wait=0`, { method: 'POST', body: '{}' });
        const offers = await theirs<Offer[]>(`/app/partners/${nodeID}/offers`);
        return offers.length > 0 && offers;
      });
      const made = await theirs<{ moduleID: string }>(
        `/app/partners/${nodeID}/offers/${offer?.sharedModuleID ?? ''}/list`,
        { method: 'POST', body: '{"name":"Received customers"}' },
      );
      return { nodeID, moduleID: made.moduleID };
    },
    stop,
  };
}

/** Asks again every 50 ms until the answer is a yes; fails after 30 s. */
export async function until<T>(question: () => Promise<T | false>): Promise<T> {
  const end = performance.now() + 30_000;
  for (;;) {
    const answer = await question();
    if (answer !== false) return answer;
    if (performance.now() > end) throw new Error('It did not happen within 30 s.');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
