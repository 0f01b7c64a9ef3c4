/** Fragment of a page's address. */
export type Route = `#/${string}`;

export const routes = {
  home: '#/' as Route,
  settings: '#/settings' as Route,
  partner: (nodeID: string, tab?: 'share' | 'receive' | 'activity' | 'connection'): Route =>
    `#/partners/${encodeURIComponent(nodeID)}${tab ? (`/${tab}` as const) : ''}`,
  /** Pairing page with an invite to confirm. */
  addPartner: (invite: string): Route => `#/partners/add?invite=${encodeURIComponent(invite)}`,
};
