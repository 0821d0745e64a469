import { createContext, useContext } from 'react';

/** True: the user may change things; false: the plan does not allow it; a text: why it is not known. */
export type Permission = boolean | string;

const PermissionContext = createContext<Permission>(false);

/** Filled in by the shell from the plan of the user. */
export const PermissionProvider = PermissionContext.Provider;

/** True when the plan of the user may change things; the controls that need it are disabled otherwise. */
export function useMayChange(): boolean {
  return useContext(PermissionContext) === true;
}

const PLAN_FORBIDS = 'Not available on the demo plan';

/** Returns what a disabled control says on hover; undefined when the user may change things. */
export function useForbiddenReason(): string | undefined {
  const permission = useContext(PermissionContext);
  if (permission === true) return undefined;
  return permission === false ? PLAN_FORBIDS : permission;
}
