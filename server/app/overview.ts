import type { InboxItem, Overview, PartnerSummary } from '../contract/app/overview.ts';
import type { Node } from '../federation/model.ts';
import type { SecretBox } from '../store/files/secrets.ts';
import { undecidedOffers } from '../federation/offers/offers.ts';
import { findSameInstallation } from '../federation/partners/claimed-installation.ts';
import { listRevocationItems } from '../federation/sharing/revocation-items.ts';
import type { Clock } from '../base/clock.ts';
import type { ListCopies, CopyState } from '../lists/watched/exported-copies.ts';
import type { WatchedFiles } from '../lists/watched/watched-files.ts';
import type { CutImport } from '../lists/csv/imports-under-way.ts';
import type { Partition, Store, StoreNotice, Unwritable } from '../store/store.ts';
import { withDataMissing, worstState } from '../sync/status/state.ts';
import type { PartnerStatus } from '../sync/status/partner-status.ts';
import { unwritableWords } from '../sync/status/unwritable.ts';
import type { Language } from '../base/vocabulary.ts';
import { createSay, said, type Words, type Locale, type Say } from '../words/said.ts';
import type { SettingsStore } from './settings.ts';
import type { Activity as Happened } from '../sync/status/history.ts';
import { activityEntry } from './activity.ts';
import type { Dismissals } from './dismissals.ts';
import { createPartnerItems } from './inbox/inbox.ts';
import {
  needsReview,
  cutImportItemID,
  cutImportItems,
  toRevocationDrafts,
  noticeItems,
  storeItemID,
  storeItems,
} from './inbox/store-items.ts';
import { persistNotices } from './loss-notices.ts';
import { strangerItems, type RejectedAccessLog } from './rejected-access.ts';
import { readPartner, type PartnerReading } from './partner-reading.ts';
import {
  summarizePartner,
  findRemoveRequest,
  describeAsker,
  describeState,
  type SummaryDeps,
} from './summary.ts';
import { shownFileName } from '../base/file-names.ts';
import type { WatchedState } from '../lists/watched/file-states.ts';
import type { Draft, InboxFacts } from './inbox/draft.ts';

export interface OverviewDeps extends SummaryDeps {
  readonly store: Store;
  readonly system: Partition;
  readonly settings: SettingsStore;
  readonly dismissals: Dismissals;
  readonly strangers: Pick<RejectedAccessLog, 'list'>;
  readonly files: { readonly watched: Pick<WatchedFiles, 'all'>; readonly copies: Pick<ListCopies, 'all'> };
  readonly secrets: Pick<SecretBox, 'open'>;
  readonly notice: () => { readonly at: string; readonly message: Words } | undefined;
  readonly clock: Clock;
  readonly version: string;
  /** Base addresses for partners. */
  readonly addresses: () => string[];
  readonly reachable: () => boolean;
}

const RECENT = 50;

export class OverviewSource {
  readonly #deps: OverviewDeps;

  constructor(deps: OverviewDeps) {
    this.#deps = deps;
  }

