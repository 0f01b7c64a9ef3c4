import type { OfferedList, SharedModule } from '../model.ts';

/** A definition as a partner's structure feed gives it. */
export interface OfferedDefinition extends OfferedList {
  /** The partner says that it is no longer shared. */
  readonly deletedAt?: string;
}

/** What we know of a partner's offers, found at the same cost however many there are. */
export interface KnownOffers {
  /** The one that stands for this offer of now, if any; one that is found under another id counts as moved. */
  take(offer: OfferedDefinition): { readonly before: SharedModule | undefined; readonly sameID: boolean };
  /** Those that are not among what is offered now, and have not moved. */
  left(): SharedModule[];
}

/**
 * @param known oldest first
 * @param complete a list that is offered under another id than before can be told by its partner's own id of it
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
