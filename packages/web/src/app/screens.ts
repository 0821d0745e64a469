import { fetchCode } from '../ui/fetch-code.ts';

/** The screens that are loaded on first use: all except the login. */
export const SCREENS = {
  shell: async () => ({ Component: await fetchCode(async () => (await import('./shell/shell.tsx')).Shell) }),
  dashboardIndex: async () => ({
    Component: await fetchCode(async () => (await import('./dashboard-index.tsx')).DashboardIndex),
  }),
  home: async () => ({
    Component: await fetchCode(async () => (await import('./home/home-screen.tsx')).HomeScreen),
  }),
  providers: async () => ({
    Component: await fetchCode(
      async () => (await import('./first-steps/providers-screen.tsx')).ProvidersScreen,
    ),
  }),
  syncs: async () => ({
    Component: await fetchCode(async () => (await import('../features/sync/syncs-page.tsx')).SyncsPage),
  }),
  history: async () => ({
    Component: await fetchCode(async () => (await import('../features/sync/history-page.tsx')).HistoryPage),
  }),
  connectors: async () => ({
    Component: await fetchCode(
      async () => (await import('../features/connectors/connectors-page.tsx')).ConnectorsPage,
    ),
  }),
  search: async () => ({
    Component: await fetchCode(async () => (await import('../features/search/search-page.tsx')).SearchPage),
  }),
  query: async () => ({
    Component: await fetchCode(async () => (await import('../features/queries/query-page.tsx')).QueryPage),
  }),
  views: async () => ({
    Component: await fetchCode(async () => (await import('../features/views/views-page.tsx')).ViewsPage),
  }),
  boards: async () => ({
    Component: await fetchCode(async () => (await import('../features/board-page/board-page.tsx')).BoardPage),
  }),
  alerts: async () => ({
    Component: await fetchCode(async () => (await import('../features/alerts/alerts-page.tsx')).AlertsPage),
  }),
  shared: async () => ({
    Component: await fetchCode(
      async () => (await import('../features/shared-with-me/shared-list-page.tsx')).SharedListPage,
    ),
  }),
  sharedThing: async () => ({
    Component: await fetchCode(
      async () => (await import('../features/shared-with-me/shared-thing-page.tsx')).SharedThingPage,
    ),
  }),
  invitation: async () => ({
    Component: await fetchCode(
      async () => (await import('../features/invitations/invitation-page.tsx')).InvitationPage,
    ),
  }),
  account: async () => ({
    Component: await fetchCode(
      async () => (await import('../features/account/account-page.tsx')).AccountPage,
    ),
  }),
  admin: async () => ({
    Component: await fetchCode(
      async () => (await import('../features/administration/admin-page.tsx')).AdminPage,
    ),
  }),
};

/** Starts to load the first screens after the sign-in, in parallel with the sign-in request. */
export function preloadDashboard(): void {
  // Ignore failures here: the router reports them when the screen is opened.
  Promise.all([SCREENS.shell(), SCREENS.dashboardIndex(), SCREENS.providers()]).catch(() => {});
}
