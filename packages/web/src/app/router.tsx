import { createBrowserRouter } from 'react-router';
import { LoginPage } from '../features/sign-in/login-page.tsx';
import { ErrorContent, ErrorScreen } from './error-screen.tsx';
import { preloadDashboard, SCREENS } from './screens.ts';

/** The routes of the app. */
export const router = createBrowserRouter([
  {
    path: '/',
    ErrorBoundary: ErrorScreen,
    HydrateFallback: () => null,
    children: [
      { index: true, element: <LoginPage preload={preloadDashboard} /> },
      {
        path: 'dashboard',
        lazy: SCREENS.shell,
        children: [
          {
            ErrorBoundary: ErrorContent,
            children: [
              { index: true, lazy: SCREENS.dashboardIndex },
              { path: 'home', lazy: SCREENS.home },
              { path: 'integrations/providers', lazy: SCREENS.providers },
              { path: 'integrations/synchronizations', lazy: SCREENS.syncs },
              { path: 'integrations/history', lazy: SCREENS.history },
              { path: 'integrations/connectors/:key?', lazy: SCREENS.connectors },
              { path: 'data/search', lazy: SCREENS.search },
              { path: 'data/query', lazy: SCREENS.query },
              { path: 'data/views', lazy: SCREENS.views },
              { path: 'data/boards', lazy: SCREENS.boards },
              { path: 'data/alerts', lazy: SCREENS.alerts },
              { path: 'shared', lazy: SCREENS.shared },
              { path: 'shared/invitation', lazy: SCREENS.invitation },
              { path: 'shared/:sharedId', lazy: SCREENS.sharedThing },
              { path: 'account', lazy: SCREENS.account },
              { path: 'admin', lazy: SCREENS.admin },
            ],
          },
        ],
      },
    ],
  },
]);
