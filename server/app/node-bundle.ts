import { join } from 'node:path';
import type { Federation } from '../federation/federation.ts';
import type { Lists } from '../lists/lists.ts';
import type { Store } from '../store/store.ts';
import type { SettingsStore } from './settings.ts';
import { createSupportBundle } from './support-bundle.ts';

/**
 * Returns a running node's support bundle (zip): logs, settings, and facts about partners and lists without names.
 * Partners' tokens are removed from all texts.
 */
export function createNodeBundle(deps: {
  readonly version: string;
  readonly dataDir: string;
  readonly store: Store;
  readonly settings: SettingsStore;
  readonly federation: Federation;
  readonly lists: Lists;
}): Promise<Uint8Array> {
  const { federation, lists } = deps;
  return createSupportBundle({
    version: deps.version,
    store: deps.store,
    logDir: join(deps.dataDir, 'logs'),
    settings: () => deps.settings.current(),
    /** Returns facts without names: partners by dialect and state, lists by their sizes. */
    async collectFacts() {
      const nodes = await federation.nodes.list();
      const modules = await lists.modules();
      return {
        partners: nodes.map(({ status, dialect, footbridge }) => ({ status, dialect, footbridge })),
        lists: await Promise.all(
          modules.map(async ({ moduleID, fields }) => ({
            columns: fields.length,
            ...(await lists.counts(moduleID)),
          })),
        ),
      };
    },
    /** Returns our tokens for partners, to be removed from all texts. */
    async secrets() {
      const nodes = await federation.nodes.list();
      const held = await Promise.all(
        nodes.map(({ nodeID }) => federation.tokens.tokenFor(nodeID).catch(() => '')),
      );
      return held.filter((token) => token !== '');
    },
  });
}
