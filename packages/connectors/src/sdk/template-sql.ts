import type { DocumentsTemplate } from './table.ts';

/** Returns the expression that writes an instant with whole seconds in UTC. */
export function instantText(sql: string): string {
  return `to_char(${sql} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS"Z"')`;
}

/** Returns the expression for the month of an instant in UTC, as tables declare it among their groups. */
export function monthOf(sql: string): string {
  return `date_trunc('month', ${sql} at time zone 'UTC')`;
}

/** Returns the expression for the full days from an instant until now. */
export function daysSince(sql: string): string {
  return `floor(extract(epoch from now() - ${sql}) / 86400)::int`;
}

/** Returns the expression for a percentile of hours or another number, with one decimal place. */
export function percentile(share: number, sql: string): string {
  return `round(percentile_cont(${share}) within group (order by ${sql})::numeric, 1)`;
}

/** Returns the template that lists all documents of an entity, the newest first. */
export function allDocuments(
  template: Pick<DocumentsTemplate, 'key' | 'title' | 'description' | 'columns'>,
): DocumentsTemplate {
  return {
    ...template,
    kind: 'documents',
    orderBy: [
      { by: 'occurred_at', descending: true },
      { by: 'id', descending: true },
    ],
  };
}
