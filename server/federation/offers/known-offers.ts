import type { OfferedList, SharedModule } from '../model.ts';

export interface OfferedDefinition extends OfferedList {
  /** The partner says that it is no longer shared. */
  readonly deletedAt?: string;
}

export interface KnownOffers {
  /**
   * Returns the known offer that this one continues: the one of the same id, else, if `complete`, the oldest of the
   * same list whose id isn't offered any more, each once.
   */
  findPrevious(offer: OfferedDefinition): {
    readonly before: SharedModule | undefined;
    readonly sameID: boolean;
  };
  /** Returns the known offers that are neither in `offered` nor were taken under another id. */
  withdrawn(): SharedModule[];
}

/**
 * Creates a lookup of a partner's known offers, oldest first. Only if `offered` is `complete` can an id have changed.
 */
export function createKnownOffers(
  known: readonly SharedModule[],
  offered: readonly OfferedDefinition[],
  complete: boolean,
): KnownOffers {
  const named = new Set(offered.map((offer) => offer.externalFederationModuleID));
  const byID = new Map<string, SharedModule>();
  /** The key is the partner's own id of the list; the oldest offer is last. */
  const notNamed = new Map<string, SharedModule[]>();
  for (const each of known.toReversed()) {
    byID.set(each.externalFederationModuleID, each);
    const list = each.externalComposeModuleID;
    if (list === undefined || named.has(each.externalFederationModuleID)) continue;
    const those = notNamed.get(list);
    if (those) those.push(each);
    else notNamed.set(list, [each]);
  }
  const moved = new Set<string>();
  return {
    /** Returns the known offer of this id, else the oldest of the same list whose id isn't offered any more. */
    findPrevious({ externalFederationModuleID, externalComposeModuleID, deletedAt }) {
      const same = byID.get(externalFederationModuleID);
      if (same) return { before: same, sameID: true };
      const canMove = complete && deletedAt === undefined && externalComposeModuleID !== undefined;
      const other = canMove ? notNamed.get(externalComposeModuleID)?.pop() : undefined;
      if (other) moved.add(other.moduleID);
      return { before: other, sameID: false };
    },
    withdrawn: () =>
      known.filter(
        ({ moduleID, externalFederationModuleID }) =>
          !named.has(externalFederationModuleID) && !moved.has(moduleID),
      ),
  };
}
