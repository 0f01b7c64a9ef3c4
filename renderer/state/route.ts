/** Where the window is. Every place has an address behind `#`, so that Back, reload and links work. */
export type PartnerTab = 'lists' | 'activity' | 'connection';

export type Route =
  | { readonly place: 'home' }
  | { readonly place: 'partners' }
  | {
      readonly place: 'add-partner';
      readonly invite: string;
      /** An invite is at hand. */ readonly paste: boolean;
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
      /** Words that its rows are looked for by. */
      readonly search?: string;
      /** Id of the view that is chosen. */
      readonly view?: string;
      /** Id of the offered list that brought rows which were there before: only these, and those. */
      readonly twice?: string;
      /** Id of the row that is brought into sight. */
      readonly row?: string;
      /** The files that belong to it are in front. */
      readonly files?: true;
      /** Shows what only damaged files of the list hold. */
      readonly salvage?: true;
    }
  | { readonly place: 'settings' }
  | { readonly place: 'welcome' }
  | { readonly place: 'unknown' };

/** What is seen of a partner: one of the tabs, or one thing that is being worked on. */
export type PartnerView =
  | { readonly tab: 'lists'; /** What is to be brought into sight. */ readonly way?: 'receive' }
  | { readonly tab: 'activity' | 'connection' }
  /** Our list whose columns are chosen; `new` for none yet. */
  | {
      readonly share: string;
      /** Columns of it that were deleted and came back are chosen at first. */ readonly again?: true;
    }
  /** The verification words, to be compared. */
  | { readonly step: 'words' }
  /** The offered list that is matched. */
  | { readonly match: string };

const ID = /^(0|[1-9][0-9]{0,19})$/;
/** An invite that is longer than this is nobody's (the node refuses it as well). */
const LONGEST_INVITE = 8192;
const LONGEST_SEARCH = 200;

/** Reads an address. Whatever is not one of ours is `unknown`; an address only shows, it never does anything. */
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

function inviteFrom(query: URLSearchParams): string {
  const invite = query.get('invite') ?? '';
  return invite.length > LONGEST_INVITE ? '' : invite;
}

function partnerRoute(nodeID: string, name: string, item: string, again: boolean): Route {
  const view = ID.test(nodeID) ? (item === '' ? tabAt(name) : workAt(name, item, again)) : undefined;
  return view ? { place: 'partner', nodeID, view } : { place: 'unknown' };
}

/** The tabs, also by the names that they had when both ways had one of their own. */
function tabAt(name: string): PartnerView | undefined {
  if (name === 'lists' || name === 'share') return { tab: 'lists' };
  if (name === 'receive') return { tab: 'lists', way: 'receive' };
  if (name === 'words') return { step: name };
  return name === 'activity' || name === 'connection' ? { tab: name } : undefined;
}

function workAt(name: string, item: string, again: boolean): PartnerView | undefined {
  if (name === 'share' && (item === 'new' || ID.test(item)))
    return { share: item, ...(again ? { again } : {}) };
  return name === 'receive' && ID.test(item) ? { match: item } : undefined;
}

/** The addresses that the window's own links use. */
export const to = {
  home: '#/',
  partners: '#/partners',
  addPartner: '#/partners/add',
  /** The same, for whoever has an invite. */
  pasteInvite: '#/partners/add?paste',
  partner: (nodeID: string, tab: PartnerTab = 'lists'): string => `#/partners/${nodeID}/${tab}`,
  /** What comes from them, among their lists. */
  received: (nodeID: string): string => `#/partners/${nodeID}/receive`,
  words: (nodeID: string): string => `#/partners/${nodeID}/words`,
  share: (nodeID: string, moduleID: string): string => `#/partners/${nodeID}/share/${moduleID}`,
  /** The same, with those of its columns chosen that were deleted and came back. */
  shareAgain: (nodeID: string, moduleID: string): string => `#/partners/${nodeID}/share/${moduleID}?again`,
  match: (nodeID: string, sharedModuleID: string): string => `#/partners/${nodeID}/receive/${sharedModuleID}`,
  lists: '#/lists',
  list: (moduleID: string, bin = false): string => `#/lists/${moduleID}${bin ? '?bin' : ''}`,
  /** The list at one row. */
  row: (moduleID: string, recordID: string, bin = false): string =>
    `#/lists/${moduleID}?row=${recordID}${bin ? '&bin' : ''}`,
  /** One of its views. */
  view: (moduleID: string, viewID: string): string => `#/lists/${moduleID}?view=${viewID}`,
  /** Its rows that an offered list brought although they were there before. */
  twice: (moduleID: string, sharedModuleID: string): string => `#/lists/${moduleID}?twice=${sharedModuleID}`,
  listSearch: (moduleID: string, words: string): string =>
    `#/lists/${moduleID}?search=${encodeURIComponent(words)}`,
  /** The files that it is kept as in, and written into. */
  listFiles: (moduleID: string): string => `#/lists/${moduleID}?files`,
  /** The list with what only its damaged files hold. */
  salvage: (moduleID: string): string => `#/lists/${moduleID}?salvage`,
  importFile: (moduleID?: string): string => `#/lists/import${moduleID ? `?into=${moduleID}` : ''}`,
  settings: '#/settings',
  welcome: '#/welcome',
};
