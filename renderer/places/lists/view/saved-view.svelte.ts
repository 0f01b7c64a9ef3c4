import type { Fixed } from '../../../../server/contract/app/calls.ts';
import type { ListView, ListViews, ViewRequest } from '../../../../server/contract/app/views.ts';
import type { ListsApi } from '../../../api/lists.ts';
import type { App } from '../../../state/app.svelte.ts';
import type { Resource } from '../../../state/resource.svelte.ts';
import { to } from '../../../state/route.ts';
import { LIST_LAYOUT, type ColumnLayout } from './column-layout.ts';

export interface SavedViewDeps {
  readonly app: App;
  readonly lists: ListsApi;
  readonly moduleID: string;
  readonly viewID: string | undefined;
  readonly views: Pick<Resource<Fixed<ListViews>>, 'data' | 'set'>;
}

/** The node's version of the chosen view. Changes apply to all windows; failures are reported. */
export class SavedView {
  readonly #deps: SavedViewDeps;
  readonly #view = $derived.by(() =>
    this.#deps.views.data?.views.find(({ viewID }) => viewID === this.#deps.viewID),
  );

  constructor(deps: SavedViewDeps) {
    this.#deps = deps;
  }

  get view(): Fixed<ListView> | undefined {
    return this.#view;
  }

  /** The address names a view that the loaded views lack; false while they load. */
  get isMissing(): boolean {
    const { viewID, views } = this.#deps;
    return viewID !== undefined && views.data !== undefined && !this.#view;
  }

  /** The view's layout, else the list's; all columns in the list's order before they are loaded. */
  get columns(): ColumnLayout {
    return this.#view?.columns ?? this.#deps.views.data?.columns ?? LIST_LAYOUT;
  }

  /** Saves the chosen view with these changes. Returns false without a view, or after a failure, which is reported. */
  async changeView(more: Partial<Fixed<ViewRequest>>): Promise<boolean> {
    const before = this.#view;
    if (!before) return false;
    const { app, lists, moduleID } = this.#deps;
    const { name, filters, search, sort, columns } = { ...before, ...more };
    const body = { name, filters, search, ...(sort ? { sort } : {}), columns };
    const now = await app.attempt(() => lists.changeView(moduleID, before.viewID, body));
    if (now) this.#putView(now);
    return now !== undefined;
  }

  /** Saves the layout in the view or, without one, in the list. Reports a failure. */
  async saveLayout(columns: ColumnLayout): Promise<void> {
    if (this.#view) {
      await this.changeView({ columns });
      return;
    }
    const { app, lists, moduleID, views } = this.#deps;
    const now = await app.attempt(() => lists.arrange(moduleID, columns));
    if (now) views.set(now);
  }

  /** Creates a view, without choosing it; undefined after a failure, which is reported. */
  async addView(request: Fixed<ViewRequest>): Promise<Fixed<ListView> | undefined> {
    const { app, lists, moduleID } = this.#deps;
    const made = await app.attempt(() => lists.addView(moduleID, request));
    if (made) this.#putView(made);
    return made;
  }

  /** Deletes the chosen view, opens the list without it, and offers an undo. Reports a failure. */
  async removeView(): Promise<void> {
    const { app, lists, moduleID } = this.#deps;
    const old = this.#view;
    if (!old) return;
    const done = await app.attempt(async () => {
      await lists.removeView(moduleID, old.viewID);
      return true;
    });
    if (!done) return;
    const back = { label: app.t('action.undo'), run: () => void this.#restoreView(old) };
    app.notices.say(app.t('views.deleted', { view: old.name }), back);
    app.go(to.list(moduleID));
  }

  /** Restores a view and opens it. Reports a failure. */
  async #restoreView(old: Fixed<ListView>): Promise<void> {
    const { app, lists, moduleID } = this.#deps;
    const now = await app.attempt(() => lists.restoreView(moduleID, old.viewID));
    if (!now) return;
    this.#putView(now);
    app.go(to.view(moduleID, now.viewID));
  }

  /** Adds or replaces a view among the known ones, which are sorted by name; it is no longer a deleted one. */
  #putView(now: Fixed<ListView>): void {
    const { views } = this.#deps;
    const known = views.data ?? { views: [], columns: this.columns, deleted: [] };
    const isOther = ({ viewID }: { readonly viewID: string }): boolean => viewID !== now.viewID;
    const next = [...known.views.filter(isOther), now];
    next.sort((one, other) => one.name.localeCompare(other.name));
    views.set({ ...known, views: next, deleted: known.deleted.filter(isOther) });
  }
}
