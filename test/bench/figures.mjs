import { monitorEventLoopDelay } from 'node:perf_hooks';

// Loaded into a node before its own program (`node --import`): answers "begin" by starting to count processor time,
// "watch" by watching the event loop as well (which itself takes some of it), and "end" with what was seen since, and the
// memory that it has now. Plain JavaScript, as it goes into the built app. Times are milliseconds.
const loop = monitorEventLoopDelay({ resolution: 1 });
let cpu = process.cpuUsage();

process.on('message', (message) => {
  if (message === 'begin' || message === 'watch') {
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
    });
  }
});
// When the bench is gone, nobody else would stop this.
process.on('disconnect', () => process.kill(process.pid, 'SIGTERM'));
// Listening must not keep the program alive.
process.channel?.unref();
