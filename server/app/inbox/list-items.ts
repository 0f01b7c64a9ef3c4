import { omitUndefined } from '../../base/omit-undefined.ts';
import type { Exposure, Mapping, SharedModule } from '../../federation/model.ts';
import { undecidedOffers } from '../../federation/offers/offers.ts';
import { countPending, type PendingReview } from '../../sync/deletion-guard/threshold.ts';
import { countUnsettled } from '../../sync/status/rejected-counts.ts';
import type { ListState } from '../../sync/status/list-states.ts';
import { joined, said, type Said, type Words } from '../../words/said.ts';
import type { About, Draft, InboxFacts } from './draft.ts';

/** Returns an item for each of the {@link undecidedOffers}, with the list that received it before, if any. */
export function offerItems({ node, offers, mappings, formerLists }: InboxFacts, about: About): Draft[] {
  return undecidedOffers(node, offers, mappings).map((offer) => ({
    itemID: `list-offered-${offer.moduleID}-${offer.updatedAt ?? offer.createdAt}`,
    kind: 'list-offered' as const,
    at: offer.updatedAt ?? offer.createdAt,
    sharedModuleID: offer.moduleID,
    listName: offer.name,
    ...omitUndefined({ formerList: formerLists?.get(offer.moduleID) }),
    message: said('inbox.offer-columns', { columns: columnNames(offer) }),
    // Spread last, as spreading first costs ten times as much.
    ...about,
  }));
}

/**
 * Returns an item for each mapped list that the partner withdrew, until dismissed. It says how many of its rows need
 * approval, if any.
 */
export function withdrawnItems(
  { offers: offered, mappings, node, lists }: InboxFacts,
  about: About,
): Draft[] {
  const mappingOf = new Map(mappings.toReversed().map((each) => [each.federationModuleID, each]));
  return offered.flatMap(({ moduleID, withdrawnAt, dismissedAt, name }): Draft[] => {
    const mapping = mappingOf.get(moduleID);
    if (withdrawnAt === undefined || dismissedAt !== undefined || !mapping) return [];
    const waiting = lists.flatMap(({ sharedModuleID, brake }) =>
      sharedModuleID === moduleID && brake ? [countPending(brake)] : [],
    );
    const n = waiting.reduce((sum, rows) => sum + rows, 0);
    return [
      {
        ...about,
        itemID: `list-withdrawn-${moduleID}-${withdrawnAt}`,
        kind: 'list-withdrawn',
        at: withdrawnAt,
        sharedModuleID: moduleID,
        moduleID: mapping.composeModuleID,
        listName: name,
        message:
          n > 0
            ? said('inbox.list-withdrawn-waiting', { partner: node.name, n })
            : said('inbox.list-withdrawn', { partner: node.name }),
      },
    ];
  });
}

const NAMED = 8;

/** Returns the first columns' labels, with an ellipsis if there are more. */
function columnNames({ fields }: SharedModule): string {
  const names = fields.slice(0, NAMED).map(({ label, name }) => label || name);
  return names.join(', ') + (fields.length > NAMED ? ', …' : '');
}

/** Returns whether rows of an offer (our id) may still arrive: the partner is connected and shares it. */
const isReceived = ({ node, offers }: InboxFacts, sharedModuleID: string): boolean =>
  node.status === 'paired' &&
  offers.find(({ moduleID }) => moduleID === sharedModuleID)?.withdrawnAt === undefined;

/**
 * Returns an item if matches of a list still received are parked, as the partner or our user changed their columns,
 * else [].
 */
export function parkedItems(mapping: Mapping, facts: InboxFacts, about: About): Draft[] {
  const waiting = mapping.fields.filter((match) => match.parked !== undefined);
  if (waiting.length === 0 || !isReceived(facts, mapping.federationModuleID)) return [];
  const offer = facts.offers.find(({ moduleID }) => moduleID === mapping.federationModuleID);
  const listName = facts.listNames.get(mapping.composeModuleID) ?? '';
  const columns = waiting.map((match) => match.origin.label || match.origin.name).join(', ');
  const offered = new Set(offer?.fields.map(({ name }) => name));
  // Only a changed column is left to match.
  const areGone = waiting.every(({ origin, parkedBy }) => parkedBy !== 'us' && !offered.has(origin.name));
  return [
    {
      ...about,
      itemID: `columns-changed-${mapping.federationModuleID}-${mapping.updatedAt ?? mapping.createdAt}`,
      kind: 'columns-changed',
      at: mapping.updatedAt ?? mapping.createdAt,
      sharedModuleID: mapping.federationModuleID,
      moduleID: mapping.composeModuleID,
      listName,
      message: areGone
        ? said('inbox.columns-gone', { partner: facts.node.name, list: listName, columns })
        : said('inbox.columns-parked', { list: listName, columns }),
    },
  ];
}

/** Returns an item if columns left a share because their kind changed, else []. */
export function unsharedItems({ moduleID, composeModuleID, name, retyped }: Exposure, about: About): Draft[] {
  if (!retyped) return [];
  return [
    {
      ...about,
      itemID: `columns-unshared-${moduleID}-${retyped.at}`,
      kind: 'columns-unshared',
      at: retyped.at,
      moduleID: composeModuleID,
      listName: name,
      message: said('inbox.columns-retyped', {
        columns: retyped.columns.join(', '),
        partner: about.partner ?? '',
      }),
    },
  ];
}

