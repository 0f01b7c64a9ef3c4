import type { OfferedList, SharedModule } from '../model.ts';

export interface OfferedDefinition extends OfferedList {
  /** No longer shared, says the partner. */
  readonly deletedAt?: string;
}

export interface KnownOffers {
  /**
   * Returns the known offer that this one continues, each once: of the same id, else, if `complete`, the
   * list's oldest whose id isn't offered any more.
   */
  findPrevious(offer: OfferedDefinition): {
    readonly before: SharedModule | undefined;
    readonly sameID: boolean;
  };
  /** Returns known offers that are neither offered nor continued. */
  withdrawn(): SharedModule[];
}

/**
 * Creates an index of an office's known offers, oldest first. Ids can only have changed if `offered` is `complete`.
 * `withdrawn` returns those neither offered now nor continued under another id.
 */
export function createKnownOffers(
  known: readonly SharedModule[],
  offered: readonly OfferedDefinition[],
  complete: boolean,
): KnownOffers {
  const named = new Set(offered.map((offer) => offer.externalFederationModuleID));
  const byID = new Map<string, SharedModule>();
  /** By {@link listIDOf}; the oldest offer is last. */
  const notNamed = new Map<string, SharedModule[]>();
  for (const each of known.toReversed()) {
    byID.set(each.externalFederationModuleID, each);
    const list = listIDOf(each);
    if (named.has(each.externalFederationModuleID)) continue;
    const those = notNamed.get(list);
    if (those) those.push(each);
    else notNamed.set(list, [each]);
  }
  const moved = new Set<string>();
  return {
    /**
     * Returns the known offer of this id, else (only if `complete`, for one not withdrawn) the oldest unnamed one of
     * the same list, which is then used up; `before` undefined if it is new.
     */
    findPrevious(offer) {
      const same = byID.get(offer.externalFederationModuleID);
      if (same) return { before: same, sameID: true };
      const canMove = complete && offer.deletedAt === undefined;
      const other = canMove ? notNamed.get(listIDOf(offer))?.pop() : undefined;
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

/** Returns the id that an offered list keeps when shared again: a Footbridge sends that of its first share. */
export const firstModuleIDOf = (offer: OfferedList): string =>
  offer.externalFirstModuleID ?? offer.externalFederationModuleID;

/** Returns the partner's own id of the list, else {@link firstModuleIDOf}, as text. */
const listIDOf = (offer: OfferedList): string =>
  offer.externalComposeModuleID === undefined
    ? `first ${firstModuleIDOf(offer)}`
    : `list ${offer.externalComposeModuleID}`;
