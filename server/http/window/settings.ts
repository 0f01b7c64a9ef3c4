import { Router } from 'express';
import { settingsChange, type SettingsAnswer } from '../../contract/app/settings.ts';
import type { SettingsStore } from '../../app/settings.ts';
import type { Guard } from './guard.ts';

export interface SettingsDeps {
  readonly settings: SettingsStore;
  readonly guard: Guard;
  /** What goes with the settings but is not one. */
  readonly about: () => Promise<Omit<SettingsAnswer, 'settings'>>;
}

/** `/app/settings`: what the user set, and what the app keeps where. */
export function settingsRouter({ settings, guard, about }: SettingsDeps): Router {
  const router = Router();
  const answer = async (): Promise<{ response: SettingsAnswer }> => ({
    response: { settings: settings.current(), ...(await about()) },
  });

  router.get('/', guard.read, async (_req, res) => {
    res.json(await answer());
  });

  router.patch('/', guard.admin, async (req, res) => {
    const change = settingsChange.parse(req.body);
    await settings.change(
      Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined)),
    );
    res.json(await answer());
  });

  return router;
}
