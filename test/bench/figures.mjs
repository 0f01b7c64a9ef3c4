import { closeSync, openSync, readSync } from 'node:fs';
import { monitorEventLoopDelay, performance } from 'node:perf_hooks';

// Loaded into a node before its own program (`node --import`): answers "begin" by starting to count processor time,
// "watch" by watching the event loop as well (which itself takes some of it), "turns" by measuring each turn of the event loop
// (Linux only), and "end" with what was seen since, the memory that it has now and the most that it ever had.
// Plain JavaScript, as it goes into the built app. Times are milliseconds.
const loop = monitorEventLoopDelay({ resolution: 1 });
let cpu = process.cpuUsage();
let turns;

/**
 * Measures for how long each turn of the event loop serves nobody else: its active time, waits for the disk included, less the
 * time in which the main thread was ready and other threads had the processors. It is never less than its own processor time.
 * Returns a function that ends the watch and returns the longest turn and the 99th percentile of turns above half a millisecond.
 */
function watchTurns() {
  const file = openSync(`/proc/self/task/${process.pid}/schedstat`, 'r');
  const bytes = Buffer.alloc(100);
  const read = () => {
    const [used, waited] = bytes.toString('latin1', 0, readSync(file, bytes, 0, 100, 0)).split(' ');
    const { active } = performance.eventLoopUtilization();
    return { used: Number(used) / 1e6, waited: Number(waited) / 1e6, active };
  };
  const all = [];
  let before = read();
  let next;
  const turn = () => {
    const now = read();
    const own = now.active - before.active - (now.waited - before.waited);
    const ms = Math.max(now.used - before.used, own);
    if (ms > 0.5) all.push(ms);
    before = now;
    // Without a reference it does not keep the loop from waiting.
    next = setImmediate(turn).unref();
  };
  turn();
  return () => {
    clearImmediate(next);
    closeSync(file);
    all.sort((a, b) => a - b);
    return { turnMs: all.at(-1) ?? 0, turnP99Ms: all[Math.floor(all.length * 0.99)] ?? 0 };
  };
}

process.on('message', (message) => {
  if (message === 'begin' || message === 'watch' || message === 'turns') {
    turns?.();
    turns = message === 'turns' ? watchTurns() : undefined;
    loop.reset();
    if (message === 'watch') loop.enable();
    cpu = process.cpuUsage();
    process.send?.({ begun: true });
  }
  if (message === 'end') {
    loop.disable();
    const { user, system } = process.cpuUsage(cpu);
    process.send?.({
      cpuMs: (user + system) / 1000,
      stallMs: loop.max / 1e6,
      stallP99Ms: loop.percentile(99) / 1e6,
      residentMiB: process.memoryUsage.rss() / 2 ** 20,
      peakMiB: process.resourceUsage().maxRSS / 1024,
      ...turns?.(),
    });
    turns = undefined;
  }
});
// When the bench is gone, nobody else would stop this.
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
// Listening must not keep the program alive.
process.channel?.unref();
