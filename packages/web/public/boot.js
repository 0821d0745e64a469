// A classic script, so that it runs before the first paint and before any module.
(() => {
  // A stored dark theme must not flash light; app/state/theme.ts does the rest. Shared pages read nothing that is stored.
  let choice = 'system';
  try {
    if (!document.currentScript.dataset.unstored)
      choice = JSON.parse(localStorage.getItem('dd-theme') || '"system"');
  } catch {}
  const dark =
    choice === 'dark' || (choice !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.dataset.theme = dark ? 'dark' : 'light';

  // goober (react-hot-toast) writes its first styles while its module loads; it and get-nonce (Radix) read the nonce here.
  const nonce = document.querySelector('meta[name="csp-nonce"]')?.content;
  if (nonce && !nonce.startsWith('__')) {
    globalThis.__nonce__ = nonce;
    globalThis.__webpack_nonce__ = nonce;
  }

  // Without this, zod tries `new Function` for each schema, which the page's policy reports.
  globalThis.__zod_globalConfig = { jitless: true };
})();
