import { createContext, useContext } from 'react';

const PermissionContext = createContext(false);

/** Filled in by the shell from the plan of the user. */
export const PermissionProvider = PermissionContext.Provider;

/** True when the plan of the user may change things; the controls that need it are disabled otherwise. */
export function useMayChange(): boolean {
  return useContext(PermissionContext);
}

/** What a disabled control says on hover. */
export const PLAN_FORBIDS = 'Not available on the demo plan';
