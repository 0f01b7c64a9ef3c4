import { createContext } from 'svelte';
import type { Overview, PartnerColour } from '../../server/contract/app/overview.ts';
import type { SettingsAnswer, SettingsChange } from '../../server/contract/app/settings.ts';
import { createHttp } from '../api/http.ts';
import { createListsApi, type ListsApi } from '../api/lists.ts';
import { createOfficeApi, type OfficeApi } from '../api/office.ts';
import { createPartnersApi, type PartnersApi } from '../api/partners.ts';
import { chooseLanguage, createTranslate, type Language, type Translate } from '../text/catalogue.ts';
import { createFormat, localeOf, type Format } from '../text/format.ts';
import { explain as inWords } from './explain.ts';
import { createHelp, type Help } from './help.svelte.ts';
import { createLive, type Live } from './live.svelte.ts';
import { createNotices, type Notices } from './notices.svelte.ts';
import { parseRoute, type Route } from './route.ts';
import { createRunning, type Running } from './running.svelte.ts';
import { dueAt, GRACE_MS } from './standing.ts';
import { createTour, type Tour } from './tour.svelte.ts';

/** What every part of the window works with; handed down as Svelte context. */
export interface App {
  readonly office: OfficeApi;
  readonly partners: PartnersApi;
  readonly lists: ListsApi;
  readonly live: Live;
  readonly notices: Notices;
  readonly help: Help;
  readonly tour: Tour;
  readonly running: Pick<Running, 'of' | 'all'>;
  readonly route: Route;
  readonly overview: Overview | undefined;
  readonly settings: SettingsAnswer | undefined;
  /** Why they could not be read the last time. */
  readonly settingsProblem: unknown;
  readonly language: Language;
  readonly t: Translate;
  readonly format: Format;
  /** Milliseconds; moves on every half minute, so that `3 minutes ago` stays true. */
  readonly now: number;
  /** Whom this window asked to connect, until their page has heard of it: they may have agreed before it opens. */
  readonly asked: Set<string>;
  /** A partner's colour; undefined for one that is no more. */
  colourOf(nodeID: string): PartnerColour | undefined;
  go(hash: string): void;
  changeSettings(change: SettingsChange): Promise<void>;
  reloadOverview(): Promise<void>;
  /** What goes with the settings, the room taken on the disk above all, changes without an event. */
  reloadSettings(): Promise<void>;
  /** Runs what the user asked for; if it fails, says why and gives undefined. */
  attempt<T>(task: () => Promise<T>, retry?: () => void): Promise<T | undefined>;
  /** The words for something that went wrong. */
  explain(problem: unknown): string;
  start(): () => void;
}

const [useApp, provideApp] = createContext<App>();
export { provideApp, useApp };

const TICK_MS = 30_000;
const A_MOMENT_MS = 100;
/** The overview is not asked for more often than this because its time is up. */
const LEAST_BETWEEN_MS = 2_000;

export function createApp(): App {
  let route = $state.raw(parseRoute(location.hash));
  let overview = $state.raw<Overview>();
  let settings = $state.raw<SettingsAnswer>();
  let settingsProblem = $state.raw<unknown>();
  let now = $state(Date.now());
  let language = $state<Language>(chooseLanguage('system', [document.documentElement.lang]));
  /** The grid asks for each of its rows. */
  const colours = $derived(new Map(overview?.partners.map(({ nodeID, colour }) => [nodeID, colour])));
  const t = $derived(createTranslate(language));
  const format = $derived(createFormat(language));

  const live = createLive('/app/events', (url) => new EventSource(url));
  const http = createHttp({
    fetch: (input, init) => fetch(input, init),
    onStatus: (status) => live.heard(status),
    language: () => localeOf(language),
  });
  const office = createOfficeApi(http);
  const notices = createNotices();
  const running = createRunning();

  const explain = (problem: unknown): string => inWords(problem, t);

  async function attempt<T>(task: () => Promise<T>, retry?: () => void): Promise<T | undefined> {
    notices.pass();
    try {
      return await task();
    } catch (problem) {
      notices.fail(explain(problem), retry ? { label: t('action.try-again'), run: retry } : undefined);
      return undefined;
    }
  }

  function useSettings(answer: SettingsAnswer): void {
    settings = answer;
    const { theme, language: wanted } = answer.settings;
    const before = language;
    language = chooseLanguage(wanted, navigator.languages);
    const root = document.documentElement;
    root.dataset.theme = theme;
    root.lang = language;
    localStorage.setItem('footbridge.theme', theme);
    localStorage.setItem('footbridge.language', language);
    // The node's own sentences come in the language that was asked for.
    if (language !== before) live.renew();
  }

  const reloadOverview = async (): Promise<void> => {
    overview = await office.overview();
    running.settle(overview.partners);
    now = Date.now();
    askWhenDue(overview);
  };
  let due: ReturnType<typeof setTimeout> | undefined;
  /** What was good is asked for anew before it is no longer known; without an answer, it is no longer shown. */
  function askWhenDue(known: Overview): void {
    clearTimeout(due);
    const times = [known, ...known.partners].flatMap((each) => dueAt(each) ?? []);
    if (times.length === 0) return;
    due = setTimeout(
      () => {
        due = setTimeout(() => (now = Date.now()), GRACE_MS + A_MOMENT_MS);
        quietly(reloadOverview);
      },
      Math.max(LEAST_BETWEEN_MS, Math.min(...times) - Date.now()),
    );
  }
  const reloadSettings = async (): Promise<void> => {
    try {
      useSettings(await office.settings());
      settingsProblem = undefined;
    } catch (problem) {
      settingsProblem = problem;
      throw problem;
    }
  };
  /** A reload that fails is said by the banner about the connection; the stream brings the next one. */
  const quietly = (task: () => Promise<void>): void => void task().catch(() => undefined);

  let gathered: ReturnType<typeof setTimeout> | undefined;
  function follow(): void {
    gathered ??= setTimeout(() => {
      gathered = undefined;
      quietly(reloadOverview);
    }, 80);
  }

  return {
    office,
    partners: createPartnersApi(http),
    lists: createListsApi(http),
    live,
    notices,
    help: createHelp(),
    tour: createTour(),
    running,
    get route() {
      return route;
    },
    get overview() {
      return overview;
    },
    get settings() {
      return settings;
    },
    get settingsProblem() {
      return settingsProblem;
    },
    get language() {
      return language;
    },
    get t() {
      return t;
    },
    get format() {
      return format;
    },
    get now() {
      return now;
    },
    asked: new Set(),
    colourOf: (nodeID) => colours.get(nodeID),
    go: (hash) => (location.hash = hash),
    async changeSettings(change) {
      useSettings(await office.changeSettings(change));
    },
    reloadOverview,
    reloadSettings,
    attempt,
    explain,
    start() {
      const onHash = (): void => {
        route = parseRoute(location.hash);
        notices.pass();
      };
      addEventListener('hashchange', onHash);
      const tick = setInterval(() => (now = Date.now()), TICK_MS);
      const off = live.on((event) => {
        if (event.type === 'settings' || event.type === 'hello') quietly(reloadSettings);
        if (event.type === 'progress') running.heard(event.progress);
        else follow();
      });
      quietly(reloadSettings);
      quietly(reloadOverview);
      live.start();
      return () => {
        off();
        live.stop();
        clearInterval(tick);
        clearTimeout(due);
        removeEventListener('hashchange', onHash);
      };
    },
  };
}
