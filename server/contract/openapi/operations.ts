import { moduleOperations, namespaceOperations } from './compose-lists.ts';
import { recordOperations } from './compose-rows.ts';
import { feedOperations } from './feeds.ts';
import { footbridgeOperations } from './footbridge.ts';
import { nodeOperations } from './node.ts';
import type { Operation } from './operation.ts';
import { pairingOperations } from './pairing.ts';
import { sharingOperations } from './sharing.ts';

/** All calls for scripts and partners. */
export const OPERATIONS: readonly Operation[] = [
  ...pairingOperations,
  ...sharingOperations,
  ...feedOperations,
  ...footbridgeOperations,
  ...namespaceOperations,
  ...moduleOperations,
  ...recordOperations,
  ...nodeOperations,
];
