import { parentPort } from 'node:worker_threads';
import { serveCalls } from '../../base/concurrency/serve-calls.ts';
import { createReadingTasks } from './reading-tasks.ts';

/* Worker entry for foreign files (started by read-in-worker.ts). */

if (parentPort) serveCalls(parentPort, createReadingTasks());
