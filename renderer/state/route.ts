export type PartnerTab = 'lists' | 'activity' | 'connection';

export type Route =
  | { readonly place: 'home' }
  | { readonly place: 'partners' }
  | {
      readonly place: 'add-partner';
      readonly invite: string;
      /** The user has an invite. */ readonly paste: boolean;
    }
  | {
      readonly place: 'partner';
      readonly nodeID: string;
      readonly view: PartnerView;
    }
  | { readonly place: 'lists' }
  | { readonly place: 'import'; readonly moduleID?: string }
  | {
      readonly place: 'list';
      readonly moduleID: string;
      readonly bin: boolean;
      readonly search?: string;
      readonly view?: string;
      /** Only duplicates that this offered list brought, with counterparts. */
      readonly twice?: string;
      readonly row?: string;
      readonly files?: true;
      /** Shows what only the list's damaged files contain. */
      readonly salvage?: true;
    }
  | { readonly place: 'settings'; /** Scrolled to. */ readonly section?: 'network' }
  | { readonly place: 'welcome' }
  | { readonly place: 'unknown' };

export type PartnerView =
  | { readonly tab: 'lists'; /** Scrolled to. */ readonly way?: 'receive' }
  | { readonly tab: 'activity' | 'connection' }
  /** Our list whose columns are chosen; `new`: none yet. */
  | {
      readonly share: string;
      /** Preselects restored columns. */ readonly again?: true;
    }
  | { readonly step: 'words' }
  | { readonly match: string };

const ID = /^(0|[1-9][0-9]{0,19})$/;
/** The node refuses longer ones too. */
const LONGEST_INVITE = 8192;
const LONGEST_SEARCH = 200;

/** Returns the route of an address (after `#`), `unknown` for what is none; changes nothing. */
export function parseRoute(hash: string): Route {
  const [path = '', search = ''] = hash.replace(/^#\/?/, '').split(/\?(.*)/s);
  const query = new URLSearchParams(search);
  const [place = '', id = '', view = 'lists', item = '', ...more] = path
    .split('/')
    .filter((part) => part !== '');
  if (more.length > 0) return { place: 'unknown' };
  const only = id === '';
  switch (place) {
    case '':
      return { place: 'home' };
    case 'settings':
      if (path === 'settings/network') return { place, section: 'network' };
      return only ? { place } : { place: 'unknown' };
    case 'welcome':
      return only ? { place } : { place: 'unknown' };
    case 'partners':
      if (only) return { place: 'partners' };
      if (id === 'add') return { place: 'add-partner', invite: inviteFrom(query), paste: query.has('paste') };
      return partnerRoute(id, view, item, query.has('again'));
    case 'lists':
      if (only) return { place: 'lists' };
      if (id === 'import') {
        const into = query.get('into') ?? '';
        return ID.test(into) ? { place: 'import', moduleID: into } : { place: 'import' };
      }
      if (!ID.test(id)) return { place: 'unknown' };
      return {
        place: 'list',
        moduleID: id,
        bin: query.has('bin'),
        ...(query.get('search') ? { search: (query.get('search') ?? '').slice(0, LONGEST_SEARCH) } : {}),
        ...(ID.test(query.get('view') ?? '') ? { view: query.get('view') ?? '' } : {}),
        ...(ID.test(query.get('twice') ?? '') ? { twice: query.get('twice') ?? '' } : {}),
        ...(ID.test(query.get('row') ?? '') ? { row: query.get('row') ?? '' } : {}),
        ...(query.has('files') ? { files: true } : {}),
        ...(query.has('salvage') ? { salvage: true } : {}),
      };
    default:
      return { place: 'unknown' };
  }
}

/** Returns the invite of an address; empty if absent or too long. */
function inviteFrom(query: URLSearchParams): string {
  const invite = query.get('invite') ?? '';
  return invite.length > LONGEST_INVITE ? '' : invite;
}

/** Returns a partner's route; `unknown` for an invalid id or part. */
function partnerRoute(nodeID: string, name: string, item: string, again: boolean): Route {
  const view = ID.test(nodeID) ? (item === '' ? tabAt(name) : taskAt(name, item, again)) : undefined;
  return view ? { place: 'partner', nodeID, view } : { place: 'unknown' };
}

/**
 * Returns the view of a name that needs no further id; otherwise undefined. `share` and `receive` are old names of
 * tabs.
 */
function tabAt(name: string): PartnerView | undefined {
  if (name === 'lists' || name === 'share') return { tab: 'lists' };
  if (name === 'receive') return { tab: 'lists', way: 'receive' };
  if (name === 'words') return { step: name };
  return name === 'activity' || name === 'connection' ? { tab: name } : undefined;
}

/** Returns the task to share (`new`: a list still to choose) or match this list; otherwise undefined. */
function taskAt(name: string, item: string, again: boolean): PartnerView | undefined {
  if (name === 'share' && (item === 'new' || ID.test(item)))
    return { share: item, ...(again ? { again } : {}) };
  return name === 'receive' && ID.test(item) ? { match: item } : undefined;
}

/** For the window's own links. */
export const to = {
  home: '#/',
  partners: '#/partners',
  addPartner: '#/partners/add',
  pasteInvite: '#/partners/add?paste',
  partner: (nodeID: string, tab: PartnerTab = 'lists'): string => `#/partners/${nodeID}/${tab}`,
  received: (nodeID: string): string => `#/partners/${nodeID}/receive`,
  words: (nodeID: string): string => `#/partners/${nodeID}/words`,
  share: (nodeID: string, moduleID: string): string => `#/partners/${nodeID}/share/${moduleID}`,
  /** Preselects restored columns. */
  shareAgain: (nodeID: string, moduleID: string): string => `#/partners/${nodeID}/share/${moduleID}?again`,
  match: (nodeID: string, sharedModuleID: string): string => `#/partners/${nodeID}/receive/${sharedModuleID}`,
  lists: '#/lists',
  list: (moduleID: string, bin = false): string => `#/lists/${moduleID}${bin ? '?bin' : ''}`,
  row: (moduleID: string, recordID: string, bin = false): string =>
    `#/lists/${moduleID}?row=${recordID}${bin ? '&bin' : ''}`,
  view: (moduleID: string, viewID: string): string => `#/lists/${moduleID}?view=${viewID}`,
  twice: (moduleID: string, sharedModuleID: string): string => `#/lists/${moduleID}?twice=${sharedModuleID}`,
  listSearch: (moduleID: string, words: string): string =>
    `#/lists/${moduleID}?search=${encodeURIComponent(words)}`,
  /** Opens the list's followed file and copy. */
  listFiles: (moduleID: string): string => `#/lists/${moduleID}?files`,
  salvage: (moduleID: string): string => `#/lists/${moduleID}?salvage`,
  importFile: (moduleID?: string): string => `#/lists/import${moduleID ? `?into=${moduleID}` : ''}`,
  settings: '#/settings',
  networkSettings: '#/settings/network',
  welcome: '#/welcome',
};
