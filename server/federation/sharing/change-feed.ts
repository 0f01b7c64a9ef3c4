import type { Row, RowOrigin, RowSource } from '../../lists/definitions/model.ts';
import { omit } from '../../base/omit.ts';
import { Refusal } from '../../base/refusal.ts';
import type { Entry, Partition } from '../../store/store.ts';
import type { ExposedList, ReadExposed } from './exposed-list.ts';
import type { ColumnMarks } from './column-marks.ts';
import { definitionMark } from './definition-mark.ts';
import { createFeedEpochs, type FeedEpochs } from './feed-epochs.ts';
import type { FeedCursors } from './feed-cursors.ts';
import type { FeedRow } from './outgoing.ts';
import { takenBack } from './ledger.ts';
import { disclosureOf, type ServeWithLedger } from './serve-with-ledger.ts';
import { createGroupPage, createPage, PAGE_BYTES, renderPage, type ChangesPage } from './page-bytes.ts';
import type { Node } from '../model.ts';
import type { ReferenceTitles } from './reference-titles.ts';
import type { RowTexts } from './row-texts.ts';
import type { RowOrigins } from './row-origins.ts';
import type { VisibleChanges } from './visible-changes.ts';
import { mixesForeignText } from './compression-safety.ts';
import { isRevoked, isSharedWith, forwardedSource } from './visibility.ts';

/**
 * A row as it goes to another Footbridge: with what it is known by, and the installations that it passed through, ours
 * last. One that passed through the partner itself is taken back, and has no values.
 */
export interface ChangedRow extends FeedRow {
  readonly via: readonly string[];
  readonly origin: RowOrigin;
}

/** Places in the feed are as {@link FeedCursors} names them. */
export interface ChangesRequest {
  /** Where the partner has come to; 0 at the beginning. */
  readonly after: number;
  /** The last place that is wanted; absent: as far as `limit` goes. */
  readonly until?: number | undefined;
  /** As of the answer before. */
  readonly epoch?: string | undefined;
  /** The state of the list (`FeedEpochs.state`) as of the answer before; absent: it does not say. */
  readonly state?: string | undefined;
  /** The columns as the partner knows them (`definitionMark`); absent: it does not say. */
  readonly columns?: string | undefined;
  readonly limit: number;
  /** How many of the pages behind this one are to be named. */
  readonly marks: number;
  /** A page may be one row group (server/base/row-group.ts). */
  readonly groups?: boolean;
  readonly address: string;
}

export interface Changes {
  readonly epoch: string;
  readonly state: string;
  readonly next: number;
  readonly more: boolean;
  /** Rows are about to change that were told as they were: the last page is not the last word. */
  readonly unsettled?: true;
  /** Where the pages behind this one end, as many as were asked for and are full; absent: none was asked for. */
  readonly marks?: readonly number[];
  readonly total: number;
  /** The rows are one row group. */
  readonly grouped?: true;
  /** As JSON, joined by commas. */
  readonly rows: Buffer;
  /** See {@link mixesForeignText}; for us. */
  readonly ofSeveralHands: boolean;
  /** The change number that this began behind: for us, and for nobody else. */
  readonly behind: number;
}

export interface RowsRequest {
  readonly recordIDs: readonly string[];
  /** Who asks asks again for those that do not fit. */
  readonly inParts: boolean;
  readonly address: string;
}

export interface NamedRows extends Pick<Changes, 'rows' | 'ofSeveralHands'> {
  /** How many of the named rows these deal with, from the first one on. */
  readonly taken: number;
}

/** Bytes of named rows for who does not know of parts: as many as such a partner takes in one answer, about. */
const MAX_AT_ONCE = 56 * 1024 * 1024;

/** Rows of a page as JSON for callers that know of groups; fewer than these make no group where more are wanted. */
const ROWS_AS_JSON = 500;

/** Returns the rows before the first deleted one. */
function plainFirst(wanted: readonly Entry<Row>[]): readonly Entry<Row>[] {
  const end = wanted.findIndex(({ value }) => value.deletedAt !== undefined);
  return end < 0 ? wanted : wanted.slice(0, end);
}

/**
 * Returns how many rows each of the following pages is likely to hold. Those behind a group that was full are a little
 * smaller: a page that ends before the next one begins makes the caller ask for the rest again.
 */
const rowsAhead = (limit: number, wanted: number, taken: number, grouped = false): number =>
  !grouped ? Math.min(limit, ROWS_AS_JSON) : taken < wanted ? Math.ceil(0.9 * taken) : limit;

/** For who reads rows by another definition than the list has now. */
export const otherDefinition = (): Refusal =>
  new Refusal('conflict', 'feed.definition', 'The columns of this list changed. Read its definition first.');

export interface ChangeFeedDeps {
  readonly system: Partition;
  readonly columnMarks: ColumnMarks;
  readonly readExposed: ReadExposed;
  readonly texts: RowTexts;
  readonly toldChanges: VisibleChanges;
  readonly installation: string;
  readonly origins: RowOrigins;
  readonly retitling: Pick<ReferenceTitles, 'waiting'>;
  readonly places: FeedCursors;
  readonly noted: ServeWithLedger;
}

/**
 * What only Footbridges ask of an origin (docs/interface.md: Between Footbridges). All throw Refusal `not-found` and
 * `gone` as the feed.
 */
export class ChangeFeed {
  readonly #deps: ChangeFeedDeps;
  readonly #epochs: FeedEpochs;

