import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Agent } from 'undici';
import { expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../../server/base/clock.ts';
import type { FootbridgeCalls } from '../../../server/peer/dialects/footbridge.ts';
import { startPoller } from '../../../server/sync/schedule/poller.ts';

type Question = Parameters<FootbridgeCalls['waitForChanges']>[0];

/** A partner whose answers to held questions end by `held`. */
async function questionsTo(
  held: (onBeat: () => void) => Promise<never>,
  { isAsked = true, isWatched = false, intervalMs = 60_000 } = {},
): Promise<{ questions: Question[]; quiet: () => number; lost: () => number }> {
  const questions: Question[] = [];
  let [quiet, lost] = [0, 0];
  const poller = startPoller({
    calls: {
      waitForChanges: async (question, _signal, onBeat = () => undefined) => {
        questions.push(question);
        if (question.hold !== undefined) return held(onBeat);
        if (question.timeout > 0 && questions.length > 4) await new Promise(() => undefined);
        return { cursor: 'here', structure: false, modules: [] };
      },
    },
    clock: systemClock,
    random: () => 0,
    interval: () => intervalMs,
    run: 'one-run-of-ours',
    isAsked: () => isAsked,
    isWatched: () => isWatched,
    onTwice: () => undefined,
    onPoke: () => undefined,
    onQuiet: () => quiet++,
    onLost: () => lost++,
  });
  onTestFinished(() => poller.stop());
  await expect.poll(() => questions.length, { timeout: 15_000 }).toBeGreaterThan(1);
  return { questions, quiet: () => quiet, lost: () => lost };
}

it('holds its question only where the partner asks as well, and hears by beats that there is no news', async () => {
  const forever = (onBeat: () => void): Promise<never> => {
    onBeat();
    onBeat();
    return new Promise(() => undefined);
  };
  const { questions, quiet } = await questionsTo(forever);
  expect(questions.map(({ timeout, hold }) => [timeout, hold])).toEqual([
    [0, undefined],
    [25, 900],
  ]);
  expect(quiet()).toBe(2);
  const alone = await questionsTo(forever, { isAsked: false });
  expect(alone.questions[1]).toMatchObject({ timeout: 25, hold: undefined });
});

it('asks in short turns where a proxy keeps the beats from us', async () => {
  const { questions, lost } = await questionsTo(() => Promise.reject(new Error('too slow')));
  await expect.poll(() => questions.length, { timeout: 15_000 }).toBeGreaterThan(3);
  expect(questions.map(({ hold }) => hold).slice(0, 4)).toEqual([undefined, 900, undefined, undefined]);
  expect(lost()).toBe(1);
});

it('wants fewer beats where another connection watches the route, and none less often than it looks', async () => {
  const forever = (): Promise<never> => new Promise(() => undefined);
  const watched = await questionsTo(forever, { isWatched: true });
  expect(watched.questions[1]).toMatchObject({ timeout: 50, hold: 900 });
  const often = await questionsTo(forever, { isWatched: true, intervalMs: 30_000 });
  expect(often.questions[1]).toMatchObject({ timeout: 30 });
});

it('asks again on the connection that it has', async () => {
  let connections = 0;
  const server = createServer((_request, answer) => {
    // Longer than the least time between two questions.
    setTimeout(() => answer.end(JSON.stringify({ cursor: 'here', structure: false, modules: [] })), 400);
  });
  server.on('connection', () => connections++);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const agent = new Agent({ connections: 8, pipelining: 1 });
  let answers = 0;
  const poller = startPoller({
    calls: {
      async waitForChanges() {
        const { body } = await agent.request({
          origin: `http://127.0.0.1:${port}`,
          path: '/',
          method: 'GET',
        });
        await body.json();
        answers++;
        return { cursor: 'here', structure: false, modules: [] };
      },
    },
    ...{ clock: systemClock, random: () => 0, interval: () => 60_000, run: 'one-run-of-ours' },
    ...{ isAsked: () => true, isWatched: () => false },
    ...{
      onTwice: () => undefined,
      onPoke: () => undefined,
      onQuiet: () => undefined,
      onLost: () => undefined,
    },
  });
  onTestFinished(async () => {
    poller.stop();
    await agent.destroy();
    server.closeAllConnections();
    server.close();
  });
  await expect.poll(() => answers, { timeout: 15_000 }).toBeGreaterThan(3);
  expect(connections).toBe(1);
});
