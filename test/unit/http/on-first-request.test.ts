import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import express from 'express';
import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { onFirstRequest } from '../../../server/http/listeners/on-first-request.ts';

it('loads a handler once, and again after a failure', async () => {
  const problems = [new Error('too many open files')];
  let loads = 0;
  let handled = 0;
  const handler = onFirstRequest(() => {
    loads++;
    const problem = problems.pop();
    if (problem) return Promise.reject(problem);
    return Promise.resolve(() => {
      handled++;
    });
  });
  handler.prepare();
  await setImmediate();
  const app = express().use(handler);
  for (let asked = 0; asked < 2; asked++) {
    const request = new IncomingMessage(new Socket());
    Object.assign(request, { method: 'GET', url: '/' });
    app(request, new ServerResponse(request));
  }
  await setImmediate();
  expect([loads, handled]).toEqual([2, 2]);
});
