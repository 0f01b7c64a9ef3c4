import type { InboxItem } from '../contract/app/overview.ts';
import { isOwnNetwork } from '../federation/partners/addresses.ts';
import type { KeptItem } from '../federation/sharing/kept-withdrawn.ts';
import { isOfLedger } from '../federation/sharing/ledger-parts.ts';
import { endsSoonIn } from '../federation/partners/token-life.ts';
import type { Exposure, Mapping, Node, SharedModule } from '../federation/model.ts';
import { listPartition } from '../lists/rows/row-table.ts';
import type { StoreNotice } from '../store/store.ts';
import { waitingIn } from '../sync/pull/brake.ts';
import type { ListState } from '../sync/status/list-states.ts';
import { counted, joined, said, type Said, type Words } from '../words/said.ts';

/** An item whose message is not said in any language yet. */
export type Draft = Omit<InboxItem, 'message'> & { readonly message: Words };

/** What the inbox is made from: everything about one partner that may need the user. */
export interface PartnerFacts {
  readonly node: Node;
  readonly offers: readonly SharedModule[];
  readonly mappings: readonly Mapping[];
  /** What we share with it, withdrawn ones included. */
  readonly exposures: readonly Exposure[];
  /** Names of our lists by id. */
  readonly listNames: ReadonlyMap<string, string>;
  /** How the matched lists stand: losses that wait for a yes, rows that could not be applied. */
  readonly lists: readonly ListState[];
  /** The partner ended the connection and asks that what it sent be removed. */
  readonly removeRequest?: { readonly at: string; readonly rows: number };
}

/** What needs the user because of one partner, oldest first within a kind. */
export function inboxOf(facts: PartnerFacts, now: number): Draft[] {
  const { node } = facts;
  const about = { nodeID: node.nodeID, partner: node.name };
  return [
    ...pairing(node, about, now),
    ...(facts.removeRequest
      ? [
          {
            ...about,
            itemID: `remove-request-${node.nodeID}-${facts.removeRequest.at}`,
            kind: 'remove-request' as const,
            at: facts.removeRequest.at,
            rows: facts.removeRequest.rows,
            message: counted(
              facts.removeRequest.rows,
              said`${node.name} ended the connection and asks you to remove the row that came from them.`,
              said`${node.name} ended the connection and asks you to remove the ${facts.removeRequest.rows} rows that came from them.`,
            ),
          },
        ]
      : []),
    ...offers(facts, about),
    ...withdrawn(facts, about),
    ...facts.mappings.flatMap((mapping) => parked(mapping, facts, about)),
    ...facts.exposures.flatMap((exposure) => unshared(exposure, about)),
    ...facts.lists.flatMap((list) => waiting(list, facts, about)),
  ];
}

type About = Pick<InboxItem, 'nodeID' | 'partner'>;

function pairing(node: Node, about: About, now: number): Draft[] {
  const at = node.updatedAt ?? node.createdAt;
  if (asksUs(node)) {
    const way = node.pairing?.link ?? node;
    return [
      {
        ...about,
        itemID: `pair-request-${node.nodeID}-${at}`,
        kind: 'pair-request',
        at,
        message: joined([asks(node.name, way), ...openly(way)], ' '),
      },
    ];
  }
  if (node.status === 'unpaired') {
    return [
      {
        ...about,
        itemID: `connection-ended-${node.nodeID}-${at}`,
        kind: 'connection-ended',
        at,
        message: node.problem ?? said`The connection has ended. Pair again with a new invite.`,
      },
    ];
  }
  const left = node.tokenExpiresAt === undefined ? Infinity : Date.parse(node.tokenExpiresAt) - now;
  if (node.status === 'paired' && left <= 0) {
    return [
      {
        ...about,
        itemID: `connection-ended-${node.nodeID}-${node.tokenExpiresAt ?? ''}`,
        kind: 'connection-ended',
        at: node.tokenExpiresAt ?? at,
        message: said`The connection to ${node.name} has ended: its time was up. Connect again with a new invite.`,
      },
    ];
  }
  const endsIn = endsSoonIn(node, now);
  if (endsIn !== undefined) {
    return [
      {
        ...about,
        itemID: `connection-ending-${node.nodeID}-${node.tokenExpiresAt ?? ''}`,
        kind: 'connection-ending',
        at: new Date(now).toISOString(),
        message: said`The connection to ${node.name} ends in ${inWords(endsIn)} and cannot renew itself. Ask them for a new invite.`,
      },
    ];
  }
  return [];
}

