import type { Exposure, Mapping, SharedModule } from '../../federation/model.ts';
import { waitingIn, type Waiting } from '../../sync/pull/brake.ts';
import type { ListState } from '../../sync/status/list-states.ts';
import { counted, said, type Said } from '../../words/said.ts';
import type { About, Draft, InboxFacts } from './draft.ts';

/** Lists that are offered, and that the user has neither matched nor put aside. */
export function offerItems({ offers: offered, mappings }: InboxFacts, about: About): Draft[] {
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
export function withdrawnItems({ offers: offered, mappings, node }: InboxFacts, about: About): Draft[] {
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

/** Columns that wait to be matched again. */
export function parkedItems(mapping: Mapping, facts: InboxFacts, about: About): Draft[] {
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
      message: said`What these columns hold changed with their kind: ${retyped.columns.join(', ')}. Look at what ${about.partner ?? ''} would see of them now, and choose them again.`,
    },
  ];
}

/** What waits in one matched list. */
export function waitingItems(list: ListState, facts: InboxFacts, about: About): Draft[] {
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
    const kind = kindOf(brake);
    items.push({
      ...common,
      itemID: `${kind}-${sharedModuleID}-${moduleID}-${rows}`,
      kind,
      rows,
      message: WAITING_MESSAGES[kind](facts.node.name, listName, brake),
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

type WaitingKind = 'brake' | 'went-back' | 'not-there';
const WAITING_MESSAGES: Record<WaitingKind, (partner: string, list: string, brake: Waiting) => Said> = {
  brake: brakeMessage,
  'went-back': wentBackMessage,
  'not-there': notThereMessage,
};

function kindOf(brake: Waiting): WaitingKind {
  if ((brake.wentBack ?? 0) > 0) return 'went-back';
  return brake.missing === waitingIn(brake) ? 'not-there' : 'brake';
}

function notThereMessage(partner: string, list: string, { missing: rows = 0 }: Waiting): Said {
  return counted(
    rows,
    said`1 row in “${list}” is no longer there at ${partner}, which did not say that it was removed. Here it is as it was. Remove it, or keep it.`,
    said`${rows} rows in “${list}” are no longer there at ${partner}, which did not say that they were removed. Here they are as they were. Remove them, or keep them.`,
  );
}

/** The partner did not remove these rows: it does not have them any more. */
function wentBackMessage(partner: string, list: string, { wentBack: rows = 0 }: Waiting): Said {
  return counted(
    rows,
    said`The data of ${partner} went back to an earlier state: 1 row that you have in “${list}” is gone or older there. It is as it was here. Keep it, or take over what ${partner} has.`,
    said`The data of ${partner} went back to an earlier state: ${rows} rows that you have in “${list}” are gone or older there. They are as they were here. Keep them, or take over what ${partner} has.`,
  );
}

function brakeMessage(partner: string, list: string, { removes, empties, of, gone = 0 }: Waiting): Said {
  if (removes === 0)
    return said`What ${partner} sends would empty values in ${empties} of ${of} rows in “${list}”. These rows are as they were and wait for your yes.`;
  return gone > 0
    ? said`What ${partner} sends would remove ${removes} more of ${of} rows in “${list}”, after ${gone} in the last day. Those lie in the bin; these are still there and wait for your yes.`
    : said`What ${partner} sends would remove ${removes} of ${of} rows in “${list}”. They are still there and wait for your yes.`;
}
