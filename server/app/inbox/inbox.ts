import { said } from '../../words/said.ts';
import type { About, Draft, InboxFacts } from './draft.ts';
import {
  brokenItems,
  offerItems,
  parkedItems,
  unsharedItems,
  waitingItems,
  withdrawnItems,
} from './list-items.ts';
import { pairingItems, removeRequestID } from './pairing-items.ts';

/**
 * Returns all items about one partner.
 * @param now in milliseconds, for connections that expire
 */
export function createPartnerItems(facts: InboxFacts, now: number): Draft[] {
  const { node } = facts;
  const about = { nodeID: node.nodeID, partner: node.name };
  return [
    ...pairingItems(facts, about, now),
    ...sameOfficeItem(facts, about),
    ...lostKeyItem(facts, about),
    ...unsureSharesItem(facts, about),
    ...removeRequestItem(facts, about),
    ...offerItems(facts, about),
    ...withdrawnItems(facts, about),
    ...facts.mappings.flatMap((mapping) => parkedItems(mapping, facts, about)),
    ...facts.exposures.flatMap((exposure) => unsharedItems(exposure, about)),
    ...facts.exposures.flatMap((exposure) => brokenItems(exposure, about)),
    ...facts.lists.flatMap((list) => waitingItems(list, facts, about)),
  ];
}

/** Returns an item if our token for the partner can't be decrypted any more, else []. */
function lostKeyItem({ node, isKeyLost }: InboxFacts, about: About): Draft[] {
  if (isKeyLost !== true) return [];
  return [
    {
      ...about,
      itemID: `key-lost-${node.nodeID}-${node.tokenSince ?? node.createdAt}`,
      kind: 'connection-ended',
      at: node.tokenSince ?? node.createdAt,
      message: said('secrets.lost-partner', { partner: node.name }),
    },
  ];
}

/**
 * Returns an item that asks a connected partner's shares to be reviewed after an older backup was restored, else [].
 */
function unsureSharesItem({ node }: InboxFacts, about: About): Draft[] {
  if (node.unsure === undefined || node.status !== 'paired') return [];
  return [
    {
      ...about,
      itemID: `shares-unsure-${node.nodeID}-${node.unsure}`,
      kind: 'shares-unsure',
      at: node.unsure,
      message: said('older-data.unsure', { partner: node.name }),
    },
  ];
}

/** Returns an item if a former partner asks us to remove its rows, else []. */
function removeRequestItem({ node, removeRequest: request }: InboxFacts, about: About): Draft[] {
  if (!request) return [];
  const { at, rows } = request;
  return [
    {
      ...about,
      itemID: removeRequestID(node.nodeID, at),
      kind: 'remove-request',
      at,
      rows,
      message: said('inbox.remove-rows', { partner: node.name, n: rows }),
    },
  ];
}

/** Returns an item that warns that another partner claims the same installation; [] if none does. */
function sameOfficeItem({ node, sameAs }: InboxFacts, about: About): Draft[] {
  if (sameAs === undefined) return [];
  return [
    {
      ...about,
      itemID: `same-office-${node.nodeID}-${node.installation ?? ''}`,
      kind: 'same-office',
      at: node.updatedAt ?? node.createdAt,
      message: said('inbox.same-office', { partner: node.name, other: sameAs }),
    },
  ];
}
