import { serveNode } from './serve-node.ts';

/* The entry of the node's process, started by the shell (main/node/remote-node.ts). */

serveNode(process.parentPort);
