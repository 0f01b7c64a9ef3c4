// Sets theme and language before the first paint, against a flash. A file of its own, as the page allows no
// inline scripts.
(() => {
  const root = document.documentElement;
  try {
    root.dataset.theme = localStorage.getItem('footbridge.theme') ?? 'system';
    root.lang = localStorage.getItem('footbridge.language') ?? navigator.language.slice(0, 2);
  } catch {
    root.dataset.theme = 'system';
  }
})();
