import { StartError } from '../start-error.ts';
import { isConnectionFailure, isStorageFull, reasonOf } from './failures.ts';

/** The settings that lead to the database. */
interface Addresses {
  DATABASE_URL?: string | undefined;
  DATABASE_DIRECT_URL?: string | undefined;
}

/** Returns what a person can do about a database that cannot be used, as a sentence. */
export function databaseAdvice({ DATABASE_URL, DATABASE_DIRECT_URL }: Addresses): string {
  if (DATABASE_URL === undefined) return 'Read postgres/log/postgres.log in DATA_DIR.';
  const settings =
    DATABASE_DIRECT_URL === undefined ? 'DATABASE_URL' : 'DATABASE_URL and DATABASE_DIRECT_URL';
  return `Check ${settings}, and that the server runs and lets this user in.`;
}

/** Returns the sentence for a failed first access to the database. */
export function unusableDatabase(error: unknown, addresses: Addresses): StartError {
  if (error instanceof StartError) return error;
  return new StartError(
    `The database cannot be used: ${reasonOf(error)}. ${databaseAdvice(addresses)}`,
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
