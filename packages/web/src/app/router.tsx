import { createBrowserRouter } from 'react-router';
import { ErrorScreen } from './error-screen.tsx';
import { LoginPage } from './pages/login-page.tsx';
import { SCREENS } from './screens.ts';

/** The screens. All but the login are loaded when they are first opened. */
export const router = createBrowserRouter([
  {
    path: '/',
    ErrorBoundary: ErrorScreen,
    HydrateFallback: () => null,
    children: [
      { index: true, Component: LoginPage },
      {
        path: 'dashboard',
        lazy: async () => ({ Component: (await SCREENS.shell()).Shell }),
        children: [
          {
            index: true,
            lazy: async () => ({ Component: (await SCREENS.dashboardIndex()).DashboardIndex }),
          },
          {
            path: 'integrations/providers',
            lazy: async () => ({ Component: (await SCREENS.providers()).ProvidersPage }),
          },
          {
            path: 'integrations/synchronizations',
            lazy: async () => ({ Component: (await SCREENS.syncs()).SyncsPage }),
          },
          {
            path: 'integrations/history',
            lazy: async () => ({ Component: (await SCREENS.history()).HistoryPage }),
          },
          {
            path: 'data/query',
            lazy: async () => ({ Component: (await SCREENS.query()).QueryPage }),
          },
          {
            path: 'data/views',
            lazy: async () => ({ Component: (await SCREENS.views()).ViewsPage }),
          },
          {
            path: 'account',
            lazy: async () => ({ Component: (await SCREENS.account()).AccountPage }),
          },
        ],
      },
    ],
  },
]);
