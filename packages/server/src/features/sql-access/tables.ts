import { pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../../platform/db/columns.ts';

/**
 * Roles of PostgreSQL that read the records of one user through the views of `views.ts`. The key is the role alone,
 * because a session is known by its role, before its user.
 */
export const sqlRoles = pgTable('sql_roles', {
  role: text().primaryKey(),
  userId: uuid().notNull(),
  /** What uses the role. */
  name: text().notNull(),
  /** PostgreSQL's verifier of its password. Null for roles of earlier versions until their password was read. */
  verifier: text(),
  createdAt: instant().notNull().defaultNow(),
});

/** Tables that backups leave out: roles are part of the database server. */
export const SQL_ROLE_TABLES = ['sql_roles'] as const;
