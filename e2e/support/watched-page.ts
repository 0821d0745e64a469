import type { Page } from '@playwright/test';

/** What a page did beyond showing hostile content. */
export interface WatchedPage {
  /** Requests to other servers, dialogs, and further pages. */
  forbidden: string[];
  /** Returns the longest time since the last call in which the page did not respond, ms. */
  takeLongestGap(): Promise<number>;
}

/** Signs the page in, and notes what it does beyond showing content, and how long it does not respond. */
export async function watchPage(page: Page, url: string, token: string): Promise<WatchedPage> {
  const forbidden: string[] = [];
  page.on('request', (request) => {
    const to = request.url();
    if (!to.startsWith(url) && !/^(about|data|blob):/.test(to)) forbidden.push(to);
  });
  page.on('dialog', (dialog) => {
    forbidden.push(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.context().on('page', (other) => forbidden.push(`a page: ${other.url()}`));
  await page.addInitScript((stored) => {
    if (!location.protocol.startsWith('http')) return;
    localStorage.setItem('dd-authToken', JSON.stringify(stored));
    const measured = window as unknown as { longestGap: number };
    let last = performance.now();
    measured.longestGap = 0;
    setInterval(() => {
      const now = performance.now();
      measured.longestGap = Math.max(measured.longestGap, now - last);
      last = now;
    }, 20);
  }, token);
  return {
    forbidden,
    takeLongestGap: () =>
      page.evaluate(() => {
        const measured = window as unknown as { longestGap: number };
        const gap = measured.longestGap;
        measured.longestGap = 0;
        return gap;
      }),
  };
}
