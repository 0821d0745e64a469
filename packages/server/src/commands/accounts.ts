import { planSchema } from '@datadeck/contract';
import { findUsersByIdOrEmail, listUsers, setPlan, type User } from '../features/accounts/index.ts';
import type { Database } from '../platform/db/database.ts';
import { StartError } from '../platform/start-error.ts';
import { terminalText } from './terminal-text.ts';

/** Formats an account as one line: date, plan, id, e-mail address, name in quotation marks. */
export function lineOf(user: User): string {
  const created = user.createdAt.toISOString().slice(0, 10);
  const name = JSON.stringify(user.name);
  return [created, user.plan.padEnd(8), user.id, terminalText(user.email), terminalText(name)].join('  ');
}

/** Lists the accounts. */
export async function printUsers(db: Database): Promise<void> {
  for (const user of await listUsers(db)) console.log(lineOf(user));
}

/** Returns the only account of a list, or undefined for an empty one. @throws StartError that lists several */
export function onlyOne(found: readonly User[], idOrEmail: string): User | undefined {
  if (found.length > 1)
    throw new StartError(
      `${found.length} accounts have the e-mail address ${terminalText(idOrEmail)}. Name one by its id:\n${found.map(lineOf).join('\n')}`,
    );
  return found[0];
}

/** Finds the account with this id or e-mail address. @throws StartError when none or several have it */
export async function requireUser(db: Database, idOrEmail: string): Promise<User> {
  const user = onlyOne(await findUsersByIdOrEmail(db, idOrEmail), idOrEmail);
  if (user) return user;
  throw new StartError(
    `There is no account with the id or e-mail address ${terminalText(idOrEmail)}. 'datadeck users' lists them.`,
  );
}

/** Changes the plan of an account. @throws StartError for an unknown account or plan */
export async function changePlan(db: Database, idOrEmail: string, plan: string): Promise<void> {
  const parsed = planSchema.exclude(['demo']).safeParse(plan);
  if (!parsed.success)
    throw new StartError(`'${terminalText(plan)}' is not a plan; expected standard or pro.`);
  const user = await requireUser(db, idOrEmail);
  await setPlan(db, user.id, parsed.data);
  console.log(`${terminalText(user.email)} (${user.id}): ${parsed.data}`);
}
