import type { ListColumn } from '../../../../server/contract/app/lists.ts';
import type { Fixed } from '../../../../server/contract/app/calls.ts';
import type { ListView, ListViews, ViewRequest } from '../../../../server/contract/app/views.ts';
import type { ListsApi } from '../../../api/lists.ts';
import type { App } from '../../../state/app.svelte.ts';
import type { Resource } from '../../../state/resource.svelte.ts';
import { to } from '../../../state/route.ts';
import { columnOf, type Filter, type Sort } from '../grid/query.ts';
import { AS_THE_LIST, shownOf, type Arrangement } from './arranged.ts';

/** Which rows are looked at, and in which order. */
interface Choice {
  readonly filters: readonly Filter[];
  readonly search: string;
  readonly sort: Sort | undefined;
}

/** How a list is looked at here: by a view or none, with what was chosen since, and its columns. */
export interface Look extends Choice {
  filters: readonly Filter[];
  search: string;
  sort: Sort | undefined;
  /** The view that is chosen; undefined for all rows. */
  readonly view: Fixed<ListView> | undefined;
  /** The address has a view that is there no more. */
  readonly isMissing: boolean;
  /** Others are chosen than the view says, or than all. */
  readonly isChanged: boolean;
  /** Filters that nothing can be held against any more, with what their columns were called. */
  readonly lost: readonly { readonly filter: Filter; readonly column: string }[];
  /** What the column was called by which rows were sorted, if it is gone. */
  readonly lostSort: string | undefined;
  /** Columns from left to right. */
  readonly shown: readonly ListColumn[];
  /** How they stand: changed at once for all windows, in the view or, without one, in the list. */
  arrangement: Arrangement;
  /** Keeps what is chosen now in the view. */
  save(): Promise<void>;
  /** Keeps it as a view of its own, and goes there. Resolves to whether it could be kept. */
  saveAs(name: string): Promise<boolean>;
  rename(name: string): Promise<boolean>;
  /** With a way back. */
  remove(): Promise<void>;
  /** Back to what the view says. */
  revert(): void;
  stop(): void;
}

const NONE: Choice = { filters: [], search: '', sort: undefined };
/** A column is widened in many small steps. */
const REST_MS = 300;

const choiceOf = ({ filters, search, sort }: Fixed<ListView>): Choice => ({ filters, search, sort });

export function createLook(deps: {
  readonly app: App;
  readonly lists: ListsApi;
  readonly moduleID: string;
  readonly viewID: string | undefined;
  readonly columns: () => readonly ListColumn[];
  readonly views: Pick<Resource<Fixed<ListViews>>, 'data' | 'set'>;
  /** To look for at first. */
  readonly words: string;
}): Look {
  const { app, lists, moduleID, viewID, columns, views } = deps;
  let draft = $state.raw<Choice | undefined>(deps.words ? { ...NONE, search: deps.words } : undefined);
  /** Until the node has it. */
  let arranging = $state.raw<Arrangement>();
  let due: ReturnType<typeof setTimeout> | undefined;

  const view = $derived(views.data?.views.find((candidate) => candidate.viewID === viewID));
  const saved = $derived(view ? choiceOf(view) : NONE);
  const choice = $derived(draft ?? saved);
  const isChanged = $derived(JSON.stringify(choice) !== JSON.stringify(saved));
  const arrangement = $derived(arranging ?? view?.columns ?? views.data?.columns ?? AS_THE_LIST);
  const labelOf = (fieldID: string): string =>
    columns().find((column) => column.fieldID === fieldID)?.label ?? view?.labels[fieldID] ?? '';
  const lost = $derived(
    choice.filters
      .filter((filter) => !columnOf(columns(), filter))
      .map((filter) => ({ filter, column: labelOf(filter.fieldID) })),
  );
  const lostSort = $derived.by(() => {
    const { sort } = choice;
    const isGone = sort && !columns().some(({ fieldID }) => fieldID === sort.fieldID);
    return isGone ? labelOf(sort.fieldID) : undefined;
  });

  /** What is known of all views, with this one as it is by now. */
  function know(now: Fixed<ListView>): void {
    const { views: all, columns: ofList } = views.data ?? { views: [], columns: arrangement };
    const others = all.filter((other) => other.viewID !== now.viewID);
    const next = [...others, now].sort((one, other) => one.name.localeCompare(other.name));
    views.set({ columns: ofList, views: next });
  }

  const change = async (before: Fixed<ListView>, more: Partial<Fixed<ViewRequest>>): Promise<boolean> => {
    const { name, filters, search, sort, columns: shown } = { ...before, ...more };
    const body = { name, filters, search, ...(sort ? { sort } : {}), columns: shown };
    const now = await app.attempt(() => lists.changeView(moduleID, before.viewID, body));
    if (now) know(now);
    return now !== undefined;
  };

  async function keepColumns(): Promise<void> {
    clearTimeout(due);
    due = undefined;
    const mine = arranging;
    if (!mine) return;
    if (view) await change(view, { columns: mine });
    else {
      const now = await app.attempt(() => lists.arrange(moduleID, mine));
      if (now) views.set(now);
    }
    // Where it could not be kept, the columns stand as they are kept.
    if (arranging === mine) arranging = undefined;
  }

  const restore = async (old: Fixed<ListView>): Promise<void> => {
    const now = await app.attempt(() => lists.restoreView(moduleID, old.viewID));
    if (!now) return;
    know(now);
    app.go(to.view(moduleID, now.viewID));
  };

  async function remove(): Promise<void> {
    const old = view;
    if (!old) return;
    const done = await app.attempt(async () => {
      await lists.removeView(moduleID, old.viewID);
      return true;
    });
    if (!done) return;
    const back = { label: app.t('action.undo'), run: () => void restore(old) };
    app.notices.say(app.t('views.deleted', { view: old.name }), back);
    app.go(to.list(moduleID));
  }

  async function saveAs(name: string): Promise<boolean> {
    const { filters, search, sort } = choice;
    const body = { name, filters: filters.filter((filter) => columnOf(columns(), filter)), search };
    const sorted = sort && lostSort === undefined ? { sort } : {};
    const made = await app.attempt(() =>
      lists.addView(moduleID, { ...body, ...sorted, columns: arrangement }),
    );
    if (!made) return false;
    know(made);
    app.notices.say(app.t('views.saved', { view: made.name }));
    draft = undefined;
    app.go(to.view(moduleID, made.viewID));
    return true;
  }

  return {
    get filters() {
      return choice.filters;
    },
    set filters(filters) {
      draft = { ...choice, filters };
    },
    get search() {
      return choice.search;
    },
    set search(search) {
      draft = { ...choice, search };
    },
    get sort() {
      return choice.sort;
    },
    set sort(sort) {
      draft = { ...choice, sort };
    },
    get view() {
      return view;
    },
    get isMissing() {
      return viewID !== undefined && views.data !== undefined && !view;
    },
    get isChanged() {
      return isChanged;
    },
    get lost() {
      return lost;
    },
    get lostSort() {
      return lostSort;
    },
    get shown() {
      return shownOf(columns(), arrangement);
    },
    get arrangement() {
      return arrangement;
    },
    set arrangement(now) {
      arranging = now;
      clearTimeout(due);
      due = setTimeout(() => void keepColumns(), REST_MS);
    },
    async save() {
      if (!view || !(await change(view, choice))) return;
      draft = undefined;
      app.notices.say(app.t('views.saved', { view: view.name }));
    },
    saveAs,
    rename: async (name) => view !== undefined && change(view, { name }),
    remove,
    revert: () => (draft = undefined),
    stop: () => void keepColumns(),
  };
}
