import type { DocumentEntity } from '@datadeck/contract/connector-document';
import { type ConnectorRecord, sinceTime } from '../sdk/index.ts';
import type { Variables } from './document-task.ts';

/** The column of an entity that grows with each change: a time, or a number. */
export class GrowingColumn {
  readonly #incremental: DocumentEntity['incremental'];
  /** Whether it is a time. */
  readonly isTime: boolean;

  /** Takes an entity that may have no such column. */
  constructor({ incremental, columns }: Pick<DocumentEntity, 'incremental' | 'columns'>) {
    this.#incremental = incremental;
    this.isTime = incremental !== undefined && columns[incremental.column]?.type === 'time';
  }

  /** Returns its value in a record, ms since 1970 or a number; undefined without one. */
  of({ columns }: Pick<ConnectorRecord, 'columns'>): number | undefined {
    const value = this.#incremental === undefined ? null : columns[this.#incremental.column];
    if (value instanceof Date) return value.getTime();
    return typeof value === 'number' ? value : undefined;
  }

  /** Returns its values in records that have one. */
  allOf(records: readonly ConnectorRecord[]): number[] {
    return records.map((record) => this.of(record)).filter((value) => value !== undefined);
  }

  /** Returns the value from which a run reads; undefined for a run that reads all. */
  from(after: number | null, since: string | undefined): number | undefined {
    if (this.#incremental === undefined) return undefined;
    if (after !== null) return after - this.#incremental.lookBack * (this.isTime ? 1000 : 1);
    return this.isTime ? sinceTime({ since }) : undefined;
  }

  /** Returns the same as expressions read it. */
  cursor(after: number | null, since: string | undefined): Variables['cursor'] {
    const from = this.from(after, since);
    return from !== undefined && this.isTime ? new Date(from).toISOString() : from;
  }
}
