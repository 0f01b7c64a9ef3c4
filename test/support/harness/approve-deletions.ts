import type { Sync } from '../../../server/sync/sync.ts';

/** The user's yes to all that waits at this moment. Answers how many rows it was about. */
export async function sayYes(
  sync: Pick<Sync, 'decisions'>,
  nodeID: string,
  sharedModuleID: string,
): Promise<number> {
  const { mark } = await sync.decisions.openReview(nodeID, sharedModuleID);
  return sync.decisions.decide(nodeID, sharedModuleID, { apply: { mark } });
}

/** The same by the window's interface. @param offer its path: `/app/partners/{n}/offers/{s}` */
export async function approveDeletions(
  { app }: { readonly app: <T>(method: string, path: string, body?: unknown) => Promise<T> },
  offer: string,
): Promise<void> {
  const { mark } = await app<{ mark: string }>('GET', `${offer}/waiting`);
  await app('POST', `${offer}/brake`, { go: true, mark });
}
