import { describe, expect, it } from 'vitest';
import { createIdleTracker } from '../../../server/peer/transport/idle-tracker.ts';

describe('how long nothing has come from a partner', () => {
  it('is counted from the question, and from each part of an answer', () => {
    let now = 1000;
    const quiet = createIdleTracker(() => now);
    expect(quiet.quietFor()).toBeUndefined();
    const asked = quiet.ask();
    now += 7000;
    expect(quiet.quietFor()).toBe(7000);
    asked.recordPart();
    now += 20;
    expect(quiet.quietFor()).toBe(20);
    asked.end();
    asked.end();
    expect(quiet.quietFor()).toBeUndefined();
    now += 5000;
    quiet.ask();
    expect(quiet.quietFor()).toBe(0);
  });

  it('is not counted while the answer waits for something of ours', async () => {
    let now = 0;
    let done: () => void = () => undefined;
    const quiet = createIdleTracker(() => now);
    const asked = quiet.ask();
    const aside = asked.waitUncounted(new Promise((resolve) => (done = resolve)));
    now += 9000;
    expect(quiet.quietFor()).toBeUndefined();
    done();
    await aside;
    expect(quiet.quietFor()).toBe(0);
  });

  it('is that of the answer that came last where several are awaited', () => {
    let now = 0;
    const quiet = createIdleTracker(() => now);
    const [first, second] = [quiet.ask(), quiet.ask()];
    now += 4000;
    second.recordPart();
    expect(quiet.quietFor()).toBe(0);
    second.end();
    now += 500;
    expect(quiet.quietFor()).toBe(500);
    first.end();
    expect(quiet.quietFor()).toBeUndefined();
  });
});
