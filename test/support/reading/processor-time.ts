/** Milliseconds of processor time that the work took, so that a machine that is busy with other things says the same. */
export function processorTime(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
