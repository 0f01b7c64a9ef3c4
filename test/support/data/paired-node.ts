import type { Node } from '../../../server/federation/model.ts';

/** A partner with whom pairing is over and done with, as our store knows it; what a test looks at, it says. */
export function pairedNode(more: Partial<Node> = {}): Node {
  return {
    nodeID: '41',
    sharedNodeID: '77',
    name: 'Drammen Trelast',
    colour: 'plum',
    status: 'paired',
    baseURL: 'https://192.168.1.20:7420/federation',
    contact: '',
    footbridge: true,
    ownNetwork: false,
    createdAt: '2026-01-12T08:30:00.000Z',
    createdBy: '1',
    ...more,
  };
}
