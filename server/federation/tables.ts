import type { Table } from '../store/store.ts';
import type { AnnouncedRoutes } from '../base/routes.ts';
import type { TimeAnchor } from '../base/trusted-clock.ts';
import type { Exposure, FormerMapping, IssuedToken, Mapping, Node, SharedModule } from './model.ts';

/** Tables of federation in the partition `system`. Keys are ids unless noted. */

/** Returns our id of the pair, as the partner knows it. */
export const ownIDOf = ({ nodeID, ownNodeID }: Pick<Node, 'nodeID' | 'ownNodeID'>): string =>
  ownNodeID ?? nodeID;

export const NODES: Table<Node> = {
  name: 'node',
  indexes: {
    shared: (node) => (node.sharedNodeID === '0' ? undefined : node.sharedNodeID),
    colour: (node) => node.colour,
  },
};

/** By the token's `jti`. */
export const ISSUED_TOKENS: Table<IssuedToken> = {
  name: 'issued-token',
  indexes: { node: (token) => token.nodeID },
};

/** Ours; kept after its end to tell 410 from 401. */
export interface Invite {
  readonly hash: string;
  readonly nodeID: string;
  /** Our id in the invite, if not `nodeID`. */
  readonly ownNodeID?: string;
  readonly expiresAt: string;
  /** Absent in older records. */
  readonly made?: TimeAnchor;
  readonly certificate?: string;
  readonly baseURL?: string;
  /** Absent in older records. */
  readonly routes?: AnnouncedRoutes;
  /** Hash of the partner's invite that this one answers. */
  readonly replyTo?: string | undefined;
  /** Where that invite led. */
  readonly answered?: { readonly baseURL: string; readonly certificate: string | undefined } | undefined;
  /** SHA-256 of the proof by which the invited Footbridge fetches our answer (`handshake.ts`). */
  readonly proof?: string;
  readonly usedAt?: string;
  /** By a newer invite, or the partner's removal. */
  readonly withdrawnAt?: string;
}

/** By the hash. */
export const INVITES: Table<Invite> = {
  name: 'invite',
  indexes: { node: (invite) => invite.nodeID, named: ownIDOf },
};

export const EXPOSURES: Table<Exposure> = {
  name: 'exposure',
  indexes: { node: (exposure) => exposure.nodeID, compose: (exposure) => exposure.composeModuleID },
};

export const SHARED_MODULES: Table<SharedModule> = {
  name: 'shared-module',
  indexes: {
    node: (shared) => shared.nodeID,
    external: (shared) => externalText(shared.nodeID, shared.externalFederationModuleID),
  },
};

/** Indexes an offer by partner (our id, or its installation) and its id there. */
export const externalText = (partner: string, externalModuleID: string): string =>
  `${partner} ${externalModuleID}`;

export const MAPPINGS: Table<Mapping> = {
  name: 'mapping',
  indexes: {
    node: (mapping) => mapping.nodeID,
    shared: (mapping) => mapping.federationModuleID,
    compose: (mapping) => mapping.composeModuleID,
  },
};

/** Apply again once their list leaves the bin. */
export const BINNED_MAPPINGS: Table<Mapping> = {
  name: 'mapping-bin',
  indexes: { node: (mapping) => mapping.nodeID, compose: (mapping) => mapping.composeModuleID },
};

/** By mapping key; the offer is deleted. */
export const FORMER_MAPPINGS: Table<FormerMapping> = {
  name: 'mapping-former',
  indexes: {
    origin: ({ installation, externalFirstModuleID }) => externalText(installation, externalFirstModuleID),
  },
};

export function mappingKey(mapping: Pick<Mapping, 'federationModuleID' | 'composeModuleID'>): string {
  return `${mapping.federationModuleID}-${mapping.composeModuleID}`;
}

/** An ended partner's rows to be handled; without `received` they continue from others. */
export const UNTOUCHED: Table<{
  readonly nodeID: string;
  readonly moduleID: string;
  readonly received?: 'keep' | 'remove';
}> = { name: 'untouched' };

/** Under `node-tokens`: the encrypted signing key. */
export const SIGNING_KEYS: Table<{ readonly sealed: string }> = { name: 'signing-key' };
