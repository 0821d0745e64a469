import { createBrowserRouter } from 'react-router';
import { ErrorScreen } from './error-screen.tsx';
import { LoginPage } from './pages/login-page.tsx';

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
        lazy: async () => ({ Component: (await import('./shell/shell.tsx')).Shell }),
        children: [
          {
            index: true,
            lazy: async () => ({ Component: (await import('./pages/dashboard-index.tsx')).DashboardIndex }),
          },
          {
            path: 'integrations/providers',
            lazy: async () => ({ Component: (await import('./pages/providers-page.tsx')).ProvidersPage }),
          },
          {
            path: 'integrations/synchronizations',
            lazy: async () => ({ Component: (await import('./pages/syncs-page.tsx')).SyncsPage }),
          },
          {
            path: 'integrations/history',
            lazy: async () => ({ Component: (await import('./pages/history-page.tsx')).HistoryPage }),
          },
          {
            path: 'data/query',
            lazy: async () => ({ Component: (await import('./pages/query-page.tsx')).QueryPage }),
          },
          {
            path: 'data/views',
            lazy: async () => ({ Component: (await import('./pages/views-page.tsx')).ViewsPage }),
          },
          {
            path: 'account',
            lazy: async () => ({ Component: (await import('./pages/account-page.tsx')).AccountPage }),
          },
        ],
      },
    ],
  },
]);