  /** Returns the data of Home and the tray. Stores new notices of loss for a restart; deletes dismissed ones. */
  async overview(language: Language, locale?: Locale): Promise<Overview> {
    const say = createSay(language, locale);
    const { office, firstRunDone } = this.#deps.settings.current();
    const nodes = await this.#deps.federation.nodes.list();
    const readings = await Promise.all(nodes.map((node) => readPartner(this.#deps, node)));
    const arrived = await this.#deps.today.countArrived();
    const partners: PartnerSummary[] = await Promise.all(
      readings.map((reading) => summarizePartner(this.#deps, reading, say, arrived)),
    );
    const lastSuccessAt = partners
      .flatMap((partner) => partner.lastSuccessAt ?? [])
      .sort()
      .at(-1);
    const standing = readings.map(({ node, status }) => ({
      ...status,
      name: node.name,
      connected: node.status === 'paired',
    }));
    const dismissed = await this.#deps.dismissals.all();
    const notices = await persistNotices(this.#deps.system, this.#deps.store.notices(), dismissed);
    const asks = notices.some((notice) => needsReview(notice) && !dismissed.has(storeItemID(notice)));
    const worst = worstState(standing);
    return {
      office,
      firstRunDone,
      ...describeState({ ...(asks ? withDataMissing(worst) : worst), ...combinedFreshness(standing) }, say),
      ...(lastSuccessAt === undefined ? {} : { lastSuccessAt }),
      partners,
      inbox: await this.#inbox(readings, notices, dismissed, say),
      recent: (await this.#recent()).map((happened) => activityEntry(happened, say)),
      addresses: this.#deps.addresses(),
      reachable: this.#deps.reachable(),
      version: this.#deps.version,
    };
  }

  /** Returns the latest activity, without ids of deleted lists, as they lead nowhere. */
  async #recent(): Promise<readonly Happened[]> {
    const there = new Set((await this.#deps.lists.modules()).map(({ moduleID }) => moduleID));
    const all = await this.#deps.sync.history.list({ limit: RECENT });
    return all.map(({ moduleID, ...happened }) =>
      moduleID !== undefined && there.has(moduleID) ? { ...happened, moduleID } : happened,
    );
  }

  /** Returns, by offer, the names of lists that received undecided offers before both offices paired again. */
  async #formerListsOf(...of: Parameters<typeof undecidedOffers>): Promise<ReadonlyMap<string, string>> {
    const former = new Map<string, string>();
    for (const offer of undecidedOffers(...of)) {
      const found = await this.#deps.federation.mappings.findFormer(offer);
      if (found) former.set(offer.moduleID, found.module.name);
    }
    return former;
  }

  /**
   * Returns undismissed items in the texts of `say`, latest first. Deletes interrupted imports that the user dismissed.
   */
  async #inbox(
    readings: readonly PartnerReading[],
    notices: readonly StoreNotice[],
    dismissed: ReadonlySet<string>,
    say: Say,
  ): Promise<InboxItem[]> {
    const nodes = readings.map(({ node }) => node);
    const listNames = new Map(
      (await this.#deps.lists.modules()).map(({ moduleID, name }) => [moduleID, name]),
    );
    const items = await Promise.all(
      readings.map(async ({ node, offers, mappings, exposures, status }) => {
        const removeRequest = await findRemoveRequest(this.#deps, node);
        const other = findSameInstallation(nodes, node);
        const asker = await describeAsker(this.#deps, node, exposures);
        const facts = { node, offers, mappings, exposures, listNames, lists: status.lists };
        return createPartnerItems(
          {
            ...facts,
            formerLists: await this.#formerListsOf(node, offers, mappings),
            ...((await isKeyLost(this.#deps.secrets, node)) ? { isKeyLost: true } : {}),
            ...(removeRequest ? { removeRequest } : {}),
            ...(other ? { sameAs: other.name } : {}),
            ...(asker ? { asker } : {}),
          },
          this.#deps.clock.now(),
        );
      }),
    );
    const own = [...storeItems(notices, listNames), ...strangerItems(await this.#deps.strangers.list())];
    const cut = await this.#undismissedImports(dismissed);
    const kept = toRevocationDrafts(await listRevocationItems(this.#deps.system));
    const ofDisk = noticeItems(unwritableNotice(this.#deps.store.unwritable()));
    return [
      ...ofDisk,
      ...own,
      ...cutImportItems(cut, listNames),
      ...fileItems(await this.#deps.files.watched.all(), await this.#deps.files.copies.all(), listNames),
      ...kept,
      ...noticeItems(this.#deps.notice()),
      ...items.flat(),
    ]
      .filter(({ itemID }) => !dismissed.has(itemID))
      .sort((a, b) => (a.at < b.at ? 1 : -1))
      .map((item) => ({ ...item, message: say(item.message) }));
  }

  /** Returns undismissed interrupted imports, and deletes the dismissed ones. */
  async #undismissedImports(dismissed: ReadonlySet<string>): Promise<readonly CutImport[]> {
    const all = await this.#deps.lists.imports.listInterrupted();
    const over = all.filter(({ importID }) => dismissed.has(cutImportItemID(importID)));
    if (over.length > 0)
      await this.#deps.lists.imports.deleteInterrupted(over.map(({ importID }) => importID));
    return all.filter((each) => !over.includes(each));
  }
}

/** Returns whether our token for a connected partner can't be decrypted. */
async function isKeyLost(secrets: Pick<SecretBox, 'open'>, node: Node): Promise<boolean> {
  if (node.status !== 'paired' || node.sealedToken === undefined) return false;
  return secrets.open(node.sealedToken).then(
    () => false,
    () => true,
  );
}

/** Returns the notice that this computer can't save; undefined if it can. */
function unwritableNotice(unwritable: Unwritable | undefined): ReturnType<OverviewDeps['notice']> {
  return unwritable && { at: unwritable.at, message: unwritableWords(unwritable.code) };
}

/**
 * Returns when all connected partners' states were known (`asOf`), and until when that holds: the earliest times, left
 * out if any is.
 */
function combinedFreshness(
  all: readonly (Pick<PartnerStatus, 'asOf' | 'freshUntil'> & { readonly connected: boolean })[],
): Pick<PartnerStatus, 'asOf' | 'freshUntil'> {
  const connected = all.filter((each) => each.connected);
  const earliest = (times: readonly (string | undefined)[]): string | undefined =>
    times.includes(undefined) ? undefined : [...times].sort()[0];
  const asOf = earliest(connected.map((each) => each.asOf));
  const freshUntil = earliest(connected.map((each) => each.freshUntil));
  return {
    ...(asOf === undefined ? {} : { asOf }),
    ...(freshUntil === undefined ? {} : { freshUntil }),
  };
}

/** Returns items about followed files and exported copies of lists that need approval or have a problem. */
function fileItems(
  watched: readonly WatchedState[],
  copies: readonly CopyState[],
  listNames: InboxFacts['listNames'],
): Draft[] {
  // Skips lists in the bin.
  const isThere = (moduleID: string): boolean => listNames.has(moduleID);
  const [followed, copied] = [
    watched.filter(({ file }) => isThere(file.moduleID)),
    copies.filter(({ copy }) => isThere(copy.moduleID)),
  ];
  return [
    ...followed.flatMap((state) => pendingDeletionItems(state, listNames)),
    ...followed.flatMap(({ file, problem }) => problemItems('watched', file.moduleID, problem, listNames)),
    ...copied.flatMap(({ copy, problem }) => problemItems('copy', copy.moduleID, problem, listNames)),
  ];
}

/** Returns an item about rows or values that a followed file lacks, which need approval; [] without any. */
function pendingDeletionItems(
  { file: { moduleID }, last }: WatchedState,
  listNames: InboxFacts['listNames'],
): Draft[] {
  if (!last?.waiting) return [];
  const { rows, emptied, mark } = last.waiting;
  const file = shownFileName(last.of.path);
  return [
    {
      itemID: `file-waits-${moduleID}-${mark}`,
      kind: 'file-waits',
      at: last.at,
      moduleID,
      listName: listNames.get(moduleID) ?? '',
      rows: rows + emptied,
      message:
        rows > 0
          ? said('inbox.file-waits', { file, n: rows })
          : said('inbox.file-empties', { file, n: emptied }),
    },
  ];
}

/** Returns an item about the problem, if any, of a list's followed file or exported copy. */
function problemItems(
  of: 'watched' | 'copy',
  moduleID: string,
  problem: WatchedState['problem'],
  listNames: InboxFacts['listNames'],
): Draft[] {
  if (!problem) return [];
  const listName = listNames.get(moduleID) ?? '';
  const itemID = `file-problem-${of}-${moduleID}-${problem.at}`;
  return [{ itemID, kind: 'file-problem', at: problem.at, moduleID, listName, message: problem.words }];
}
