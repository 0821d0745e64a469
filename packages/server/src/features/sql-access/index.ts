export { revokeFromPublic } from './rights.ts';
export {
  createSqlRole,
  deleteSqlRoles,
  endLongSqlSessions,
  listSqlRoles,
  revokeSqlRole,
  type SqlRole,
} from './roles.ts';
export { SQL_ROLE_TABLES } from './tables.ts';
export { createSqlViews, prepareSqlViews } from './views.ts';
