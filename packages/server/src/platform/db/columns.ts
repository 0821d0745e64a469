import { customType, timestamp } from 'drizzle-orm/pg-core';

/** Declares a timestamptz column, read as a Date. */
export const instant = () => timestamp({ withTimezone: true, mode: 'date' });

/** Declares a bytea column. */
export const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' });
