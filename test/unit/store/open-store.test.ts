import { systemClock } from '../../../server/base/clock.ts';
import { openStore } from '../../../server/store/engine/open-store.ts';
import { temporaryFolder } from '../../support/harness/temporary-folder.ts';
import { describeStoreConformance } from './conformance.ts';

const kinds = { 'on disk': {}, 'on disk, compacting all the time': { compactFloor: 1 } };

for (const [name, limits] of Object.entries(kinds)) {
  describeStoreConformance(name, {
    async make() {
      const { path, remove } = await temporaryFolder();
      return { open: () => openStore({ dataDir: path, clock: systemClock, limits }), remove };
    },
  });
}
