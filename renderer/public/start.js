// Runs before the first paint, as a file of its own since the page allows no inline scripts: the window
// appears in the theme and language that it was left in, without a flash of the other.
(() => {
  const root = document.documentElement;
  try {
    root.dataset.theme = localStorage.getItem('footbridge.theme') ?? 'system';
    root.lang = localStorage.getItem('footbridge.language') ?? navigator.language.slice(0, 2);
  } catch {
    root.dataset.theme = 'system';
  }
})();
