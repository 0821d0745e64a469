import { useEffect, useState } from 'react';
import { Navigate } from 'react-router';
import { PATHS } from '../address/paths.ts';
import { endedSessionAddress, forgetEndedSession } from '../features/sign-in/ended-session.ts';

/** Redirects `/dashboard` to the providers, or back to the screen where the previous session ended. */
export function DashboardIndex() {
  const [address] = useState(endedSessionAddress);
  useEffect(forgetEndedSession, []);
  return <Navigate to={address ?? PATHS.providers} replace />;
}
