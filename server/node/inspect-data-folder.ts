import { nodesIn } from '../federation/partners/nodes-at-rest.ts';
import { systemDisk, type Disk } from '../store/files/disk.ts';
import { partitionAtRest } from '../store/recovery/at-rest.ts';
import { inspectStore, type StoreReport } from '../store/recovery/inspect.ts';

/** The same as {@link inspectStore}, with what waits in the data for its user after something was lost. */
export async function inspectDataFolder(dataDir: string, disk: Disk = systemDisk): Promise<StoreReport> {
  const report = await inspectStore(dataDir, disk);
  const system = await partitionAtRest(dataDir, 'system', disk);
  const unsure = system ? nodesIn(system).filter((node) => node.unsure !== undefined) : [];
  const names = unsure.map(({ name }) => name).join(', ');
  const waits = `Partners read nothing until you have looked at what you share with each, as older data came back: ${names}. Open Footbridge, look at it, and let them read again.`;
  return unsure.length === 0 ? report : { ...report, advice: [waits, ...report.advice] };
}
