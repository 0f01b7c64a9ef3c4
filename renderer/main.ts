import { mount } from 'svelte';
import App from './app.svelte';
import './styles/window.css';
import { loadPage, preloadPages } from './places/pages.svelte.ts';
import { parseRoute } from './state/route.ts';
import { chooseLanguage, loadTranslate } from './text/catalogue.ts';

const PATIENCE_MS = 1000;
/** The first page loads its data first. */
const PRELOAD_AFTER_MS = 1000;

/**
 * Mounts the window's app in `target` once its texts, its page and, within a second, the typeface are loaded, so that
 * no text changes its width later. Loads the other pages a second after.
 */
async function start(target: Element): Promise<void> {
  const typeface = document.fonts.load('1em "IBM Plex Sans Variable"', 'aŁ');
  const language = chooseLanguage('system', [document.documentElement.lang]);
  // Places shows a failure.
  const page = loadPage(parseRoute(location.hash).place).catch(() => undefined);
  const t = await loadTranslate(language);
  await page;
  await Promise.race([
    typeface.catch(() => undefined),
    new Promise((resolve) => setTimeout(resolve, PATIENCE_MS)),
  ]);
  mount(App, { target, props: { speech: { language, t } } });
  setTimeout(() => void preloadPages(), PRELOAD_AFTER_MS);
}

const target = document.querySelector('#window');
if (target) void start(target);
