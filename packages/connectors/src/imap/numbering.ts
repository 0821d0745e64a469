/** The UIDVALIDITY of mailboxes without one, e.g. in record ids. Servers number from 1. */
export const NOT_NUMBERED = '0';
