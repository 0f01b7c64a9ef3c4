import { serveNode } from './serve-node.ts';

/* The entry of the process that the node runs in; the shell starts it (main/node/remote-node.ts). */

serveNode(process.parentPort);