/** A time to go, in the largest unit of which there are two or more, rounded up. */
function inWords(milliseconds: number): Said {
  const minutes = Math.ceil(milliseconds / 60_000);
  if (minutes < 120) return counted(minutes, said`one minute`, said`${minutes} minutes`);
  const hours = Math.ceil(minutes / 60);
  return hours < 48 ? said`${hours} hours` : said`${Math.ceil(hours / 24)} days`;
}

/** Whether our yes is waited for: also where a connection goes on meanwhile. */
function asksUs({ status, role, pairing }: Node): boolean {
  if (status === 'paired') return pairing?.as === 'inviter' && pairing.yes === undefined;
  return status === 'pair_requested' && role === 'inviter';
}

/** Who asks, and from where; what the user agrees to call by saying yes. */
function asks(name: string, { calledFrom }: Pick<Node, 'calledFrom'>): Said {
  if (calledFrom === undefined) return said`${name} used your invite.`;
  return isOwnNetwork(calledFrom)
    ? said`${name} used your invite. They call from ${calledFrom}, on your own network.`
    : said`${name} used your invite. They call from ${calledFrom}.`;
}

/** The warning before the yes, where our calls to the partner would go unencrypted (design §6). */
function openly({ baseURL }: Pick<Node, 'baseURL'>): Said[] {
  if (!baseURL.startsWith('http:')) return [];
  return [said`Not encrypted: fine within your own office, not over the internet.`];
}

function offers({ offers: offered, mappings }: PartnerFacts, about: About): Draft[] {
  const matched = new Set(mappings.map((mapping) => mapping.federationModuleID));
  return offered
    .filter(
      (offer) =>
        offer.withdrawnAt === undefined && offer.dismissedAt === undefined && !matched.has(offer.moduleID),
    )
    .map((offer) => ({
      ...about,
      itemID: `list-offered-${offer.moduleID}-${offer.updatedAt ?? offer.createdAt}`,
      kind: 'list-offered' as const,
      at: offer.updatedAt ?? offer.createdAt,
      sharedModuleID: offer.moduleID,
      listName: offer.name,
      message: said`Its columns: ${columnNames(offer)}.`,
    }));
}

/** Lists that we receive and that are no longer shared, until the user lets them go. */
function withdrawn({ offers: offered, mappings, node }: PartnerFacts, about: About): Draft[] {
  const mappingOf = new Map(mappings.toReversed().map((each) => [each.federationModuleID, each]));
  return offered.flatMap(({ moduleID, withdrawnAt, dismissedAt, name }): Draft[] => {
    const mapping = mappingOf.get(moduleID);
    if (withdrawnAt === undefined || dismissedAt !== undefined || !mapping) return [];
    return [
      {
        ...about,
        itemID: `list-withdrawn-${moduleID}-${withdrawnAt}`,
        kind: 'list-withdrawn',
        at: withdrawnAt,
        sharedModuleID: moduleID,
        moduleID: mapping.composeModuleID,
        listName: name,
        message: said`Nothing new comes from ${node.name} for this list. Keep the rows as your own, or remove them from the list.`,
      },
    ];
  });
}

/** Most columns that a notice names. */
const NAMED = 8;

