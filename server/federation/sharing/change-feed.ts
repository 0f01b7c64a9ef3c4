import type { Row, RowOrigin, RowSource } from '../../lists/definitions/model.ts';
import { rowOfTexts } from '../../lists/rows/row-table.ts';
import { hasSameTexts } from '../../lists/values/value-sets.ts';
import { omit } from '../../base/omit.ts';
import { Refusal } from '../../base/refusal.ts';
import type { Entry, Partition, SharedTemplate } from '../../store/store.ts';
import type { ExposedList, ReadExposed } from './exposed-list.ts';
import type { ColumnMarks } from './column-marks.ts';
import { definitionMark } from './definition-mark.ts';
import { createFeedEpochs, type FeedEpochs } from './feed-epochs.ts';
import type { FeedCursors } from './feed-cursors.ts';
import type { FeedRow } from './outgoing.ts';
import { takenBack } from './ledger.ts';
import { disclosureOf, type ServeWithLedger } from './serve-with-ledger.ts';
import {
  createGroupPage,
  createPage,
  PAGE_BYTES,
  renderPage,
  type ChangesPage,
  type SentTemplate,
  type WantedRow,
} from './page-bytes.ts';
import type { Node } from '../model.ts';
import type { ReferenceTitles } from './reference-titles.ts';
import type { RowTexts } from './row-texts.ts';
import type { RowOrigins } from './row-origins.ts';
import type { VisibleChanges } from './visible-changes.ts';
import { isAnnouncedTo, isSharedWith, isUnsentVersion, forwardedSource } from './visibility.ts';

/** For another Footbridge, with installations it passed, ours last; sent as deleted if that is among them. */
export interface ChangedRow extends FeedRow {
  readonly via: readonly string[];
  readonly origin: RowOrigin;
  /** Omits `via` and `origin` (`isUnsentVersion`). */
  readonly unsent?: true;
}

/** Positions are {@link FeedCursors}. */
export interface ChangesRequest {
  /** The partner's; 0: the beginning. */
  readonly after: number;
  /** Last position; default: by `limit`. */
  readonly until?: number | undefined;
  /** From the previous answer, as is `state`. */
  readonly epoch?: string | undefined;
  /** `FeedEpochs.state`. */
  readonly state?: string | undefined;
  /** As the partner knows them (`definitionMark`). */
  readonly columns?: string | undefined;
  readonly limit: number;
  /** Number of further pages whose ends are requested. */
  readonly marks: number;
  /** May answer one row group (server/base/row-group.ts). */
  readonly groups?: boolean;
  readonly address: string;
}

export interface Changes {
  readonly epoch: string;
  readonly state: string;
  readonly next: number;
  readonly more: boolean;
  /** Sent rows will change: the last page isn't final. */
  readonly unsettled?: true;
  /** Ends of further full pages, maybe fewer than requested. */
  readonly marks?: readonly number[];
  readonly total: number;
  readonly grouped?: true;
  /** JSON, comma-separated. */
  readonly rows: Buffer;
  /** Not sent: forbids compression ({@link mixesForeignText}). */
  readonly ofSeveralHands: boolean;
  /** Not sent: sequence number before the page. */
  readonly behind: number;
}

export interface RowsRequest {
  readonly recordIDs: readonly string[];
  /** The caller asks again for the rest. */
  readonly inParts: boolean;
  readonly address: string;
}

export interface NamedRows extends Pick<Changes, 'rows' | 'ofSeveralHands'> {
  /** Number of the named rows that were handled, from the first on. */
  readonly taken: number;
}

const MAX_AT_ONCE = 56 * 1024 * 1024;

/** A JSON page's rows for callers that know groups, and a group's fewest. */
const ROWS_AS_JSON = 500;

const NO_OFFICES: readonly string[] = [];

/** Marks where a row has a text of its template; JSON escapes the first character. */
const markOf = (place: number): string => `\u0001${place}\u0001`;
const MARK_IN_JSON = '\\u0001';
// eslint-disable-next-line no-control-regex -- the mark
const MARKED = /^\u0001(\d+)\u0001$/;

