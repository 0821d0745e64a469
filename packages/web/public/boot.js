// A classic script, so that it runs before the first paint and before any module.
(() => {
  // A stored dark theme must not flash light; app/theme.ts does the rest.
  let choice = 'system';
  try {
    choice = JSON.parse(localStorage.getItem('dd-theme') || '"system"');
  } catch {}
  const dark =
    choice === 'dark' || (choice !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';

  // goober (react-hot-toast) writes its first styles while its module loads, and reads the nonce from here.
  const nonce = document.querySelector('meta[name="csp-nonce"]')?.content;
  if (nonce && !nonce.startsWith('__')) window.__nonce__ = nonce;

  // Without it zod tries `new Function` as soon as a schema is made, which the page's policy reports.
  globalThis.__zod_globalConfig = { jitless: true };
})();
