import { expect, it, onTestFinished } from 'vitest';
import { systemClock } from '../../../server/base/clock.ts';
import type { FootbridgeCalls } from '../../../server/peer/dialects/footbridge.ts';
import { startPoller } from '../../../server/sync/schedule/poller.ts';

type Question = Parameters<FootbridgeCalls['wait']>[0];

/** A partner whose answers to held questions end by `held`. */
async function questionsTo(
  held: (onBeat: () => void) => Promise<never>,
  isAsked = true,
): Promise<{ questions: Question[]; quiet: () => number; lost: () => number }> {
  const questions: Question[] = [];
  let [quiet, lost] = [0, 0];
  const poller = startPoller({
    calls: {
      wait: async (question, _signal, onBeat = () => undefined) => {
        questions.push(question);
        if (question.hold !== undefined) return held(onBeat);
        if (question.timeout > 0 && questions.length > 4) await new Promise(() => undefined);
        return { cursor: 'here', structure: false, modules: [] };
      },
    },
    clock: systemClock,
    random: () => 0,
    interval: () => 25_000,
    run: 'one-run-of-ours',
    isAsked: () => isAsked,
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
    [25, 600],
  ]);
  expect(quiet()).toBe(2);
  const alone = await questionsTo(forever, false);
  expect(alone.questions[1]).toMatchObject({ timeout: 25, hold: undefined });
});

it('asks in short turns where a proxy keeps the beats from us', async () => {
  const { questions, lost } = await questionsTo(() => Promise.reject(new Error('too slow')));
  await expect.poll(() => questions.length, { timeout: 15_000 }).toBeGreaterThan(3);
  expect(questions.map(({ hold }) => hold).slice(0, 4)).toEqual([undefined, 600, undefined, undefined]);
  expect(lost()).toBe(1);
});