/** Returns the number of the text that this marks; else NaN. */
const placeOf = (text = ''): number => Number(MARKED.exec(text)?.[1] ?? NaN);

/** Returns rows before the first deleted one, which a row group can't hold. Rows of templates aren't checked. */
function plainFirst(wanted: readonly Entry<Row>[]): readonly Entry<Row>[] {
  const end = wanted.findIndex((row) => row.template === undefined && row.value.deletedAt !== undefined);
  return end < 0 ? wanted : wanted.slice(0, end);
}

/** Estimates the next page's rows: a tenth fewer than in a cut group, as a small page more costs a request. */
const rowsAhead = (limit: number, wanted: number, taken: number, grouped = false): number =>
  !grouped ? Math.min(limit, ROWS_AS_JSON) : taken < wanted ? Math.ceil(0.9 * taken) : limit;

export const otherDefinition = (): Refusal =>
  new Refusal('conflict', 'feed.definition', 'The columns of this list changed. Read its definition first.');

export interface ChangeFeedDeps {
  readonly system: Partition;
  readonly columnMarks: ColumnMarks;
  readonly readExposed: ReadExposed;
  readonly texts: RowTexts;
  readonly visibleChanges: VisibleChanges;
  readonly installation: string;
  readonly origins: RowOrigins;
  readonly referenceTitles: Pick<ReferenceTitles, 'countPendingTitles'>;
  readonly places: FeedCursors;
  readonly noted: ServeWithLedger;
}

/** For Footbridges (docs/interface.md: Between Footbridges). Throws like {@link Feed.recordBytes}. */
export class ChangeFeed {
  readonly #deps: ChangeFeedDeps;
  readonly #epochs: FeedEpochs;
  /** Last result of {@link ChangeFeed.#withOwnInstallation}. */
  #last: { readonly from: readonly string[]; readonly via: readonly string[] } | undefined;

  constructor(deps: ChangeFeedDeps) {
    this.#deps = deps;
    this.#epochs = createFeedEpochs(deps.system);
  }

