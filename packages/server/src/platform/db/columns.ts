import { timestamp } from 'drizzle-orm/pg-core';

/** Declares a timestamptz column, read as a Date. */
export const instant = () => timestamp({ withTimezone: true, mode: 'date' });
