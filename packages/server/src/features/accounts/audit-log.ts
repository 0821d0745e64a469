import { type AdminAction, type AuditEntry, type AuditLog, PAGE_SIZES } from '@datadeck/contract';
import { and, count, desc, eq, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Queryable } from '../../platform/db/database.ts';
import { auditEntries, users } from './tables.ts';

/** Number of entries that are kept. */
const MAX_ENTRIES = 10_000;

/** Who does what an administrator may do: an account, a command of `datadeck`, or Datadeck itself. */
export type Actor = { kind: 'account'; id: string } | { kind: 'shell' | 'server' };

/** A command of `datadeck`: the person who can run it may do everything. */
export const SHELL: Actor = { kind: 'shell' };

/** An action of an administrator on an account. */
export interface AuditedAction {
  actor: Actor;
  action: AdminAction;
  /** The account that is changed; null for what belongs to the server. */
  accountId: string | null;
  /** What changes, without anything personal. */
  detail?: string;
}

/** Adds an entry to the audit log, in the transaction of the action. */
export async function recordAction(
  tx: Queryable,
  { actor, action, accountId, detail = '' }: AuditedAction,
): Promise<void> {
  const actorId = actor.kind === 'account' ? actor.id : null;
  await tx.insert(auditEntries).values({ actor: actor.kind, actorId, action, accountId, detail });
}

/** Finds the account that was the last to do something, e.g. `connector-edited` with the detail `helpdesk`; `name` is null once it is deleted. */
export async function findLastActor(
  db: Queryable,
  action: AdminAction,
  detail: string,
): Promise<{ id: string | null; name: string | null } | undefined> {
  const [last] = await db
    .select({ id: auditEntries.actorId, name: users.name })
    .from(auditEntries)
    .leftJoin(users, eq(users.id, auditEntries.actorId))
    .where(and(eq(auditEntries.action, action), eq(auditEntries.detail, detail)))
    .orderBy(desc(auditEntries.id))
    .limit(1);
  return last;
}

function named(id: string, user: { name: string; email: string } | null): AuditEntry['account'] {
  return user === null ? { _id: id } : { _id: id, name: user.name, email: user.email };
}

/** Returns a page of 20 entries, newest first, with the names of the accounts that still exist. */
export async function listAuditEntries(db: Queryable, page: number): Promise<AuditLog> {
  const [actors, changed] = [alias(users, 'actors'), alias(users, 'changed')];
  const rows = await db
    .select({
      entry: auditEntries,
      actor: { name: actors.name, email: actors.email },
      account: { name: changed.name, email: changed.email },
    })
    .from(auditEntries)
    .leftJoin(actors, eq(actors.id, auditEntries.actorId))
    .leftJoin(changed, eq(changed.id, auditEntries.accountId))
    .orderBy(desc(auditEntries.id))
    .limit(PAGE_SIZES.results)
    .offset((page - 1) * PAGE_SIZES.results);
  const [counted] = await db.select({ n: count() }).from(auditEntries);
  const results = rows.map(({ entry, actor, account }) => ({
    _id: String(entry.id),
    at: entry.at.toISOString(),
    actor: entry.actor,
    by: entry.actorId === null ? null : named(entry.actorId, actor),
    action: entry.action,
    account: entry.accountId === null ? null : named(entry.accountId, account),
    detail: entry.detail,
  }));
  return { results, count: counted?.n ?? 0 };
}

/** Deletes the oldest entries beyond 10,000. */
export async function deleteOldAuditEntries(db: Queryable, kept = MAX_ENTRIES): Promise<void> {
  await db.execute(sql`
    delete from audit_entries where id <= (select id from audit_entries order by id desc offset ${kept} limit 1)`);
}
