import type { OfferedList, SharedModule } from '../model.ts';

/** A definition from a partner's structure feed. */
export interface OfferedDefinition extends OfferedList {
  /** The partner says that it is no longer shared. */
  readonly deletedAt?: string;
}

/** A lookup of a partner's known offers with constant cost. */
export interface KnownOffers {
  /** Returns the known offer for this one, if any; one found under another id has moved. */
  take(offer: OfferedDefinition): { readonly before: SharedModule | undefined; readonly sameID: boolean };
  /** Returns those that are no longer offered and have not moved. */
  left(): SharedModule[];
}

/**
 * Creates a lookup that matches offers with known ones: by their id, else by the partner's own id of the list.
 * @param known oldest first @param complete whether `offered` is everything; only then can an id have changed
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
     * Returns the known offer that this one continues, undefined if it is new, and whether its id is the same. A
     * match by the partner's list id needs a complete listing and isn't made for a deletion; it is used up: the
     * next call doesn't return it.
     */
    take({ externalFederationModuleID, externalComposeModuleID, deletedAt }) {
      const same = byID.get(externalFederationModuleID);
      if (same) return { before: same, sameID: true };
      const canMove = complete && deletedAt === undefined && externalComposeModuleID !== undefined;
      const other = canMove ? notNamed.get(externalComposeModuleID)?.pop() : undefined;
      if (other) moved.add(other.moduleID);
      return { before: other, sameID: false };
    },
    left: () =>
      known.filter(
        ({ moduleID, externalFederationModuleID }) =>
          !named.has(externalFederationModuleID) && !moved.has(moduleID),
      ),
  };
}
