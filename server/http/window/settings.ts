import { Router } from 'express';
import type { SettingsAnswer } from '../../contract/app/settings.ts';
import type { SettingsStore } from '../../app/settings.ts';
import { handleCall } from './handle-call.ts';

export interface SettingsDeps {
  readonly settings: SettingsStore;
  /** What accompanies the settings without being one. */
  readonly about: () => Promise<Omit<SettingsAnswer, 'settings' | 'openedBy'>>;
  readonly now: () => number;
}

/** Returns the router of `/app/settings`: reads and changes the user's settings. */
export function settingsRouter({ settings, about, now }: SettingsDeps): Router {
  const router = Router();
  /** Returns the settings with facts about the app, such as where it stores its data. */
  const answer = async (): Promise<SettingsAnswer> => ({
    settings: settings.current(),
    openedBy: settings.openedBy(),
    ...(await about()),
  });

  handleCall(router, 'GET /app/settings', answer);
  handleCall(router, 'PATCH /app/settings', async ({ body, by }) => {
    const part = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
    await settings.change(part, { by, at: new Date(now()).toISOString() });
    return answer();
  });
  return router;
}
