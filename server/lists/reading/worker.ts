import { getPriority, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { serveCalls } from '../../base/concurrency/serve-calls.ts';
import { createReadingTasks } from './reading-tasks.ts';

/* Entry of the worker thread that reads foreign files (started by read-in-worker.ts). */

/** The main thread, which answers everybody, goes before. */
const BEHIND_MAIN = 5;

// Elsewhere it would be the priority of the whole process.
if (process.platform === 'linux') setPriority(Math.min(19, getPriority() + BEHIND_MAIN));
if (parentPort) serveCalls(parentPort, createReadingTasks());
