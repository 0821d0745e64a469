/** The build that this tab was reloaded for, by its entry script. */
const KEY = 'dd-reloadedFor';

/** Returns the address of a page's entry script; empty: it has none. */
function entryOf(page: Document): string {
  return page.querySelector('script[type="module"][src]')?.getAttribute('src') ?? '';
}

const reload = () => window.location.reload();

/** Returns the entry script of the build that the server has now. @throws when the server cannot be reached */
async function servedEntry(): Promise<string> {
  const response = await fetch('/', { cache: 'no-store', headers: { accept: 'text/html' } });
  if (!response.ok) throw new Error(`${response.status} ${response.statusText}`);
  return entryOf(new DOMParser().parseFromString(await response.text(), 'text/html'));
}

/** Notes the build as the one reloaded for. Returns false when it already was, or when nothing can be noted. */
function isFirstReloadFor(entry: string): boolean {
  try {
    if (sessionStorage.getItem(KEY) === entry) return false;
    sessionStorage.setItem(KEY, entry);
    return true;
  } catch {
    return false;
  }
}

/** Reloads a tab whose code is gone because the server has a newer build: once for each build. */
export async function reloadForNewerBuild(leave = reload): Promise<void> {
  try {
    const entry = await servedEntry();
    if (entry !== '' && entry !== entryOf(document) && isFirstReloadFor(entry)) leave();
  } catch {
    // The server cannot be reached: the message stays.
  }
}

/** Reloads the page if the server answers. Returns false if it does not: the page would be lost. */
export async function reloadIfReachable(leave = reload): Promise<boolean> {
  try {
    await servedEntry();
  } catch {
    return false;
  }
  leave();
  return true;
}
