import { serveNode } from './serve-node.ts';

// Entry of the node's forked process.
serveNode(process.parentPort);
