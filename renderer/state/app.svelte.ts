import { createContext } from 'svelte';
import type { Overview, PartnerColour } from '../../server/contract/app/overview.ts';
import type { SettingsAnswer, SettingsChange } from '../../server/contract/app/settings.ts';
import { createHttp, NodeError } from '../api/http.ts';
import { createListsApi } from '../api/lists.ts';
import { createOfficeApi } from '../api/office.ts';
import { createPartnersApi } from '../api/partners.ts';
import { type Language, type Translate, chooseLanguage, loadTranslate } from '../text/catalogue.ts';
import { localeOf, type Format, createFormat } from '../text/format.ts';
import { Drafts, isUnanswered } from './drafts.svelte.ts';
import { Guard } from './guard.svelte.ts';
import { createHelp } from './help.svelte.ts';
import { createLive } from './live.svelte.ts';
import { createNotices, type Notice, explain } from './notices.svelte.ts';
import { parseRoute, type Route } from './route.ts';
import { createSyncProgress, type SyncProgress, StatusPoll } from './status-poll.svelte.ts';
import { createTour } from './tour.svelte.ts';
import { WriteQueue } from './write-queue.ts';

/** A single request may fail with the node there. */
const RETRY_MS = 5_000;

export interface Speech {
  readonly language: Language;
  readonly t: Translate;
}

