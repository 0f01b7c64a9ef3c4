import { serveNode } from './serve-node.ts';

// The entry of the node's process, which the shell forks (main/shell/run.ts).
serveNode(process.parentPort);