  /**
   * Returns the last change's number at this position; 0 if the list has another epoch or state, or ends before it, so
   * that the partner will read from the beginning.
   */
  lastReadSeq(
    node: Node,
    moduleID: string,
    {
      epoch,
      state,
      after = 0,
    }: Pick<ChangesRequest, 'epoch' | 'state'> & { readonly after?: number | undefined },
  ): Promise<number> {
    return this.#deps.readExposed(node, moduleID, 'user', async ({ exposure, rows }) => {
      const lastSeq = await rows.lastSeq();
      const seq = this.#deps.places.forExposure(exposure.moduleID).decrypt(after);
      if (seq > lastSeq || epoch !== (await this.#epochs.get(exposure, node, lastSeq))) return 0;
      return state === undefined || (await this.#epochs.isKnown(exposure, rows, state, seq)) ? seq : 0;
    });
  }

  /**
   * Returns a page of rows by their last change, once they are in the sharing log. Throws `feed.epoch`,
   * `feed.went-back` (conflict: the partner starts over), `feed.definition`. `write` must always encode a row alike, as
   * pages are cached.
   */
  changes(
    node: Node,
    exposureID: string,
    request: ChangesRequest,
    write: (row: ChangedRow) => object,
  ): Promise<Changes> {
    return this.#deps.noted(node, exposureID, async (list) => {
      const { exposure, rows } = list;
      const { limit, marks, address } = request;
      const { epoch, after, until } = await this.#requestedRange(node, list, request);
      // Before rows are read: what isn't pending now has its numbers.
      const isUnsettled = (await this.#deps.referenceTitles.countPendingTitles(exposure)) > 0;
      const { encrypt } = this.#deps.places.forExposure(exposure.moduleID);
      const visible = await this.#deps.visibleChanges.findSince(rows, exposure, node, after);
      // One more shows whether rows follow.
      const found = await visible.first(limit * (1 + marks) + 1);
      const within = until === undefined ? found : found.filter(({ seq }) => seq <= until);
      const { page, grouped } = await this.#renderChangesPage(
        node,
        list,
        within.slice(0, limit),
        request,
        write,
      );
      const { bytes, recordIDs, taken } = page;
      // With nothing left before `until`, the next request leaves no gap.
      const isWhole = until !== undefined && taken === within.length;
      const next = isWhole ? until : (within[taken - 1]?.seq ?? after);
      const more = taken < found.length;
      const ahead = request.groups ? rowsAhead(limit, Math.min(within.length, limit), taken, grouped) : limit;
      const ends = Array.from({ length: marks }, (_, page) => found[taken + (page + 1) * ahead - 1]?.seq);
      const named = ends.filter((seq) => seq !== undefined);
      const answer = {
        epoch,
        state: await this.#epochs.state(exposure, rows, Math.max(next, ...named)),
        next: encrypt(next),
        more,
        ...(isUnsettled && !more ? { unsettled: true as const } : {}),
        ...(marks === 0 ? {} : { marks: named.map(encrypt) }),
        total: recordIDs.length + (more ? Math.max(visible.count - taken, 0) : 0),
        ...(grouped ? { grouped } : {}),
        rows: bytes,
        behind: after,
        ofSeveralHands: mixesForeignText(list, page),
      };
      const what = { recordIDs, address, ...takenBack(page.gone) };
      return { answer, disclosure: disclosureOf(node, list.exposure, bytes, what) };
    });
  }

  /**
   * Returns the named visible rows, encoded by `write`, once they are in the sharing log; leaves out unknown ones. What
   * exceeds an answer throws `rows.too-large`, or with `inParts` is left for the next request (`taken`).
   */
  rows(
    node: Node,
    moduleID: string,
    { recordIDs: wanted, inParts, address }: RowsRequest,
    write: (row: ChangedRow) => object,
  ): Promise<NamedRows> {
    return this.#deps.noted(node, moduleID, async (list) => {
      const entries = await list.rows.entries(wanted);
      const found = entries.filter((row) => row !== undefined);
      const places = entries.flatMap((row, place) => (row ? [place] : []));
      const page = await renderPage(
        found,
        async (rows) => (await this.#rowsAsSent(node, list, rows)).map((row) => row && write(row)),
        createPage(inParts ? PAGE_BYTES : MAX_AT_ONCE),
      );
      const { bytes, recordIDs, taken } = page;
      if (taken < found.length && !inParts)
        throw new Refusal(
          'too-large',
          'rows.too-large',
          'These rows are too large for one answer. Ask for fewer.',
        );
      const ofSeveralHands = mixesForeignText(list, page);
      const answer = { rows: bytes, ofSeveralHands, taken: places[taken] ?? wanted.length };
      const what = { recordIDs, address, ...takenBack(page.gone) };
      return { answer, disclosure: disclosureOf(node, list.exposure, bytes, what) };
    });
  }

  /**
   * Renders the first rows: as a row group if the caller knows those and enough fit, else as JSON. Decides by sent
   * sizes, as stored ones would disclose unshared columns.
   */
  async #renderChangesPage(
    node: Node,
    list: ExposedList,
    wanted: readonly Entry<Row>[],
    { groups = false }: ChangesRequest,
    write: (row: ChangedRow) => object,
  ): Promise<{ readonly page: ChangesPage; readonly grouped?: true }> {
    const { exposure, rows, outgoing } = list;
    const { moduleID, fields, fieldIDs, titlePins, gaps, condition } = exposure;
    const shared = [moduleID, fields, fieldIDs, titlePins, gaps, condition, await outgoing.version()];
    const keyOf = (what: string): string => JSON.stringify([what, node.nodeID, node.installation, ...shared]);
    const rendered = new Map<WantedRow, ChangedRow | undefined>();
    /**
     * Returns the rows as sent, undefined for invisible ones. Renders each once, though a page is tried as a group,
     * then as JSON.
     */
    const renderRows = async (found: readonly WantedRow[]): Promise<(ChangedRow | undefined)[]> => {
      const missing = found.filter((row) => !rendered.has(row));
      const sent = await this.#rowsAsSent(node, list, missing);
      for (const [at, row] of missing.entries()) rendered.set(row, sent[at]);
      return found.map((row) => rendered.get(row));
    };
    const templates = new Map<SharedTemplate, SentTemplate | undefined>();
    /**
     * Returns the rows as sent; for a stored template's row, how the template is sent. Describes each template once.
     */
    const renderStored = async (
      found: readonly WantedRow[],
    ): Promise<(ChangedRow | SentTemplate | undefined)[]> => {
      for (const { template } of found)
        if (template && !templates.has(template))
          templates.set(template, await this.#describeTemplate(node, list, template));
      const stored = found.map(({ template }) => template && templates.get(template));
      const others = await renderRows(found.filter((_, at) => !stored[at]));
      let next = 0;
      return stored.map((template) => template ?? others[next++]);
    };
    const { texts } = this.#deps;
    const plain = groups ? plainFirst(wanted) : [];
    const isEnough = (count: number): boolean => count === wanted.length || count >= ROWS_AS_JSON;
    if (plain.length > 0 && isEnough(plain.length)) {
      const into = createGroupPage(fields.map(({ name }) => name));
      const page = await texts.page(rows, plain, { key: keyOf('group'), render: renderStored, page: into });
      if (isEnough(page.taken) && page.recordIDs.length > 0) return { page, grouped: true };
    }
    const written = async (found: readonly WantedRow[]): Promise<(object | undefined)[]> =>
      (await renderRows(found)).map((row) => row && write(row));
    const asJSON = groups ? wanted.slice(0, ROWS_AS_JSON) : wanted;
    return { page: await texts.page(rows, asJSON, { key: keyOf('changes'), render: written }) };
  }

  /**
   * Describes how a stored template's rows are sent: one row with marks for texts. Undefined with reference columns, or
   * if a text decides what is sent: then each row must be read.
   */
  async #describeTemplate(
    node: Node,
    list: ExposedList,
    template: SharedTemplate,
  ): Promise<SentTemplate | undefined> {
    if (list.exposure.fields.some(({ kind }) => kind === 'Record')) return undefined;
    const row = rowOfTexts(
      template,
      Array.from({ length: template.textCount }, (_, at) => markOf(at)),
    );
    const empty = rowOfTexts(template, Array<string>(template.textCount).fill(''));
    const [sent, sentEmpty] = await this.#rowsAsSent(node, list, [{ value: row }, { value: empty }]);
    const { recordID, received } = row;
    const fixed = [
      omit(row, 'recordID', 'values', 'received'),
      received && omit(received, 'recordID', 'createdAt', 'updatedAt', 'values', 'origin'),
    ];
    if (recordID !== markOf(0) || JSON.stringify(fixed).includes(MARK_IN_JSON)) return undefined;
    // A column with an empty text must then have no value.
    if (!sent || sent.deletedAt !== undefined || !sentEmpty || sentEmpty.values.length > 0) return undefined;
    const { values, origin, createdAt, updatedAt, via } = sent;
    const places = list.exposure.fields.map((field) => {
      const own = values.filter(({ name }) => name === field.name);
      return own.length === 0 ? undefined : own.length === 1 ? placeOf(own[0]?.value) : NaN;
    });
    const { origins } = this.#deps;
    const [id, at] = [placeOf(origin.id), placeOf(origin.at)];
    const isOurs = origin.id === origins.nameOf(recordID);
    if (places.some(Number.isNaN) || (!isOurs && Number.isNaN(id))) return undefined;
    return {
      ...{ row, createdAt, updatedAt, via, places },
      originOf: (recordID, texts) => ({
        originID: isOurs ? origins.nameOf(recordID) : (texts[id] ?? ''),
        originAt: Number.isNaN(at) ? origin.at : (texts[at] ?? ''),
      }),
    };
  }

  /**
   * Returns rows as this partner gets them, in the same order: revoked ones without values, deletions of a version
   * never sent as `unsent` without its source, invisible ones as undefined.
   */
  async #rowsAsSent(
    node: Node,
    { exposure, outgoing }: ExposedList,
    rows: readonly Pick<WantedRow, 'value'>[],
  ): Promise<(ChangedRow | undefined)[]> {
    const seen = await outgoing.rows(rows.map(({ value }) => value));
    return rows.map(({ value: row }, at) => {
      const shown = seen[at];
      if (!shown) return undefined;
      if (!isAnnouncedTo(row, exposure, node)) return undefined;
      if (isUnsentVersion(row, exposure)) return { ...this.#withOrigin(shown, row, undefined), unsent: true };
      if (isSharedWith(row, exposure, node)) return this.#withOrigin(shown, row, forwardedSource(row, node));
      const takenBack = { ...omit(shown, 'deletedAt'), values: [] };
      return this.#withOrigin(takenBack, row, (row.disclosed ?? row).received);
    });
  }

  /**
   * Returns a row as sent: with origin and path of `source`, plus this installation; undefined `source`: our own row.
   */
  #withOrigin(shown: FeedRow, row: Row, source: RowSource | undefined): ChangedRow {
    return {
      ...shown,
      via: this.#withOwnInstallation(source?.via ?? NO_OFFICES),
      origin: this.#deps.origins.get(row, source),
    };
  }

  /** Returns the path with our installation appended; the last array for equal installations, as they mostly are. */
  #withOwnInstallation(from: readonly string[]): readonly string[] {
    if (!this.#last || !hasSameTexts(from, this.#last.from))
      this.#last = { from, via: [...from, this.#deps.installation] };
    return this.#last.via;
  }

  /**
   * Returns whether the partner's digest is of the present columns, with their marks or, as older versions', without.
   */
  #hasPresentColumns(exposure: ExposedList['exposure'], columns: string): boolean {
    const marks = this.#deps.columnMarks.forExposure(exposure);
    const marked = exposure.fields.map((field, at) => ({ ...field, mark: marks[at] ?? '' }));
    return columns === definitionMark(marked) || columns === definitionMark(exposure.fields);
  }

  /**
   * Returns the range in our change numbers, its end (`until`) if requested, and the present epoch. Throws
   * `feed.definition`, `feed.went-back`, `feed.epoch`, and `changes.until` for an empty range.
   */
  async #requestedRange(
    node: Node,
    { exposure, rows }: ExposedList,
    { epoch, state, columns, ...range }: ChangesRequest,
  ): Promise<{ epoch: string; after: number; until: number | undefined }> {
    if (columns !== undefined && !this.#hasPresentColumns(exposure, columns)) throw otherDefinition();
    const { decrypt } = this.#deps.places.forExposure(exposure.moduleID);
    const after = decrypt(range.after);
    const until = range.until === undefined ? undefined : decrypt(range.until);
    const lastSeq = await rows.lastSeq();
    const current = await this.#epochs.get(exposure, node, lastSeq);
    if (state !== undefined && !(await this.#epochs.isKnown(exposure, rows, state, after)))
      throw new Refusal(
        'conflict',
        'feed.went-back',
        'This list went back to an earlier state. Read it from the beginning, and see what is missing here.',
      );
    if (
      (epoch !== undefined && epoch !== current) ||
      Math.max(after, until ?? 0) > lastSeq ||
      (after > 0 && epoch === undefined)
    )
      throw new Refusal(
        'conflict',
        'feed.epoch',
        'What is shared was rearranged. Read it from the beginning.',
      );
    if (until !== undefined && until <= after)
      throw new Refusal('malformed', 'changes.until', 'The parameter until names a place behind after.');
    return { epoch: current, after, until };
  }
}

/**
 * Returns whether an answer mixes our text with another office's or with titles, or is chosen by a condition.
 * CRIME/BREACH guard: the compressed length would let a sender test guesses (SECURITY.md: An attacker on the network
 * path).
 */
function mixesForeignText(
  { exposure, outgoing }: ExposedList,
  { ofOthers }: Pick<ChangesPage, 'ofOthers'>,
): boolean {
  return exposure.condition !== undefined || outgoing.namesRows || ofOthers;
}
