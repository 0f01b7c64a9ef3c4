import { mount } from 'svelte';
import App from './app.svelte';
import './styles/window.css';

const PATIENCE_MS = 1000;

/**
 * Shows the window once its typeface is loaded, so that no text changes its width later; at the latest after a
 * second.
 */
async function start(target: Element): Promise<void> {
  const typeface = document.fonts.load('1em "IBM Plex Sans Variable"', 'aŁ');
  await Promise.race([
    typeface.catch(() => undefined),
    new Promise((resolve) => setTimeout(resolve, PATIENCE_MS)),
  ]);
  mount(App, { target });
}

const target = document.querySelector('#window');
if (target) void start(target);
