import { useEffect, useState } from 'react';
import { Navigate } from 'react-router';
import { PATHS } from '../address/paths.ts';
import { endedSessionAddress, forgetEndedSession } from '../state/ended-session.ts';

/** The dashboard has no screen of its own: once loaded, it goes to the providers, or back to where a session had ended. */
export function DashboardIndex() {
  const [address] = useState(endedSessionAddress);
  useEffect(forgetEndedSession, []);
  return <Navigate to={address ?? PATHS.providers} replace />;
}
