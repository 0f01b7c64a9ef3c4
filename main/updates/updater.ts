import type { AppUpdater } from 'electron-updater';
import type { Logger } from 'pino';
import type { UpdateState } from '../../server/contract/app/desktop.ts';
import type { Texts } from '../text/i18n.ts';
import { nextCheck, updatePolicy, type UpdatePolicy, type UpdateSituation } from './update-policy.ts';

export interface UpdaterDeps {
  readonly situation: Omit<UpdateSituation, 'enabled'>;
  /** Loaded only if updates are allowed. */
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
  /** In the current language. */
  readonly texts: () => Texts;
  readonly onChange: (state: UpdateState) => void;
}

type UpdateEngine = Awaited<ReturnType<UpdaterDeps['loadEngine']>>;

/** Updates the app as its policy allows. Silent without a network. */
export class Updater {
  readonly #deps: UpdaterDeps;
  #enabled = false;
  #current: UpdateState = { state: 'idle', message: '' };
  #engine: UpdateEngine | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(deps: UpdaterDeps) {
    this.#deps = deps;
  }

  /** Returns the state for Settings; `off` with the reason if this copy never updates. */
  state(): UpdateState {
    const now = this.#policy();
    return now.check === 'never' ? { state: 'off', message: now.reason } : this.#current;
  }

  /**
   * Checks for an update and starts its download; resolves with the state. Does nothing if updates are off, one is
   * ready, or a check is running. Stores the time of the check. Never rejects; a failure is a state.
   */
  async check(): Promise<UpdateState> {
    if (
      this.#policy().check === 'never' ||
      this.#current.state === 'ready' ||
      this.#current.state === 'checking'
    )
      return this.state();
    this.#setState({ state: 'checking', message: this.#deps.texts()('update.looking') });
    this.#deps.checkedAt(this.#deps.now());
    try {
      const found = await (await this.#load()).checkForUpdates();
      if (!found?.isUpdateAvailable)
        return this.#setState({ state: 'none', message: this.#deps.texts()('update.newest') });
      const { version } = found.updateInfo;
      found.downloadPromise?.catch((error: unknown) => {
        this.#deps.log.info({ err: error }, 'update not loaded');
        this.#setState({
          state: 'failed',
          message: this.#deps.texts()('update.not-loaded'),
        });
      });
      return this.#setState({
        state: 'downloading',
        message: this.#deps.texts()('update.loading', { version }),
        version,
      });
    } catch (error) {
      this.#deps.log.info({ err: error }, 'no update to be had');
      return this.#setState({ state: 'failed', message: this.#deps.texts()('update.unknown') });
    }
  }

  /** Restarts into the update that is ready; returns false if there is none. */
  install(): boolean {
    if (this.#current.state !== 'ready' || !this.#engine) return false;
    this.#engine.quitAndInstall(false, true);
    return true;
  }

  /**
   * Sets whether checks are automatic and schedules the next one. Call it at the start and when the user's setting
   * changes.
   */
  enable(on: boolean): void {
    this.#enabled = on;
    this.#scheduleCheck();
  }

  /** Cancels the next check. */
  stop(): void {
    clearTimeout(this.#timer);
  }

  /** Returns what this copy may do, with the user's setting. */
  #policy(): UpdatePolicy {
    return updatePolicy({ ...this.#deps.situation, enabled: this.#enabled }, this.#deps.texts());
  }

  /** Sets the state, calls `onChange`, and returns the state. */
  #setState(state: UpdateState): UpdateState {
    this.#current = state;
    this.#deps.onChange(state);
    return state;
  }

  /**
   * Returns the update engine. The first call loads it and sets it to download updates at once and install them at
   * the end of the app; a downloaded one becomes the state `ready`.
   */
  async #load(): Promise<UpdateEngine> {
    if (this.#engine) return this.#engine;
    this.#engine = await this.#deps.loadEngine();
    this.#engine.logger = null;
    this.#engine.autoDownload = true;
    this.#engine.autoInstallOnAppQuit = true;
    this.#engine.on('update-downloaded', ({ version }) => {
      this.#setState({
        state: 'ready',
        message: this.#deps.texts()('update.ready', { version }),
        version,
      });
    });
    this.#engine.on('error', (error) => this.#deps.log.info({ err: error }, 'update'));
    return this.#engine;
  }

  /** Schedules the next automatic check in place of the last one; none unless the policy allows automatic checks. */
  #scheduleCheck(): void {
    clearTimeout(this.#timer);
    if (this.#policy().check !== 'by-itself') return;
    this.#timer = setTimeout(
      () => void this.check().finally(() => this.#scheduleCheck()),
      nextCheck(this.#deps.lastCheckedAt(), this.#deps.now()),
    );
    this.#timer.unref();
  }
}
