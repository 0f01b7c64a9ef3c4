import type { AppUpdater } from 'electron-updater';
import type { Logger } from 'pino';
import type { UpdateState } from '../../server/contract/app/desktop.ts';
import type { Texts } from '../text/i18n.ts';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

export interface UpdaterDeps {
  readonly situation: Omit<UpdateSituation, 'enabled'>;
  /** Called only if updates are allowed. */
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
  readonly texts: () => Texts;
  readonly onChange: (state: UpdateState) => void;
}

type UpdateEngine = Awaited<ReturnType<UpdaterDeps['loadEngine']>>;

/** Updates as the policy allows; silent without a network. */
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
   * Checks for an update, whose download goes on in the background, and returns the state; only the state if this copy
   * never updates, an update is ready, or a check runs. Passes the time to `checkedAt`. Never rejects.
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

  /** Restarts into the ready update; returns false without one. */
  install(): boolean {
    if (this.#current.state !== 'ready' || !this.#engine) return false;
    this.#engine.quitAndInstall(false, true);
    return true;
  }

  /** Sets whether to check automatically, and schedules the next check. Call it at the start and at changes. */
  enable(on: boolean): void {
    this.#enabled = on;
    this.#scheduleCheck();
  }

  /** Cancels the next check; a running one goes on. */
  stop(): void {
    clearTimeout(this.#timer);
  }

  #policy(): UpdatePolicy {
    return updatePolicy({ ...this.#deps.situation, enabled: this.#enabled }, this.#deps.texts());
  }

  /** Sets, announces and returns the state. */
  #setState(state: UpdateState): UpdateState {
    this.#current = state;
    this.#deps.onChange(state);
    return state;
  }

  /**
   * Returns the update engine, loaded at first use. It downloads updates at once and installs them at the app's end; a
   * downloaded one becomes the state `ready`.
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

  /** Starts a timer for the next automatic check, in place of an earlier one; none if the policy doesn't allow it. */
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

/** Decides whether this copy may update itself. */
export interface UpdateSituation {
  readonly packaged: boolean;
  readonly platform: NodeJS.Platform;
  /** An update address is beside the app. */
  readonly hasFeed: boolean;
  /** According to the packed package.json. */
  readonly signed: boolean;
  readonly enabled: boolean;
}

export type UpdatePolicy =
  | { readonly check: 'by-itself' }
  | { readonly check: 'on-demand'; readonly reason: string }
  | { readonly check: 'never'; readonly reason: string };

/**
 * Returns whether to check for updates automatically, only on request if switched off, or never: from the sources,
 * without an address or unsigned. Gives the reason for Settings, unless automatically.
 */
export function updatePolicy(situation: UpdateSituation, t: Texts): UpdatePolicy {
  if (!situation.packaged) return { check: 'never', reason: t('update.from-sources') };
  if (!situation.hasFeed) return { check: 'never', reason: t('update.no-feed') };
  if (!situation.signed)
    return {
      check: 'never',
      reason: situation.platform === 'linux' ? t('update.unsigned-package') : t('update.unsigned'),
    };
  if (!situation.enabled) return { check: 'on-demand', reason: t('update.switched-off') };
  return { check: 'by-itself' };
}

const HOUR = 3_600_000;

/**
 * Returns the milliseconds to the next check: a day after the last one began, at least a minute; a minute if its time
 * is unknown or in the future.
 */
export function nextCheck(lastCheckedAt: number | undefined, now: number): number {
  if (lastCheckedAt === undefined || lastCheckedAt > now) return 60_000;
  return Math.max(60_000, lastCheckedAt + 24 * HOUR - now);
}

export interface PackageInfo {
  readonly hasFeed: boolean;
  /** `extraMetadata.signed` when packing. */
  readonly signed: boolean;
}

/**
 * Returns whether the packed app has an address for updates (`app-update.yml` in `resources`) and is signed, by its
 * package.json; false for what can't be read.
 */
export function packageInfo(appPath: string, resources: string): PackageInfo {
  const hasFeed = existsSync(join(resources, 'app-update.yml'));
  try {
    const manifest: unknown = JSON.parse(readFileSync(join(appPath, 'package.json'), 'utf8'));
    return { hasFeed, signed: z.object({ signed: z.literal(true) }).safeParse(manifest).success };
  } catch {
    return { hasFeed, signed: false };
  }
}
