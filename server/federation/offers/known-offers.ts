import type { OfferedList, SharedModule } from '../model.ts';

/** A definition from a partner's structure feed. */
export interface OfferedDefinition extends OfferedList {
  /** The partner says that it is no longer shared. */
  readonly deletedAt?: string;
}

/** A lookup of a partner's known offers. */
export interface KnownOffers {
  /** Returns the known offer that this one continues, and whether its id is the same. */
  findPrevious(offer: OfferedDefinition): {
    readonly before: SharedModule | undefined;
    readonly sameID: boolean;
  };
  /** Returns known offers that are neither in `offered` nor were taken under another id. */
  withdrawn(): SharedModule[];
}

/**
 * Creates a lookup of a partner's known offers. @param known oldest first @param complete `offered` is everything;
 * only then can an id have changed
 */
export function createKnownOffers(
  known: readonly SharedModule[],
  offered: readonly OfferedDefinition[],
  complete: boolean,
): KnownOffers {
  const named = new Set(offered.map((offer) => offer.externalFederationModuleID));
  const byID = new Map<string, SharedModule>();
  /** By the partner's own id of the list, the oldest last. */
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
    /**
     * Returns the known offer with the id of this one. Otherwise, if `complete`, the oldest known offer of the same
     * list whose id isn't offered any more; each is returned once.
     */
    findPrevious({ externalFederationModuleID, externalComposeModuleID, deletedAt }) {
      const same = byID.get(externalFederationModuleID);
      if (same) return { before: same, sameID: true };
      const canMove = complete && deletedAt === undefined && externalComposeModuleID !== undefined;
      const other = canMove ? notNamed.get(externalComposeModuleID)?.pop() : undefined;
      if (other) moved.add(other.moduleID);
      return { before: other, sameID: false };
    },
    /** Returns the known offers that are neither in `offered` nor were taken under another id. */
    withdrawn: () =>
      known.filter(
        ({ moduleID, externalFederationModuleID }) =>
          !named.has(externalFederationModuleID) && !moved.has(moduleID),
      ),
  };
}
