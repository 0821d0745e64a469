/** The screens that are loaded when they are first opened: all but the login. */
export const SCREENS = {
  shell: () => import('./shell/shell.tsx'),
  dashboardIndex: () => import('./pages/dashboard-index.tsx'),
  providers: () => import('./pages/providers-page.tsx'),
  syncs: () => import('./pages/syncs-page.tsx'),
  history: () => import('./pages/history-page.tsx'),
  query: () => import('./pages/query-page.tsx'),
  views: () => import('./pages/views-page.tsx'),
  account: () => import('./pages/account-page.tsx'),
};

/** Begins to load what follows a sign-in, so that it is there when the answer is. */
export function preloadDashboard(): void {
  // A failure shows when the screen is opened.
  Promise.all([SCREENS.shell(), SCREENS.dashboardIndex(), SCREENS.providers()]).catch(() => {});
}
