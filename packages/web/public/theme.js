// Runs before the first paint, so that a stored dark theme does not flash light. app/theme.ts does the rest.
(() => {
  let choice = 'system';
  try {
    choice = JSON.parse(localStorage.getItem('dd-theme') || '"system"');
  } catch {}
  const dark =
    choice === 'dark' || (choice !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';
})();
