import { pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../../platform/db/columns.ts';

/** Invitations of a user to a view or board. An ended one has no row; an accepted one is what its member reads by. */
export const invitations = pgTable(
  'invitations',
  {
    userId: uuid().notNull(),
    id: uuid().notNull(),
    viewId: uuid(),
    boardId: uuid(),
    /** Fixed values of the parameters as JSON. */
    parameters: text(),
    /** SHA-256 of the secret of the link. */
    hash: text().notNull(),
    createdAt: instant().notNull().defaultNow(),
    /** Until when it can be accepted. */
    expiresAt: instant().notNull(),
    /** The account that accepted it. */
    memberId: uuid(),
    acceptedAt: instant(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.id] })],
);

/** The accepted invitations of a member, whose user it names: a list of them reads the rows of the member alone. */
export const sharedWith = pgTable(
  'shared_with',
  {
    userId: uuid().notNull(),
    /** Id of the invitation. */
    id: uuid().notNull(),
    /** Who shares. */
    ownerId: uuid().notNull(),
    acceptedAt: instant().notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.id] })],
);
