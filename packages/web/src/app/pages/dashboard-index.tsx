import { Navigate } from 'react-router';
import { PATHS } from '../paths.ts';

/** The dashboard has no screen of its own: once loaded, it goes to the providers. */
export function DashboardIndex() {
  return <Navigate to={PATHS.providers} replace />;
}
