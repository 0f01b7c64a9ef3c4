/** Where the window is. Every place has an address behind `#`, so that Back, reload and links work. */
export type PartnerTab = 'share' | 'receive' | 'activity' | 'connection';

export type Route =
  | { readonly place: 'home' }
  | { readonly place: 'partners' }
  | { readonly place: 'add-partner'; readonly invite: string }
  | {
      readonly place: 'partner';
      readonly nodeID: string;
      readonly tab: PartnerTab;
      /** Our list (We share) or the offered list (We receive) that is being worked on; `new` for none yet. */
      readonly item?: string;
    }
  | { readonly place: 'lists' }
  | { readonly place: 'import'; readonly moduleID?: string }
  | { readonly place: 'list'; readonly moduleID: string; readonly bin: boolean }
  | { readonly place: 'settings' }
  | { readonly place: 'welcome' }
  | { readonly place: 'unknown' };

const TABS: readonly PartnerTab[] = ['share', 'receive', 'activity', 'connection'];
const ID = /^(0|[1-9][0-9]{0,19})$/;
/** An invite that is longer than this is nobody's (the node refuses it as well). */
const LONGEST_INVITE = 8192;

/** Reads an address. Whatever is not one of ours is `unknown`; an address only shows, it never does anything. */
export function parseRoute(hash: string): Route {
  const [path = '', search = ''] = hash.replace(/^#\/?/, '').split(/\?(.*)/s);
  const query = new URLSearchParams(search);
  const [place = '', id = '', tab = 'share', item = '', ...more] = path
    .split('/')
    .filter((part) => part !== '');
  if (more.length > 0) return { place: 'unknown' };
  const only = id === '';
  switch (place) {
    case '':
      return { place: 'home' };
    case 'settings':
    case 'welcome':
      return only ? { place } : { place: 'unknown' };
    case 'partners':
      if (only) return { place: 'partners' };
      if (id === 'add') return { place: 'add-partner', invite: inviteFrom(query) };
      return partnerRoute(id, tab, item);
    case 'lists':
      if (only) return { place: 'lists' };
      if (id === 'import') {
        const into = query.get('into') ?? '';
        return ID.test(into) ? { place: 'import', moduleID: into } : { place: 'import' };
      }
      return ID.test(id) ? { place: 'list', moduleID: id, bin: query.has('bin') } : { place: 'unknown' };
    default:
      return { place: 'unknown' };
  }
}

function inviteFrom(query: URLSearchParams): string {
  const invite = query.get('invite') ?? '';
  return invite.length > LONGEST_INVITE ? '' : invite;
}

function partnerRoute(nodeID: string, tabName: string, item: string): Route {
  const tab = TABS.find((known) => known === tabName);
  if (!ID.test(nodeID) || !tab) return { place: 'unknown' };
  if (item === '') return { place: 'partner', nodeID, tab };
  return item === 'new' || ID.test(item) ? { place: 'partner', nodeID, tab, item } : { place: 'unknown' };
}

/** The addresses that the window's own links use. */
export const to = {
  home: '#/',
  partners: '#/partners',
  addPartner: '#/partners/add',
  partner: (nodeID: string, tab: PartnerTab = 'share', item?: string): string =>
    `#/partners/${nodeID}/${tab}${item === undefined ? '' : `/${item}`}`,
  lists: '#/lists',
  list: (moduleID: string, bin = false): string => `#/lists/${moduleID}${bin ? '?bin' : ''}`,
  importFile: (moduleID?: string): string => `#/lists/import${moduleID ? `?into=${moduleID}` : ''}`,
  settings: '#/settings',
  welcome: '#/welcome',
};
