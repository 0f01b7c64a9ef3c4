import { setPriority } from 'node:os';
import { z } from 'zod';
import { sessionAnswer, type PartnerDetail } from '../../server/contract/app/overview.ts';
import { type Offer } from '../../server/contract/app/sharing.ts';
import { callsThrough, type AppCall } from '../support/harness/calls.ts';
import { startNode } from '../support/harness/node.ts';
import { appCalls, serveBuilt } from '../support/harness/program.ts';

/** Asks a node as its window does: a path of its interface, answered with what stands in `response`. */
export type Ask = <T>(path: string, init?: { method?: string; body?: string; type?: string }) => Promise<T>;

type Send = (path: string, init: RequestInit) => Promise<Response>;

/** {@link Ask} through anything that fetches paths of the window listener, in the window's own session. */
export function askThrough(send: Send): Ask {
  return async (path, init) => {
    const session: unknown = await (await send('/app/session', {})).json();
    const { csrfToken } = z.object({ response: sessionAnswer }).parse(session).response;
    const app = callsThrough((to, { method, headers, ...sent }) =>
      send(to, { method, ...sent, headers: { 'x-csrf-token': csrfToken, ...headers } }),
    );
    const { method = 'GET', body, type } = init ?? {};
    return app(method, path, body === undefined || type === 'text/csv' ? body : JSON.parse(body));
  };
}

/** A real partner on this computer that shares one list of `rows` rows. */
export interface OriginOffice {
  /** Pairs the office behind `theirs` with this one and lets it make a list like the shared one. */
  shareWith(theirs: Ask): Promise<{ nodeID: string; moduleID: string }>;
  stop(): Promise<void>;
}

export async function startOrigin(dataDir: string, rows: number): Promise<OriginOffice> {
  const office = await startNode('Origin office', { dataDir });
  return originThrough(office.app, rows, () => office.stop());
}

/**
 * {@link startOrigin} as the built program in a process of its own. With `isModest` it gets the processor only when nobody
 * else wants it: in an office it is another computer's, and takes nothing from the window that is measured.
 */
export async function startOriginApart(
  dataDir: string,
  rows: number,
  isModest = false,
): Promise<OriginOffice> {
  const served = await serveBuilt({ dataDir });
  if (isModest) setPriority(served.pid, 19);
  const app = appCalls(served);
  await app('PATCH', '/app/settings', { office: 'Origin office' });
  return originThrough(app, rows, async () => {
    await served.stop();
  });
}

/** The office behind `app`, with its list of `rows` rows. */
async function originThrough(app: AppCall, rows: number, stop: () => Promise<void>): Promise<OriginOffice> {
  const lines = Array.from({ length: rows }, (_, i) => `${i},Customer ${i},Town ${i % 97},${i * 3}`);
  const { moduleID } = await app<{ moduleID: string }>(
    'POST',
    '/app/import?list=customers',
    `Number,Name,Town,Sum\n${lines.join('\n')}\n`,
  );

  return {
    async shareWith(theirs) {
      const invite = { name: 'Desktop office' };
      const { nodeID: desktop, uri } = await app<{ nodeID: string; uri: string }>(
        'POST',
        '/app/invites',
        invite,
      );
      const { nodeID } = await theirs<{ nodeID: string }>('/app/invites/accept', {
        method: 'POST',
        body: JSON.stringify({ uri, ownNetwork: true }),
      });
      await until(async () => {
        const { status } = await app<PartnerDetail>('GET', `/app/partners/${desktop}`);
        if (status === 'pair_requested') await app('POST', `/app/partners/${desktop}/approve`, {});
        return status === 'paired';
      });
      await app('PUT', `/app/partners/${desktop}/shares/${moduleID}`, { fields: ['Number', 'Name', 'Town'] });
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
