import { parentPort } from 'node:worker_threads';
import { serveCalls } from '../../base/concurrency/serve-calls.ts';
import { createReadingTasks } from './reading-tasks.ts';

/* The entry of the worker thread that reads foreign files (read-in-worker.ts starts it). */

if (parentPort) serveCalls(parentPort, createReadingTasks());
