/** The session storage key of the build that this tab was last reloaded for: the path of its entry script. */
const KEY = 'dd-reloadedFor';

/** Returns the path of a page's entry script; empty when it has none. */
function entryOf(page: Document): string {
  return page.querySelector('script[type="module"][src]')?.getAttribute('src') ?? '';
}

const reload = () => window.location.reload();

/** Returns the entry script of the build that the server has now. @throws if the server cannot be reached */
async function servedEntry(): Promise<string> {
  const response = await fetch('/', { cache: 'no-store', headers: { accept: 'text/html' } });
  if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
  return entryOf(new DOMParser().parseFromString(await response.text(), 'text/html'));
}

/** Records the build before a reload. Returns false if it was recorded before, or if session storage is disabled. */
function isFirstReloadFor(entry: string): boolean {
  try {
    if (sessionStorage.getItem(KEY) === entry) return false;
    sessionStorage.setItem(KEY, entry);
    return true;
  } catch {
    return false;
  }
}

/** Reloads the tab if the server has a newer build, which replaced this tab's code. Reloads once per build. */
export async function reloadForNewerBuild(leave = reload): Promise<void> {
  try {
    const entry = await servedEntry();
    if (entry !== '' && entry !== entryOf(document) && isFirstReloadFor(entry)) leave();
  } catch {
    // The server cannot be reached, so the error message stays.
  }
}

/** Reloads the page if the server responds. Returns false if not, since a reload would lose the page. */
export async function reloadIfReachable(leave = reload): Promise<boolean> {
  try {
    await servedEntry();
  } catch {
    return false;
  }
  leave();
  return true;
}
