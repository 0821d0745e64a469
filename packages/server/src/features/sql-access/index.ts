export {
  endLongSqlSessions,
  endSqlTransactions,
  guardSqlRoles,
  listChangedPasswords,
  listMissingRestrictions,
  SQL_ROLE_QUEUE,
  scheduleSqlRoleGuard,
} from './guard.ts';
export { listRevokes, revokeFromPublic } from './rights.ts';
export {
  createSqlRole,
  deleteSqlRoles,
  isSuperuser,
  listSqlRoles,
  revokeSqlRole,
  type SqlRole,
} from './roles.ts';
export { SQL_ROLE_TABLES } from './tables.ts';
export { createSqlViews, prepareSqlAccess, prepareViews } from './views.ts';