function columnNames({ fields }: SharedModule): string {
  const names = fields.slice(0, NAMED).map(({ label, name }) => label || name);
  return names.join(', ') + (fields.length > NAMED ? ', …' : '');
}

function parked(mapping: Mapping, facts: PartnerFacts, about: About): Draft[] {
  const waiting = mapping.fields.filter((match) => match.parked !== undefined);
  if (waiting.length === 0) return [];
  const listName = facts.listNames.get(mapping.composeModuleID) ?? '';
  const columns = waiting.map((match) => match.origin.label || match.origin.name).join(', ');
  return [
    {
      ...about,
      itemID: `columns-changed-${mapping.federationModuleID}-${mapping.updatedAt ?? mapping.createdAt}`,
      kind: 'columns-changed',
      at: mapping.updatedAt ?? mapping.createdAt,
      sharedModuleID: mapping.federationModuleID,
      moduleID: mapping.composeModuleID,
      listName,
      message: said`Columns of “${listName}” changed, so these wait to be matched again: ${columns}. The other columns go on.`,
    },
  ];
}

/** Columns that left a share by themselves, until the user chooses again. */
function unshared({ moduleID, composeModuleID, name, retyped }: Exposure, about: About): Draft[] {
  if (!retyped) return [];
  return [
    {
      ...about,
      itemID: `columns-unshared-${moduleID}-${retyped.at}`,
      kind: 'columns-unshared',
      at: retyped.at,
      moduleID: composeModuleID,
      listName: name,
      message: said`What these columns hold changed with their kind: ${retyped.columns.join(', ')}. Look at what ${about.partner ?? ''} would see of them now, and choose them again.`,
    },
  ];
}

/** What waits in one matched list. */
function waiting(list: ListState, facts: PartnerFacts, about: About): Draft[] {
  const { sharedModuleID, moduleID, couldNotApply, brake, doubles = 0 } = list;
  const listName = facts.listNames.get(moduleID) ?? '';
  const common = {
    ...about,
    at: list.lastPulledAt ?? facts.node.createdAt,
    sharedModuleID,
    moduleID,
    listName,
  };
  const items: Draft[] = [];
  if (brake) {
    const rows = waitingIn(brake);
    const kind = (brake.wentBack ?? 0) > 0 ? 'went-back' : 'brake';
    items.push({
      ...common,
      itemID: `${kind}-${sharedModuleID}-${moduleID}-${rows}`,
      kind,
      rows,
      message:
        kind === 'brake'
          ? brakeMessage(facts.node.name, listName, brake)
          : wentBackMessage(facts.node.name, listName, brake.wentBack ?? 0),
    });
  }
  if (doubles > 0) {
    items.push({
      ...common,
      itemID: `doubles-${sharedModuleID}-${moduleID}-${doubles}`,
      kind: 'doubles',
      rows: doubles,
      message: counted(
        doubles,
        said`1 row that ${facts.node.name} sends was in “${listName}” before, with the same values. Remove the one of before if it is the same.`,
        said`${doubles} rows that ${facts.node.name} sends were in “${listName}” before, with the same values. Remove those of before if they are the same.`,
      ),
    });
  }
  if (couldNotApply > 0) {
    items.push({
      ...common,
      itemID: `could-not-apply-${sharedModuleID}-${moduleID}-${couldNotApply}`,
      kind: 'could-not-apply',
      rows: couldNotApply,
      message: counted(
        couldNotApply,
        said`1 row from ${facts.node.name} did not fit the list “${listName}”. It is kept with its reason and tried again.`,
        said`${couldNotApply} rows from ${facts.node.name} did not fit the list “${listName}”. Each is kept with its reason and tried again.`,
      ),
    });
  }
  return items;
}

/** The partner did not remove these rows: it does not have them any more. */
function wentBackMessage(partner: string, list: string, rows: number): Said {
  return counted(
    rows,
    said`The data of ${partner} went back to an earlier state: 1 row that you have in “${list}” is gone or older there. It is as it was here. Keep it, or take over what ${partner} has.`,
    said`The data of ${partner} went back to an earlier state: ${rows} rows that you have in “${list}” are gone or older there. They are as they were here. Keep them, or take over what ${partner} has.`,
  );
}