  constructor(deps: ChangeFeedDeps) {
    this.#deps = deps;
    this.#epochs = createFeedEpochs(deps.system);
  }

  /** The change number up to which a partner that has read so far has what is here; 0 where that says nothing. */
  readUpTo(
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
   * Rows in the order of their last change, each written as `write` does, which must be the same every time. One
   * that changes once more meanwhile may go out as it is then; it comes again behind its new number.
   * @throws Refusal `conflict`, code `feed.epoch`: start over from 0; code `feed.definition`: the columns are others; code
   * `feed.went-back`: start over from 0, as rows that were read are not here any more
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
      const { epoch, after, until } = await this.#standing(node, list, request);
      // Before rows are read: what is not said to wait now has its numbers by then.
      const isUnsettled = (await this.#deps.retitling.waiting(exposure)) > 0;
      const { encrypt } = this.#deps.places.forExposure(exposure.moduleID);
      const told = await this.#deps.toldChanges.since(rows, exposure, node, after);
      // One more than are named, to know whether anything follows.
      const found = await told.first(limit * (1 + marks) + 1);
      const within = until === undefined ? found : found.filter(({ seq }) => seq <= until);
      const { page, grouped } = await this.#page(node, list, within.slice(0, limit), request, write);
      const { bytes, recordIDs, taken } = page;
      // Where nothing is left before `until`, what is asked for from there on follows without a gap.
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
        total: recordIDs.length + (more ? Math.max(told.count - taken, 0) : 0),
        ...(grouped ? { grouped } : {}),
        rows: bytes,
        behind: after,
        ofSeveralHands: mixesForeignText(list, page),
      };
      const disclosure = await disclosureOf(node, list, { recordIDs, address, ...takenBack(page.gone) });
      return { answer, disclosure };
    });
  }

  /**
   * Named rows as they are now, each written as `write` does; unknown ones and those that may not travel are left out.
   * @throws Refusal `too-large` where they are more than may leave at once, and who asks does not know of parts
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
        async (rows) => (await this.#travelling(node, list, rows)).map((row) => row && write(row)),
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
      const disclosure = await disclosureOf(node, list, { recordIDs, address, ...takenBack(page.gone) });
      return { answer, disclosure };
    });
  }

  /**
   * Returns a page of the first of these rows: as a row group if the caller knows of groups and enough of them are plain.
   * Only what leaves decides that: by how large rows are here, the form of a page would tell of columns that do not.
   */
  async #page(
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
    /** By the first row of a stretch: what turns out to be too large for a group is not rendered twice. */
    const rendered = new Map<string | undefined, Promise<(ChangedRow | undefined)[]>>();
    const render = (found: readonly Row[]): Promise<(ChangedRow | undefined)[]> => {
      const known = rendered.get(found[0]?.recordID) ?? this.#travelling(node, list, found);
      rendered.set(found[0]?.recordID, known);
      return known;
    };
    const { texts } = this.#deps;
    const plain = groups ? plainFirst(wanted) : [];
    const isEnough = (count: number): boolean => count === wanted.length || count >= ROWS_AS_JSON;
    if (plain.length > 0 && isEnough(plain.length)) {
      const into = createGroupPage(fields.map(({ name }) => name));
      const page = await texts.page(rows, plain, { key: keyOf('group'), render, page: into });
      if (isEnough(page.taken) && page.recordIDs.length > 0) return { page, grouped: true };
    }
    const written = async (found: readonly Row[]): Promise<(object | undefined)[]> =>
      (await render(found)).map((row) => row && write(row));
    const asJSON = groups ? wanted.slice(0, ROWS_AS_JSON) : wanted;
    return { page: await texts.page(rows, asJSON, { key: keyOf('changes'), render: written }) };
  }

  /** Rows as they go to this partner; undefined for those that may not. */
  async #travelling(
    node: Node,
    { exposure, outgoing }: ExposedList,
    rows: readonly Row[],
  ): Promise<(ChangedRow | undefined)[]> {
    const seen = await outgoing.rows(rows);
    return rows.map((row, at) => {
      const shown = seen[at];
      if (!shown) return undefined;
      if (isSharedWith(row, exposure, node)) return this.#asCame(shown, row, forwardedSource(row, node));
      if (!isRevoked(row, node)) return undefined;
      const takenBack = { ...omit(shown, 'deletedAt'), values: [] };
      return this.#asCame(takenBack, row, (row.disclosed ?? row).received);
    });
  }

  /** @param way undefined for a row of ours */
  #asCame(shown: FeedRow, row: Row, way: RowSource | undefined): ChangedRow {
    const via = [...(way?.via ?? []), this.#deps.installation];
    return { ...shown, via, origin: this.#deps.origins.get(row, way) };
  }

  /** Partners that have no marks, such as older Footbridges, know columns by their names alone. */
  #isAsKnown(exposure: ExposedList['exposure'], columns: string): boolean {
    const marks = this.#deps.columnMarks.forExposure(exposure);
    const marked = exposure.fields.map((field, at) => ({ ...field, mark: marks[at] ?? '' }));
    return columns === definitionMark(marked) || columns === definitionMark(exposure.fields);
  }

  /** Where a partner stands, by our own numbers. @throws Refusal as {@link ChangeFeed.changes} */
  async #standing(
    node: Node,
    { exposure, rows }: ExposedList,
    { epoch, state, columns, ...range }: ChangesRequest,
  ): Promise<{ epoch: string; after: number; until: number | undefined }> {
    if (columns !== undefined && !this.#isAsKnown(exposure, columns)) throw otherDefinition();
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