/** Returns an item if an open share sends no rows, as columns of its condition are or were gone; else []. */
export function brokenItems(
  { moduleID, composeModuleID, name, broken, deletedAt }: Exposure,
  about: About,
): Draft[] {
  if (!broken || deletedAt !== undefined) return [];
  return [
    {
      ...about,
      itemID: `condition-broken-${moduleID}-${broken.at}`,
      kind: 'condition-broken',
      at: broken.at,
      moduleID: composeModuleID,
      listName: name,
      message:
        broken.columns.length === 0
          ? said('inbox.condition-back', { list: name, partner: about.partner ?? '' })
          : said('inbox.condition-broken', {
              list: name,
              columns: broken.columns.join(', '),
              partner: about.partner ?? '',
            }),
    },
  ];
}

/**
 * Returns items about rows to approve (unless {@link withdrawnItems} say so) and duplicates, and, of a list still
 * received, about failed and kept rows.
 */
export function waitingItems(list: ListState, facts: InboxFacts, about: About): Draft[] {
  const { sharedModuleID, moduleID, couldNotApply, brake, doubles = 0, doublesLeft = doubles } = list;
  const isShown = (): boolean =>
    withdrawnItems(facts, about).some((item) => item.sharedModuleID === sharedModuleID);
  const listName = facts.listNames.get(moduleID) ?? '';
  const common = {
    ...about,
    at: list.lastPulledAt ?? facts.node.createdAt,
    sharedModuleID,
    moduleID,
    listName,
  };
  const items: Draft[] = [];
  if (brake && !isShown()) {
    const rows = countPending(brake);
    const kind = kindOf(brake);
    items.push({
      ...common,
      itemID: `${kind}-${sharedModuleID}-${moduleID}-${rows}`,
      kind,
      rows,
      message: WAITING_MESSAGES[kind](facts.node.name, listName, brake),
    });
  }
  if (doublesLeft > 0) {
    items.push({
      ...common,
      // The initial number keeps the item dismissed when one goes.
      itemID: `doubles-${sharedModuleID}-${moduleID}-${doubles}`,
      kind: 'doubles',
      rows: doublesLeft,
      message: said('inbox.doubles', { n: doublesLeft, partner: facts.node.name, list: listName }),
    });
  }
  // Retrying and taking over need the partner.
  if (!isReceived(facts, sharedModuleID)) return items;
  if (couldNotApply > 0) {
    items.push({
      ...common,
      itemID: `could-not-apply-${sharedModuleID}-${moduleID}-${couldNotApply}`,
      kind: 'could-not-apply',
      rows: couldNotApply,
      message: said('inbox.did-not-fit', { n: couldNotApply, partner: facts.node.name, list: listName }),
    });
  }
  const kept = countUnsettled(list);
  if (kept > 0) {
    items.push({
      ...common,
      itemID: `kept-${sharedModuleID}-${moduleID}-${kept}`,
      kind: 'kept',
      rows: kept,
      message: said('inbox.kept', { n: kept, partner: facts.node.name, list: listName }),
    });
  }
  return items;
}

type WaitingKind = 'brake' | 'went-back' | 'not-there';
const WAITING_MESSAGES: Record<WaitingKind, (partner: string, list: string, review: PendingReview) => Words> =
  {
    brake: reviewMessage,
    'went-back': wentBackMessage,
    'not-there': notThereMessage,
  };

/** Returns what a review is about: the partner's data went back, rows are missing there, or losses need approval. */
function kindOf(review: PendingReview): WaitingKind {
  if ((review.wentBack ?? 0) > 0) return 'went-back';
  return review.missing === countPending(review) ? 'not-there' : 'brake';
}

/** Says that rows aren't in the partner's list any more. */
function notThereMessage(partner: string, list: string, { missing = 0 }: PendingReview): Said {
  return said('inbox.not-there', { n: missing, list, partner });
}

/** Says that the partner's data went back. */
function wentBackMessage(partner: string, list: string, { wentBack = 0 }: PendingReview): Said {
  return said('inbox.partner-went-back', { partner, n: wentBack, list });
}

/**
 * Returns the message of how many rows would be deleted or emptied, and how many were within a day without approval.
 */
function reviewMessage(
  partner: string,
  list: string,
  { removes, empties, of, gone = 0, emptied = 0 }: PendingReview,
): Words {
  if (removes === 0)
    return emptied > 0
      ? said('inbox.would-empty-more', { partner, n: empties, of, list, emptied })
      : said('inbox.would-empty', { partner, n: empties, of, list });
  const goes =
    gone > 0
      ? said('inbox.would-remove-more', { partner, n: removes, of, list, gone })
      : said('inbox.would-remove', { partner, n: removes, of, list });
  if (empties === 0) return goes;
  const asWell =
    emptied > 0
      ? said('inbox.would-empty-too-more', { n: empties, emptied })
      : said('inbox.would-empty-too', { n: empties });
  return joined([goes, asWell], ' ');
}
