const KEY = 'dd-reloadedAt';
/** Milliseconds within which a second failure is not answered by another reload. */
const PAUSE = 10_000;

/** A tab that was open while the server got a newer build asks for files that are gone: it loads the page anew, once. */
export function reloadWhenStale(): void {
  window.addEventListener('vite:preloadError', (event) => {
    const last = Number(sessionStorage.getItem(KEY) ?? 0);
    if (Date.now() - last < PAUSE) return;
    sessionStorage.setItem(KEY, String(Date.now()));
    event.preventDefault();
    window.location.reload();
  });
}
