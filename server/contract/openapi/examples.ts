/** All examples tell one story: Oslo shares with Bergen. */

export const NODE_A = '2235175203408142336';
export const NODE_B = '2235175203408142401';
export const EXPOSURE = '2235175203408142500';
export const OFFER = '2235175203408142600';
export const LIST = '2235175203408142700';
export const NAMESPACE = '2235175203408142800';
export const RECORD = '2235175203408142900';
export const FIELD = '2235175203408142950';
export const AT = '2026-11-20T14:24:47.246Z';
export const LATER = '2026-11-20T15:02:11.008Z';
/** Truncated: scans of the packed app for tokens find none. */
export const TOKEN = 'eyJhbGciOi.eyJzdWIi.c2lnbmF0';
export const SECRET = 'X3bq7LrT0vYw2KdN8mFzG5hJ1cPs9QeU';
export const NODE_URI = `https://${NODE_A}:${SECRET}@oslo.example/federation?name=Oslo`;

export const column1 = { kind: 'String', name: 'AccountName', label: 'Account Name', isMulti: false };
const column2 = { kind: 'String', name: 'AccountName', label: 'Account Name', isMulti: 0 };
export const columnRequest2 = { name: 'AccountName', label: 'Account Name', kind: 'String', is_multi: 0 };
export const side2 = { name: 'AccountName', kind: 'String', is_multi: 0 };

const stamps = { createdAt: AT, createdBy: '1' };

export const node1 = {
  nodeID: NODE_A,
  sharedNodeID: '0',
  name: 'Bergen',
  status: 'pending',
  baseURL: 'https://bergen.example/federation',
  ...stamps,
};
export const node2 = {
  nodeID: NODE_A,
  sharedNodeID: '0',
  name: 'Bergen',
  domain: 'bergen.example',
  status: 'pending',
  nodeURI: NODE_URI,
};
export const nodeLive = {
  nodeID: NODE_A,
  name: 'Bergen',
  status: 'pending',
  baseURL: 'https://bergen.example/federation',
  contact: 'admin@bergen.example',
  sharedNodeID: '0',
  ...stamps,
  canManageNode: true,
  canCreateModule: true,
};

export const exposed1 = {
  moduleID: EXPOSURE,
  nodeID: NODE_A,
  composeModuleID: LIST,
  composeNamespaceID: NAMESPACE,
  handle: 'Account',
  name: 'Account',
  fields: [column1],
  ...stamps,
};
export const exposedLive = { ...exposed1, canManageModule: true };
export const definition1 = {
  moduleID: EXPOSURE,
  handle: 'Account',
  name: 'Account',
  createdAt: AT,
  updatedAt: LATER,
  fields: [column1],
};
export const definition2 = { ...definition1, fields: [column2] };
export const offer1 = { ...definition1, moduleID: OFFER };

export const mapping1 = {
  nodeID: NODE_B,
  federationModuleID: OFFER,
  composeModuleID: LIST,
  composeNamespaceID: NAMESPACE,
  fields: [{ origin: column1, destination: column1 }],
};

export const record1 = {
  recordID: RECORD,
  moduleID: EXPOSURE,
  values: [{ name: 'AccountName', value: 'Fjord Fish' }],
  createdAt: AT,
  updatedAt: LATER,
};
