import express from 'express';
import { expect, it, onTestFinished } from 'vitest';
import { openSettings } from '../../../server/app/settings.ts';
import type { Role } from '../../../server/federation/partners/identity.ts';
import { setCaller } from '../../../server/http/auth/caller.ts';
import { settingsRouter } from '../../../server/http/window/settings.ts';
import { openStore } from '../../../server/store/engine/open-store.ts';
import { serveOnce } from '../../support/harness/http.ts';
import { manualClock } from '../../support/harness/manual-clock.ts';
import { temporaryFolderInMemory } from '../../support/harness/temporary-folder.ts';

const RELAY = `footbridge-relay://relay.example:7422?pin=${'a'.repeat(64)}`;
const KEY = 'an-access-key-of-a-relay';

it.each([
  ['admin', 'with', `${RELAY}&key=${KEY}`],
  ['editor', 'without', RELAY],
  ['viewer', 'without', RELAY],
] as const)('the role %s reads the relay’s address %s its access key', async (role: Role, _how, relay) => {
  const folder = await temporaryFolderInMemory();
  const clock = manualClock('2026-01-01T00:00:00Z');
  const store = await openStore({ dataDir: folder.path, clock });
  const settings = await openSettings(await store.partition('system'), {}, () => undefined);
  await settings.change({ relay: `${RELAY}&key=${KEY}` });
  const app = express();
  app.use((req, _res, next) => {
    setCaller(req, { kind: 'user', userID: '1', role });
    next();
  });
  const nothing = { bytes: 0, lines: 0, entries: 0, rows: 0 };
  const about = {
    ...{ dataDir: '', storeBytes: 0, addressGiven: false, secretProtection: 'file' as const },
    ...{ ledger: nothing, history: nothing, bin: nothing },
  };
  app.use(settingsRouter({ settings, about: () => Promise.resolve(about), now: () => clock.now() }));
  const server = await serveOnce(app);
  onTestFinished(async () => {
    await server.close();
    await store.close();
    await folder.remove();
  });
  const answer = await fetch(`http://127.0.0.1:${server.port}/settings`);
  expect(await answer.json()).toMatchObject({ response: { settings: { relay } } });
});
