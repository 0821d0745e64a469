import { createContext, useContext } from 'react';

/** True: the user may change data. False: the plan does not allow it. A text: why it is not yet known. */
export type Permission = boolean | string;

const PermissionContext = createContext<Permission>(false);

/** Provides the permission; the shell derives it from the user's plan. */
export const PermissionProvider = PermissionContext.Provider;

/** Returns true when the user's plan allows changes. Controls that change data are disabled otherwise. */
export function useMayChange(): boolean {
  return useContext(PermissionContext) === true;
}

const PLAN_FORBIDS = 'Not available on the demo plan';

/** Returns the tooltip of a disabled control; undefined when the user may change data. */
export function useForbiddenReason(): string | undefined {
  const permission = useContext(PermissionContext);
  if (permission === true) return undefined;
  return permission === false ? PLAN_FORBIDS : permission;
}
