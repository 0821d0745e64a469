/** Paths of the screens. */
export const PATHS = {
  login: '/',
  dashboard: '/dashboard',
  home: '/dashboard/home',
  providers: '/dashboard/integrations/providers',
  syncs: '/dashboard/integrations/synchronizations',
  history: '/dashboard/integrations/history',
  connectors: '/dashboard/integrations/connectors',
  search: '/dashboard/data/search',
  query: '/dashboard/data/query',
  views: '/dashboard/data/views',
  boards: '/dashboard/data/boards',
  alerts: '/dashboard/data/alerts',
  account: '/dashboard/account',
  admin: '/dashboard/admin',
} as const;

/** Paths of what other users share with the user. */
export const SHARED_PATHS = {
  list: '/dashboard/shared',
  invitation: '/dashboard/shared/invitation',
} as const;

/** Adds query parameters to a path; omits empty ones. */
export function withSearch(path: string, params: Record<string, string>): string {
  const search = new URLSearchParams(Object.entries(params).filter(([, value]) => value !== ''));
  return search.size === 0 ? path : `${path}?${search}`;
}
