import { emailText } from '@datadeck/connectors';
import {
  createSignInLink,
  findUsersByIdOrEmail,
  LINK_MINUTES,
  linkedUser,
  recordAction,
  SHELL,
  type User,
} from '../features/accounts/index.ts';
import { publicUrlOf } from '../platform/config/address.ts';
import type { Config } from '../platform/config/config.ts';
import type { Database } from '../platform/db/database.ts';
import { StartError } from '../platform/start-error.ts';
import { lineOf, onlyOne } from './accounts.ts';
import { terminalText } from './terminal-text.ts';

/**
 * Returns the account to sign in to: the one that the administrator names by id or e-mail address, however it signs
 * in, or else a new one.
 */
async function accountFor(db: Database, idOrEmail: string): Promise<User> {
  const known = onlyOne(await findUsersByIdOrEmail(db, idOrEmail), idOrEmail);
  if (known) return known;
  if (emailText(idOrEmail) === '')
    throw new StartError(
      `There is no account with the id ${terminalText(idOrEmail)}, and it is not an e-mail address. 'datadeck users' lists the accounts.`,
    );
  return linkedUser(db, idOrEmail);
}

/** Prints a sign-in link. @throws StartError when several accounts fit, and for what is neither an address nor a known id */
export async function printLink(db: Database, config: Config, idOrEmail: string): Promise<void> {
  if (config.PORT === 0 && config.PUBLIC_URL === undefined)
    throw new StartError(
      'With PORT=0 the address of Datadeck is not known. Set PUBLIC_URL to the address in your browser.',
    );
  const user = await accountFor(db, idOrEmail);
  const link = await db.transaction(async (tx) => {
    await recordAction(tx, { actor: SHELL, action: 'link-created', accountId: user.id });
    return createSignInLink(tx, user.id, publicUrlOf(config));
  });
  console.log(
    [
      `Sign-in link for this account, good once and for ${LINK_MINUTES} minutes:`,
      lineOf(user),
      '',
      link,
      '',
      'The first person who opens it is signed in: send it only to the owner of the account.',
    ].join('\n'),
  );
}
