import { fetchCode } from '../ui/fetch-code.ts';

/** The screens that are loaded when they are first opened: all but the login. */
export const SCREENS = {
  shell: async () => ({ Component: await fetchCode(async () => (await import('./shell/shell.tsx')).Shell) }),
  dashboardIndex: async () => ({
    Component: await fetchCode(async () => (await import('./pages/dashboard-index.tsx')).DashboardIndex),
  }),
  providers: async () => ({
    Component: await fetchCode(async () => (await import('./pages/providers-page.tsx')).ProvidersPage),
  }),
  syncs: async () => ({
    Component: await fetchCode(async () => (await import('./pages/syncs-page.tsx')).SyncsPage),
  }),
  history: async () => ({
    Component: await fetchCode(async () => (await import('./pages/history-page.tsx')).HistoryPage),
  }),
  query: async () => ({
    Component: await fetchCode(async () => (await import('./pages/query-page.tsx')).QueryPage),
  }),
  views: async () => ({
    Component: await fetchCode(async () => (await import('./pages/views-page.tsx')).ViewsPage),
  }),
  account: async () => ({
    Component: await fetchCode(async () => (await import('./pages/account-page.tsx')).AccountPage),
  }),
};

/** Begins to load what follows a sign-in, so that it is there when the answer is. */
export function preloadDashboard(): void {
  // A failure shows when the screen is opened.
  Promise.all([SCREENS.shell(), SCREENS.dashboardIndex(), SCREENS.providers()]).catch(() => {});
}
