import { StartError } from '../start-error.ts';
import { isConnectionFailure, isStorageFull, reasonOf, sqlState } from './failures.ts';

/** The settings that lead to the database. */
interface Addresses {
  DATABASE_URL?: string | undefined;
  DATABASE_DIRECT_URL?: string | undefined;
}

/** What a person can do, by SQLSTATE: wrong password, unknown user, unknown database, missing right. */
const ADVICE: Readonly<Record<string, string>> = {
  '28P01': 'Correct the user and the password in DATABASE_URL.',
  28000: 'Correct the user in DATABASE_URL, or let it in by pg_hba.conf of the server.',
  '3D000': 'Create the database with the encoding UTF8, or correct its name in DATABASE_URL.',
  42501: 'Make the user of DATABASE_URL the owner of the database: alter database NAME owner to USER.',
};

/** Returns what a person can do about a database that cannot be used, as a sentence. */
export function databaseAdvice(error: unknown, { DATABASE_URL, DATABASE_DIRECT_URL }: Addresses): string {
  if (DATABASE_URL === undefined) return 'Read postgres/log/postgres.log in DATA_DIR.';
  const settings =
    DATABASE_DIRECT_URL === undefined ? 'DATABASE_URL' : 'DATABASE_URL and DATABASE_DIRECT_URL';
  return (
    ADVICE[sqlState(error) ?? ''] ?? `Check ${settings}, and that the server runs and lets this user in.`
  );
}

/** Returns the sentence for a failed first access to the database. */
export function unusableDatabase(error: unknown, addresses: Addresses): StartError {
  if (error instanceof StartError) return error;
  return new StartError(
    `The database cannot be used: ${reasonOf(error)}. ${databaseAdvice(error, addresses)}`,
    error,
  );
}

/** Returns the sentence for a database that fails during a command; errors of other parts are returned as they are. */
export function failedDatabase(error: unknown): unknown {
  if (error instanceof StartError) return error;
  if (isStorageFull(error))
    return new StartError(
      `The disk of the database is full: ${reasonOf(error)}. Free space there, then run the command again.`,
      error,
    );
  if (isConnectionFailure(error))
    return new StartError(
      `The database stopped answering: ${reasonOf(error)}. Run the command again when it runs.`,
      error,
    );
  return error;
}
