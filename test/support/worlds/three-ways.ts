import type { Comparison } from '../../../server/contract/app/sharing.ts';
import { AppError } from '../harness/calls.ts';
import type { Link, ThreeOffices } from './three-offices.ts';
import { approveDeletions } from '../harness/approve-deletions.ts';

/** What users do where an office says that another one's data went back. */
export interface OfferedWays {
  decide(go: boolean): Promise<boolean>;
  bringBack(): Promise<string | undefined>;
  fetchWhatWasKept(): Promise<void>;
  keepWithdrawn(): Promise<void>;
}

export function offeredWays(three: ThreeOffices, links: readonly Link[]): OfferedWays {
  /** Everywhere where something waits for a word, that is given; answers whether it was anywhere. */
  async function decide(go: boolean): Promise<boolean> {
    let isAny = false;
    for (const [at, partner] of bothEnds(links))
      for (const { sharedModuleID, brake } of await three.offers(at, partner)) {
        if (!brake) continue;
        isAny = true;
        const path = `/app/partners/${three.all[at].partners.get(partner)}/offers/${sharedModuleID}`;
        const { node } = three.all[at];
        const word = go ? approveDeletions(node, path) : node.app('POST', `${path}/brake`, { go });
        await word.catch((error: unknown) => {
          if (!(error instanceof AppError) || error.status !== 409) throw error;
        });
        await three.pass(5_000);
      }
    return isAny;
  }

  /** What one of the offices lost and another still has is imported where it was made; answers where. */
  async function bringBack(): Promise<string | undefined> {
    for (const [holder, at] of bothEnds(links)) {
      const [offer] = await three.offers(holder, at);
      if (!offer?.brake) continue;
      const rows = await three.bringBack(at, holder);
      if (rows > 0) return `  ${at} imports ${rows} rows of its own that ${holder} still has`;
    }
    return undefined;
  }

  /** What a user does who kept rows and wants the partner's after all. */
  async function fetchWhatWasKept(): Promise<void> {
    for (const [at, partner] of bothEnds(links)) {
      const path = `/app/partners/${three.all[at].partners.get(partner)}/offers`;
      for (const { sharedModuleID, state } of await three.offers(at, partner)) {
        // As the window has it: what the partner does not share any more is there to decide on, not to compare.
        if (state !== 'matched') continue;
        const { node } = three.all[at];
        const asked = node.app<Comparison>('POST', `${path}/${sharedModuleID}/compare`);
        const { differing } = await asked;
        const recordIDs = differing.map(({ recordID }) => recordID);
        if (recordIDs.length > 0)
          await node.app('POST', `${path}/${sharedModuleID}/repull`, {
            recordIDs,
          });
      }
    }
  }

  /** What a user does who is asked what becomes of the rows of a list that a partner does not share any more. */
  async function keepWithdrawn(): Promise<void> {
    for (const [at, partner] of bothEnds(links))
      for (const { sharedModuleID, state, moduleID } of await three.offers(at, partner)) {
        if (state !== 'withdrawn' || moduleID === undefined) continue;
        const path = `/app/partners/${three.all[at].partners.get(partner)}/offers/${sharedModuleID}/matching`;
        await three.all[at].node.app('DELETE', path);
      }
  }

  return { decide, bringBack, fetchWhatWasKept, keepWithdrawn };
}

/** Each link from both of its ends. */
export function bothEnds(links: readonly Link[]): Link[] {
  return links.flatMap(([a, b]): Link[] => [
    [a, b],
    [b, a],
  ]);
}