function brakeMessage(
  partner: string,
  list: string,
  { removes, empties, of, gone = 0 }: { removes: number; empties: number; of: number; gone?: number },
): Said {
  if (removes === 0)
    return said`What ${partner} sends would empty values in ${empties} of ${of} rows in “${list}”. These rows are as they were and wait for your yes.`;
  return gone > 0
    ? said`What ${partner} sends would remove ${removes} more of ${of} rows in “${list}”, after ${gone} in the last day. Those lie in the bin; these are still there and wait for your yes.`
    : said`What ${partner} sends would remove ${removes} of ${of} rows in “${list}”. They are still there and wait for your yes.`;
}

/** Names one notice of the store. */
export const storeItemID = ({ at, code, partition = '' }: StoreNotice): string =>
  `store-notice-${at}-${code}-${partition}`;

/** What the store found and repaired, for the user to know, with the name of the list that it is about. */
export function storeItems(notices: readonly StoreNotice[], listNames: PartnerFacts['listNames']): Draft[] {
  const names = new Map([...listNames].map(([moduleID, name]) => [listPartition(moduleID), name]));
  return notices
    .filter((notice) => notice.code !== 'stale-lock' && notice.code !== 'migrated')
    .map((notice) => ({
      itemID: storeItemID(notice),
      kind: 'store-notice',
      at: notice.at,
      message: aboutPart(notice, names.get(notice.partition ?? '')),
    }));
}

function aboutPart({ partition, said: what }: StoreNotice, list: string | undefined): Said {
  if (list !== undefined) return said`“${list}”: ${what}`;
  if (partition === 'system') {
    return said`Settings, partners and shares: ${what} Check with each partner what you share.`;
  }
  return partition !== undefined && isOfLedger(partition)
    ? said`The overview of what has left this computer: ${what}`
    : what;
}

/** Something about the node itself, such as a certificate that was made anew. */
export function noticeItems(notice: { readonly at: string; readonly message: Words } | undefined): Draft[] {
  return notice ? [{ itemID: `node-notice-${notice.at}`, kind: 'store-notice', ...notice }] : [];
}

/** What stays withdrawn although older data came back that did not know of it. */
export function keptWithdrawnItems(
  kept: readonly { readonly key: string; readonly value: KeptItem }[],
): Draft[] {
  return kept.map(({ key, value }) => ({
    itemID: `kept-withdrawn-${key}-${value.at}`,
    kind: 'kept-withdrawn',
    at: value.at,
    ...(value.nodeID === undefined ? {} : { nodeID: value.nodeID }),
    ...(value.partner === undefined ? {} : { partner: value.partner }),
    message: keptMessage(value),
  }));
}

function keptMessage({ what, partner = '', listName = '' }: KeptItem): Said {
  switch (what) {
    case 'share':
      return said`Older data came back in which “${listName}” was still shared with ${partner}. It stays unshared, as you had decided. Share it again if you want to.`;
    case 'columns':
      return said`Older data came back in which ${partner} saw more of “${listName}”. What you had taken off since stays hidden. Look through what is shared.`;
    case 'connection':
      return said`Older data came back in which ${partner} was still connected. The connection stays ended. Connect again with a new invite if you want to.`;
    case 'partner':
      return said`Older data came back with the partner ${partner}, who had been removed. They stay removed and see nothing. Pair again with a new invite if you want them back.`;
    case 'pause':
      return said`Older data came back from before ${partner} was paused. They stay paused. Choose “Resume” at this partner to go on.`;
    case 'other':
      return said`Older data came back. Windows that were signed out since stay signed out, and doors that you had closed in Settings stay closed. Look through your settings.`;
  }
}
