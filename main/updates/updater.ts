import type { AppUpdater } from 'electron-updater';
import type { Logger } from 'pino';
import type { UpdateState } from '../../server/contract/app/desktop.ts';
import type { Texts } from '../text/speech.ts';
import { nextCheck, updatePolicy, type UpdatePolicy, type UpdateSituation } from './update-policy.ts';

/** Keeps the app up to date, as far as its policy allows. Without a network it is silent. */
export interface Updater {
  state(): UpdateState;
  /** Looks now; resolves when it is known whether there is one. Never rejects. */
  check(): Promise<UpdateState>;
  /** Restarts into the update that is ready; false when there is none. */
  install(): boolean;
  /** To be called when the user's setting changed, and once at the start. */
  enable(enabled: boolean): void;
  stop(): void;
}

export interface UpdaterDeps {
  readonly situation: Omit<UpdateSituation, 'enabled'>;
  /** Loaded only where updates are allowed at all. */
  readonly loadEngine: () => Promise<
    Pick<
      AppUpdater,
      'autoDownload' | 'autoInstallOnAppQuit' | 'checkForUpdates' | 'quitAndInstall' | 'on' | 'logger'
    >
  >;
  readonly lastCheckedAt: () => number | undefined;
  readonly checkedAt: (when: number) => void;
  readonly now: () => number;
  readonly log: Logger;
  /** In the language of now. */
  readonly texts: () => Texts;
  readonly onChange: (state: UpdateState) => void;
}

export function createUpdater(deps: UpdaterDeps): Updater {
  const { log } = deps;
  let enabled = false;
  let current: UpdateState = { state: 'idle', message: '' };
  let engine: Awaited<ReturnType<UpdaterDeps['loadEngine']>> | undefined;
  let timer: NodeJS.Timeout | undefined;

  const policy = (): UpdatePolicy => updatePolicy({ ...deps.situation, enabled }, deps.texts());
  function state(): UpdateState {
    const now = policy();
    return now.check === 'never' ? { state: 'off', message: now.reason } : current;
  }

  function become(state: UpdateState): UpdateState {
    current = state;
    deps.onChange(state);
    return state;
  }

  async function load(): Promise<NonNullable<typeof engine>> {
    if (engine) return engine;
    engine = await deps.loadEngine();
    engine.logger = null;
    engine.autoDownload = true;
    engine.autoInstallOnAppQuit = true;
    engine.on('update-downloaded', ({ version }) => {
      become({
        state: 'ready',
        message: deps.texts()('update.ready', { version }),
        version,
      });
    });
    engine.on('error', (error) => log.info({ err: error }, 'update'));
    return engine;
  }

  async function check(): Promise<UpdateState> {
    if (policy().check === 'never' || current.state === 'ready' || current.state === 'checking')
      return state();
    become({ state: 'checking', message: deps.texts()('update.looking') });
    deps.checkedAt(deps.now());
    try {
      const found = await (await load()).checkForUpdates();
      if (!found?.isUpdateAvailable) return become({ state: 'none', message: deps.texts()('update.newest') });
      const { version } = found.updateInfo;
      found.downloadPromise?.catch((error: unknown) => {
        log.info({ err: error }, 'update not loaded');
        become({
          state: 'failed',
          message: deps.texts()('update.not-loaded'),
        });
      });
      return become({ state: 'downloading', message: deps.texts()('update.loading', { version }), version });
    } catch (error) {
      log.info({ err: error }, 'no update to be had');
      return become({ state: 'failed', message: deps.texts()('update.unknown') });
    }
  }

  function plan(): void {
    clearTimeout(timer);
    if (policy().check !== 'by-itself') return;
    timer = setTimeout(() => void check().finally(plan), nextCheck(deps.lastCheckedAt(), deps.now()));
    timer.unref();
  }

  return {
    state,
    check,
    install() {
      if (current.state !== 'ready' || !engine) return false;
      engine.quitAndInstall(false, true);
      return true;
    },
    enable(on) {
      enabled = on;
      plan();
    },
    stop: () => clearTimeout(timer),
  };
}
