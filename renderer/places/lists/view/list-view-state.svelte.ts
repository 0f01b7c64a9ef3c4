import type { Fixed } from '../../../../server/contract/app/calls.ts';
import type { ListColumn } from '../../../../server/contract/app/lists.ts';
import type { ListView } from '../../../../server/contract/app/views.ts';
import { to } from '../../../state/route.ts';
import { columnOf, type Filter, type Sort } from '../grid/query.ts';
import { shownColumns, type ColumnLayout } from './column-layout.ts';
import { SavedView, type SavedViewDeps } from './saved-view.svelte.ts';

interface Choice {
  readonly filters: readonly Filter[];
  readonly search: string;
  readonly sort: Sort | undefined;
}

const NONE: Choice = { filters: [], search: '', sort: undefined };
/** Gathers the many steps of dragging a column's edge. */
const REST_MS = 300;

const choiceOf = ({ filters, search, sort }: Fixed<ListView>): Choice => ({ filters, search, sort });

interface LookDeps extends SavedViewDeps {
  readonly columns: () => readonly ListColumn[];
  readonly words: string;
}

/** The chosen view, if any, with unsaved changes and columns. */
export class ListViewState {
  readonly #deps: LookDeps;
  readonly #kept: SavedView;
  #draft = $state.raw<Choice>();
  #arranging = $state.raw<ColumnLayout>();
  #due: ReturnType<typeof setTimeout> | undefined;
  readonly #saved = $derived.by(() => (this.#kept.view ? choiceOf(this.#kept.view) : NONE));
  readonly #choice = $derived(this.#draft ?? this.#saved);
  /** Filters, search or sort differ from the view's, or from none. */
  readonly isChanged = $derived(JSON.stringify(this.#choice) !== JSON.stringify(this.#saved));
  readonly #arrangement = $derived.by(() => this.#arranging ?? this.#kept.columns);
  /** Whose column is gone or changed, with its name. */
  readonly lost = $derived.by(() =>
    this.#choice.filters
      .filter((filter) => !columnOf(this.#deps.columns(), filter))
      .map((filter) => ({ filter, column: this.#labelOf(filter.fieldID) })),
  );
  readonly lostSort = $derived.by(() => {
    const { sort } = this.#choice;
    const isGone = sort && !this.#deps.columns().some(({ fieldID }) => fieldID === sort.fieldID);
    return isGone ? this.#labelOf(sort.fieldID) : undefined;
  });

  constructor(deps: LookDeps) {
    this.#deps = deps;
    this.#kept = new SavedView(deps);
    if (deps.words) this.#draft = { ...NONE, search: deps.words };
  }

  /** The filters in effect: unsaved ones, else the chosen view's, else none. */
  get filters(): readonly Filter[] {
    return this.#choice.filters;
  }

  /** Makes an unsaved change, which keeps search and sort. */
  set filters(filters) {
    this.#draft = { ...this.#choice, filters };
  }

  /** The search in effect: an unsaved one, else the chosen view's, else empty. */
  get search(): string {
    return this.#choice.search;
  }

  /** Makes an unsaved change, which keeps filters and sort. */
  set search(search) {
    this.#draft = { ...this.#choice, search };
  }

  /** The sort in effect: an unsaved one, else the chosen view's, else undefined. */
  get sort(): Sort | undefined {
    return this.#choice.sort;
  }

  /** Makes an unsaved change, which keeps filters and search. */
  set sort(sort) {
    this.#draft = { ...this.#choice, sort };
  }

  /** Undefined for all rows. */
  get view(): Fixed<ListView> | undefined {
    return this.#kept.view;
  }

  /** The address names a view that is gone. */
  get isMissing(): boolean {
    return this.#kept.isMissing;
  }

  /** The list's visible columns from left to right; all if the layout hides each. */
  get shown(): readonly ListColumn[] {
    return shownColumns(this.#deps.columns(), this.#arrangement);
  }

  /** Setting it saves 300 ms later: in the view or, without one, in the list. */
  get arrangement(): ColumnLayout {
    return this.#arrangement;
  }

  /** Changes the layout at once; the getter says when it is saved. */
  set arrangement(now) {
    this.#arranging = now;
    clearTimeout(this.#due);
    this.#due = setTimeout(() => void this.#saveColumns(), REST_MS);
  }

  /** Saves filters, search and sort in the chosen view, if any; reports success or failure. */
  async saveView(): Promise<void> {
    const view = this.#kept.view;
    if (!view || !(await this.#kept.changeView(this.#choice))) return;
    this.#draft = undefined;
    this.#notifySaved(view.name);
  }

  /**
   * Saves choice and layout as another view, without filters and sort by gone columns, and opens it. Returns false
   * after a failure, which is reported.
   */
  async saveViewAs(name: string): Promise<boolean> {
    const { filters, search, sort } = this.#choice;
    const made = await this.#kept.addView({
      ...{ name, search, columns: this.#arrangement },
      filters: filters.filter((filter) => columnOf(this.#deps.columns(), filter)),
      ...(sort && this.lostSort === undefined ? { sort } : {}),
    });
    if (!made) return false;
    this.#notifySaved(made.name);
    this.#draft = undefined;
    this.#deps.app.go(to.view(this.#deps.moduleID, made.viewID));
    return true;
  }

  /** Renames the chosen view. Returns false without one, or after a failure, which is reported. */
  renameView(name: string): Promise<boolean> {
    return this.#kept.changeView({ name });
  }

  /** Deletes the chosen view, opens the list without it, and offers an undo. Reports a failure. */
  removeView(): Promise<void> {
    return this.#kept.removeView();
  }

  /** Returns to the view's saved filters, search and sort. */
  discardChanges(): void {
    this.#draft = undefined;
  }

  /** Saves a changed layout at once, in the background. */
  stop(): void {
    void this.#saveColumns();
  }

  /** Saves a changed layout at once; if that fails, the saved one applies again. */
  async #saveColumns(): Promise<void> {
    clearTimeout(this.#due);
    this.#due = undefined;
    const mine = this.#arranging;
    if (!mine) return;
    await this.#kept.saveLayout(mine);
    if (this.#arranging === mine) this.#arranging = undefined;
  }

  /** Returns a column's label, a gone one's by the view; empty if unknown. */
  #labelOf(fieldID: string): string {
    const column = this.#deps.columns().find((each) => each.fieldID === fieldID);
    return column?.label ?? this.#kept.view?.labels[fieldID] ?? '';
  }

  /** Says that the view was saved. */
  #notifySaved(view: string): void {
    const { app } = this.#deps;
    app.notices.say(app.t('views.saved', { view }));
  }
}