/** Shared state and calls, passed as Svelte context. */
export class App {
  readonly live = createLive('/app/events', (url) => new EventSource(url));
  readonly #speech: I18n;
  readonly #http = createHttp({
    fetch: (input, init) => fetch(input, { ...init, keepalive: this.#isLeaving }),
    onStatus: (status) => this.live.reportStatus(status),
    language: () => localeOf(this.#speech.language),
  });
  readonly office = createOfficeApi(this.#http);
  readonly partners = createPartnersApi(this.#http);
  readonly lists = createListsApi(this.#http);
  readonly drafts = new Drafts();
  readonly writes = new WriteQueue(this.lists, this.drafts);
  readonly notices = createNotices();
  readonly guard = new Guard(() => {
    this.#route = parseRoute(location.hash);
    this.notices.closeErrors();
  });
  readonly help = createHelp();
  readonly tour = createTour();
  readonly #running = createSyncProgress();
  readonly #standing = new StatusPoll(
    () => this.office.overview(),
    ({ partners }) => this.#running.replaceAll(partners),
  );
  /** Partners asked by this window to connect, until their page opens: they may approve first. */
  readonly asked = new Set<string>();
  /** Lists whose unsent input is retried soon. */
  readonly #retried = new Set<string>();
  /** Lists whose unsent input is being saved. */
  readonly #savedNow = new Set<string>();
  /** Requests must outlive a possible unload. */
  #isLeaving = false;
  #route = $state.raw(parseRoute(location.hash));
  #settings = $state.raw<SettingsAnswer>();
  #settingsProblem = $state.raw<unknown>();

  /** `speech` applies until the settings come. */
  constructor(speech: Speech) {
    this.#speech = new I18n(speech);
  }

  get running(): Pick<SyncProgress, 'get' | 'all'> {
    return this.#running;
  }

  get route(): Route {
    return this.#route;
  }

  get overview(): Overview | undefined {
    return this.#standing.overview;
  }

  get settings(): SettingsAnswer | undefined {
    return this.#settings;
  }

  get settingsProblem(): unknown {
    return this.#settingsProblem;
  }

  get language(): Language {
    return this.#speech.language;
  }

  get t(): Translate {
    return this.#speech.t;
  }

  get format(): Format {
    return this.#speech.format;
  }

  /** In milliseconds; advances every half minute, so that `3 minutes ago` stays true. */
  get now(): number {
    return this.#standing.now;
  }

  /** Returns the partner's colour; undefined if it is removed or the overview isn't loaded. */
  colourOf(nodeID: string): PartnerColour | undefined {
    return this.#standing.colourOf(nodeID);
  }

  /**
   * Goes to an address; asks first if unsaved input would be lost. `isSaved`: it is saved or discarded, so nothing is
   * asked.
   */
  go(hash: string, isSaved = false): void {
    if (isSaved && hash !== location.hash) this.guard.letNextChangePass();
    location.hash = hash;
  }

  /** Saves settings and applies them. Throws `NodeError`. */
  async changeSettings(change: SettingsChange): Promise<void> {
    await this.#useSettings(await this.office.changeSettings(change));
  }

  /** Loads the overview. Throws `NodeError`. */
  reloadOverview(): Promise<void> {
    return this.#standing.reload();
  }

  /**
   * Loads and applies settings, theme and language, for parts that change without an event, such as disk space. Stores
   * a failure as `settingsProblem`, then throws it.
   */
  async reloadSettings(): Promise<void> {
    try {
      await this.#useSettings(await this.office.settings());
      this.#settingsProblem = undefined;
    } catch (problem) {
      this.#settingsProblem = problem;
      throw problem;
    }
  }

  /**
   * Runs a task and returns its result; undefined after a failure, which a notice explains, with `retry` if given.
   * Closes older errors first.
   */
  async attempt<T>(task: () => Promise<T>, retry?: () => void): Promise<T | undefined> {
    this.notices.closeErrors();
    try {
      return await task();
    } catch (problem) {
      const again = retry ? { label: this.t('action.try-again'), run: retry } : undefined;
      this.fail(problem, again);
      return undefined;
    }
  }

  /** Shows a notice that explains the problem. */
  fail(problem: unknown, action?: Notice['action']): void {
    this.notices.fail(this.explain(problem), action);
  }

  explain(problem: unknown): string {
    return explain(problem, this.t);
  }

  /** Saves the list's unsent input in a few seconds, once for all calls, unless the window is signed out by then. */
  saveUnsentLater(moduleID: string): void {
    if (this.#retried.has(moduleID)) return;
    this.#retried.add(moduleID);
    setTimeout(() => {
      this.#retried.delete(moduleID);
      if (this.live.status !== 'signed-out') void this.#saveUnsent(moduleID);
    }, RETRY_MS);
  }

  /**
   * Loads settings and overview; follows events, address and other windows' drafts, saves unsent input once its list
   * may take it and typed input on leaving, until the returned function is called.
   */
  start(): () => void {
    const stopGuard = this.guard.start();
    const onTyped = (): void => this.#http.prepareChanges();
    for (const type of ['keydown', 'pointerdown']) addEventListener(type, onTyped, { once: true });
    const onLeave = (): void => this.#saveTyped();
    addEventListener('beforeunload', onLeave);
    const onStorage = (event: StorageEvent): void => this.drafts.followStorage(event);
    addEventListener('storage', onStorage);
    const off = this.live.on((event) => {
      if (event.type === 'settings' || event.type === 'hello') this.#reloadSettingsQuietly();
      if (event.type === 'hello') for (const list of this.drafts.unsentLists) void this.#saveUnsent(list);
      // A pending input's column may be back.
      if (event.type === 'list') void this.#saveUnsent(event.moduleID);
      if (event.type === 'progress') this.#running.record(event.progress);
      else this.#standing.reloadSoon(event.type === 'hello');
    });
    this.#reloadSettingsQuietly();
    const stopStanding = this.#standing.start();
    this.live.start();
    return () => {
      off();
      this.live.stop();
      stopStanding();
      stopGuard();
      for (const type of ['keydown', 'pointerdown']) removeEventListener(type, onTyped);
      removeEventListener('beforeunload', onLeave);
      removeEventListener('storage', onStorage);
    };
  }

  /** Ends typing, which saves it, before the page is closed or reloaded. */
  #saveTyped(): void {
    this.#isLeaving = true;
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    // The user may stay after all.
    setTimeout(() => (this.#isLeaving = false));
  }

  /**
   * Saves input into cells that the node didn't answer before, and says how much. Never rejects: keeps what is refused,
   * with the reason; tries later what gets no answer, or comes while other input of the list is being saved.
   */
  async #saveUnsent(moduleID: string): Promise<void> {
    const { drafts, lists } = this;
    const { unsent } = drafts.draftOf(moduleID);
    if (unsent.length === 0) return;
    // One at a time, to count all pending input together.
    if (this.#savedNow.has(moduleID)) {
      this.saveUnsentLater(moduleID);
      return;
    }
    this.#savedNow.add(moduleID);
    const list = await lists.one(moduleID).catch((problem: unknown) => {
      if (problem instanceof NodeError && isUnanswered(problem)) this.saveUnsentLater(moduleID);
      return undefined;
    });
    let saved = 0;
    for (const input of unsent) {
      const { row, fieldID } = input;
      const column = list?.fields.find((one) => one.fieldID === fieldID);
      if (!column) continue;
      const isAnswered = await this.writes.run([row.recordID], async () => {
        // It may be saved or replaced by now.
        if (!drafts.isKept(input)) return true;
        try {
          if (await this.writes.save(moduleID, row, input, input, column.name)) saved++;
          drafts.dismissInput(input);
          return true;
        } catch (problem) {
          if (!(problem instanceof NodeError)) return true;
          if (!drafts.keepRejected(moduleID, input, problem, this.explain(problem)))
            this.saveUnsentLater(moduleID);
          return problem.status !== 0;
        }
      });
      if (!isAnswered) break;
    }
    this.#savedNow.delete(moduleID);
    if (drafts.unsentLists.length === 0) this.notices.closeText(this.t('error.kept'));
    if (saved > 0) this.notices.say(this.t('grid.kept-saved', { n: saved }));
  }

  /**
   * Applies settings with theme and language; a new language reloads everything, as the node words its texts. Rejects
   * if it can't be loaded.
   */
  async #useSettings(answer: SettingsAnswer): Promise<void> {
    this.#settings = answer;
    if (await this.#speech.applySettings(answer)) this.live.emitHello();
  }

  /** Loads settings; only the connection banner shows a failure. */
  #reloadSettingsQuietly(): void {
    this.reloadSettings().catch(() => undefined);
  }
}

const [useApp, provideApp] = createContext<App>();
export { provideApp, useApp };

class I18n {
  #speech: Speech;
  #wanted: Language;
  readonly format = $derived(createFormat(this.language));

  constructor(speech: Speech) {
    this.#speech = $state.raw(speech);
    this.#wanted = speech.language;
  }

  get language(): Language {
    return this.#speech.language;
  }

  get t(): Translate {
    return this.#speech.t;
  }

  /**
   * Applies language and theme, and keeps them in `localStorage` for the next start. Resolves with whether the language
   * changed; false if later settings wanted another one meanwhile. Rejects if it can't be loaded.
   */
  async applySettings({ settings: { theme, language } }: SettingsAnswer): Promise<boolean> {
    const root = document.documentElement;
    root.dataset.theme = theme;
    localStorage.setItem('footbridge.theme', theme);
    const wanted = chooseLanguage(language, navigator.languages);
    this.#wanted = wanted;
    const isChanged = wanted !== this.language;
    if (isChanged) {
      const t = await loadTranslate(wanted);
      // Other settings may have come meanwhile.
      if (this.#wanted !== wanted) return false;
      this.#speech = { language: wanted, t };
    }
    root.lang = wanted;
    localStorage.setItem('footbridge.language', wanted);
    return isChanged;
  }
}
