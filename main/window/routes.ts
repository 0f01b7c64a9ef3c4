/** The fragment of a page's address. */
export type Route = `#/${string}`;

export const routes = {
  home: '#/' as Route,
  settings: '#/settings' as Route,
  partner: (nodeID: string, tab?: 'share' | 'receive' | 'activity' | 'connection'): Route =>
    `#/partners/${encodeURIComponent(nodeID)}${tab ? (`/${tab}` as const) : ''}`,
  /** The pairing page with an invite filled in, for the user to confirm. */
  addPartner: (invite: string): Route => `#/partners/add?invite=${encodeURIComponent(invite)}`,
};
