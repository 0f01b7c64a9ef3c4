import type { CutImport } from '../../lists/csv/imports-under-way.ts';
import type { RevocationItem } from '../../federation/sharing/revocation-items.ts';
import { isOfLedger } from '../../federation/sharing/ledger-parts.ts';
import { listPartition } from '../../lists/rows/row-table.ts';
import type { StoreNotice } from '../../store/store.ts';
import { said, type Said, type Words } from '../../words/said.ts';
import type { Draft, InboxFacts } from './draft.ts';

/** Returns a notice's item id; without a time for an unreadable sharing log, which is reported at each start. */
export const storeItemID = ({ at, code, partition = '' }: StoreNotice): string =>
  code === 'unreadable' && isOfLedger(partition)
    ? `store-notice-${code}-${partition}`
    : `store-notice-${at}-${code}-${partition}`;

/** Returns items about what the store found and repaired. Stale locks and migrations need none. */
export function storeItems(notices: readonly StoreNotice[], listNames: InboxFacts['listNames']): Draft[] {
  const lists = new Map(
    [...listNames].map(([moduleID, name]) => [listPartition(moduleID), { moduleID, name }]),
  );
  return notices
    .filter((notice) => notice.code !== 'stale-lock' && notice.code !== 'migrated')
    .map((notice) => {
      const list = lists.get(notice.partition ?? '');
      return {
        itemID: storeItemID(notice),
        kind: 'store-notice',
        at: notice.at,
        ...(list && SALVAGEABLE.has(notice.said.code) ? { moduleID: list.moduleID } : {}),
        message: noticeText(notice, list?.name),
      };
    });
}

/** After these, a list's damaged files may have more rows. */
const SALVAGEABLE: ReadonlySet<string> = new Set([
  'store.unreadable',
  'store.unreadable-of',
  'store.aside-missing',
  'store.aside-cut',
  'store.backup-missing',
  'store.backup-changes-missing',
]);

const HARMLESS: ReadonlySet<StoreNotice['code']> = new Set(['stale-lock', 'migrated', 'left-alone']);
const NOTHING_MISSING: ReadonlySet<string> = new Set([
  'store.previous-copy',
  'store.cut-nothing-missing',
  'store.backup-nothing-missing',
  'store.aside-nothing-missing',
  'store.parts-made-anew',
]);

/** Returns whether lists, partners or shares may lack something after this notice. */
export function needsReview({ code, partition = '', said: { code: words } }: StoreNotice): boolean {
  return !HARMLESS.has(code) && !NOTHING_MISSING.has(words) && !isOfLedger(partition);
}

/** Returns the notice's text, with what it concerns: the list, the settings or the sharing log. */
function noticeText(notice: StoreNotice, list: string | undefined): Said {
  const { partition, said: what } = notice;
  if (list !== undefined) return said('inbox.about-list', { list, what });
  if (partition === 'system' && needsReview(notice)) return said('inbox.about-settings', { what });
  if (partition === undefined || !isOfLedger(partition)) return what;
  return LOSSES.has(what.code) ? said('inbox.ledger-lost') : said('inbox.about-ledger', { what });
}

const LOSSES: ReadonlySet<string> = new Set([
  'store.aside-missing',
  'store.aside-cut',
  'store.backup-missing',
  'store.backup-changes-missing',
  'store.unreadable',
  'store.unreadable-of',
]);

/** Reports a notice about the node itself, such as a new certificate. */
export function noticeItems(notice: { readonly at: string; readonly message: Words } | undefined): Draft[] {
  return notice ? [{ itemID: `node-notice-${notice.at}`, kind: 'store-notice', ...notice }] : [];
}

export const cutImportItemID = (importID: string): string => `import-cut-${importID}`;

/** Returns an item for each of these interrupted imports, which won't continue, with what to do. */
export function cutImportItems(cut: readonly CutImport[], listNames: InboxFacts['listNames']): Draft[] {
  return cut.map(({ importID, at, moduleID, file, line, isKeyed }) => {
    const next = isKeyed ? said('inbox.import-cut-keyed') : said('inbox.import-cut-unkeyed');
    const about = { list: listNames.get(moduleID) ?? '', line, next };
    return {
      itemID: cutImportItemID(importID),
      kind: 'store-notice',
      at,
      message:
        file === undefined
          ? said('inbox.import-cut', about)
          : said('inbox.import-cut-of', { ...about, file }),
    };
  });
}

/** Returns an item for each of these revocations, which still apply after older data was restored. */
export function toRevocationDrafts(
  kept: readonly { readonly key: string; readonly value: RevocationItem }[],
): Draft[] {
  return kept.map(({ key, value }) => ({
    itemID: `kept-withdrawn-${key}-${value.at}`,
    kind: 'kept-withdrawn',
    at: value.at,
    ...(value.nodeID === undefined ? {} : { nodeID: value.nodeID }),
    ...(value.partner === undefined ? {} : { partner: value.partner }),
    ...(value.moduleID === undefined ? {} : { moduleID: value.moduleID }),
    message: revocationText(value),
  }));
}

/** Returns the text that names a revocation: it still applies, although the older data in use lacks it. */
function revocationText({ what, partner = '', listName = '' }: RevocationItem): Said {
  switch (what) {
    case 'share':
      return said('older-data.unshared', { list: listName, partner });
    case 'columns':
      return said('older-data.columns-hidden', { partner, list: listName });
    case 'connection':
      return said('older-data.disconnected', { partner });
    case 'partner':
      return said('older-data.removed', { partner });
    case 'pause':
      return said('older-data.paused', { partner });
    case 'other':
      return said('older-data.signed-out');
    case 'file':
      return said('older-data.file', { list: listName });
    case 'scripts':
      return said('older-data.scripts');
    case 'lists':
      return said('older-data.lists');
    case 'list-anew':
      return said('older-data.list-anew');
  }
}
