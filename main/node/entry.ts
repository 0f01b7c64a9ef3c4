import { serveNode } from './serve-node.ts';

// The shell forks the node's process with this entry.
serveNode(process.parentPort);
