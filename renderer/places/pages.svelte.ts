/** A chunk per page. */
const PAGES = {
  home: () => import('./home/home.svelte'),
  lists: () => import('./lists/lists.svelte'),
  list: () => import('./lists/list-page.svelte'),
  import: () => import('./lists/import/import-page.svelte'),
  partners: () => import('./partners/partners.svelte'),
  partner: () => import('./partners/partner-page.svelte'),
  'add-partner': () => import('./partners/pairing/add-partner.svelte'),
  settings: () => import('./settings/settings.svelte'),
  welcome: () => import('./welcome/welcome.svelte'),
};
type Name = keyof typeof PAGES;
type Loaded = { readonly [N in Name]?: Awaited<ReturnType<(typeof PAGES)[N]>>['default'] };

const isName = (place: string): place is Name => Object.hasOwn(PAGES, place);

let loaded = $state.raw<Loaded>({});

export const loadedPages = (): Loaded => loaded;

/** Loads a place's page; nothing for a place without one, or a loaded one. Rejects if it can't be loaded. */
export async function loadPage(place: string): Promise<void> {
  if (!isName(place) || loaded[place]) return;
  const { default: page } = await PAGES[place]();
  loaded = { ...loaded, [place]: page };
}

/** Loads all pages in turn, to work while the node is away or after its update. Ignores failures. */
export async function preloadPages(): Promise<void> {
  for (const name of Object.keys(PAGES)) await loadPage(name).catch(() => undefined);
}
