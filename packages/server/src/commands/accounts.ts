import { planSchema } from '@datadeck/contract';
import {
  changePlan as changeAccountPlan,
  findUsersByIdOrEmail,
  listUsers,
  mayAdminister,
  SHELL,
  setAdministrator,
  type User,
  verifyAddress,
} from '../features/accounts/index.ts';
import type { Database } from '../platform/db/database.ts';
import { StartError } from '../platform/start-error.ts';
import { terminalText } from './terminal-text.ts';

/** Formats an account as one line: date, plan, id, e-mail address, name in quotation marks, whether it is an administrator. */
export function lineOf(user: User): string {
  const created = user.createdAt.toISOString().slice(0, 10);
  const name = JSON.stringify(user.name);
  const email = `${terminalText(user.email)}${user.emailVerified ? '' : ' (unverified)'}`;
  const mark = mayAdminister(user) ? ['administrator'] : [];
  return [created, user.plan.padEnd(8), user.id, email, terminalText(name), ...mark].join('  ');
}

/** Lists the accounts. */
export async function printUsers(db: Database): Promise<void> {
  for (const user of await listUsers(db)) console.log(lineOf(user));
}

/**
 * Returns the account that the administrator means: the only one with this id, or whose address is verified. An address that a
 * user typed does not lead to the account, as it may be somebody else's.
 * @returns undefined for an empty list
 * @throws StartError that lists several, or one whose address is not verified
 */
export function onlyOne(found: readonly User[], idOrEmail: string): User | undefined {
  const verified = found.filter(({ id, emailVerified }) => emailVerified || id === idOrEmail);
  if (verified.length === 1 || found.length === 0) return verified[0];
  const problem =
    verified.length === 0
      ? `Nobody has verified that the e-mail address ${terminalText(idOrEmail)} belongs to its account.`
      : `${verified.length} accounts have the e-mail address ${terminalText(idOrEmail)}.`;
  const lines = (verified.length === 0 ? found : verified).map(lineOf);
  throw new StartError(`${problem} Name one by its id:\n${lines.join('\n')}`);
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
  await changeAccountPlan(db, { actor: SHELL, accountId: user.id }, parsed.data);
  console.log(`${terminalText(user.email)} (${user.id}): ${parsed.data}`);
}

/** Marks the address of an account as verified. @throws StartError for an unknown account */
export async function verifyAccount(db: Database, idOrEmail: string): Promise<void> {
  const user = await requireUser(db, idOrEmail);
  await verifyAddress(db, { actor: SHELL, accountId: user.id });
  console.log(lineOf({ ...user, emailVerified: true }));
}

/** Makes an account an administrator, or ends that. @throws StartError for an unknown account; demo accounts are unknown */
export async function changeAdministrator(
  db: Database,
  idOrEmail: string,
  isAdministrator: boolean,
): Promise<void> {
  const user = await requireUser(db, idOrEmail);
  await setAdministrator(db, { actor: SHELL, accountId: user.id }, isAdministrator);
  console.log(lineOf({ ...user, isAdministrator }));
}
