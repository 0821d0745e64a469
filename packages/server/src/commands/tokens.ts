import { type ApiToken, createTokenSchema } from '@datadeck/contract';
import { recordAction, SHELL } from '../features/accounts/index.ts';
import { checkShared, requireSharing } from '../features/shares/index.ts';
import { createToken, listTokens, revokeToken } from '../features/tokens/index.ts';
import { publicUrlOf } from '../platform/config/address.ts';
import type { Config } from '../platform/config/config.ts';
import type { Database } from '../platform/db/database.ts';
import { StartError } from '../platform/start-error.ts';
import { requireUser } from './accounts.ts';
import { terminalText } from './terminal-text.ts';

/** Options of `token create`, as texts. */
export interface CreateOptions {
  name: string;
  scope: string;
  days: string;
  view?: string;
  board?: string;
  parameters?: string;
  rows?: string;
}

/** Formats a token as one line: id, scope, expiry, last use, name in quotation marks. */
function lineOf({ _id: id, scope, expiresAt, lastUsedAt, name }: ApiToken): string {
  const dayOf = (iso: string) => iso.slice(0, 10);
  const used = lastUsedAt === null ? 'never used' : `used ${dayOf(lastUsedAt)}`;
  return [id, scope.padEnd(6), `expires ${dayOf(expiresAt)}`, used, terminalText(JSON.stringify(name))].join(
    '  ',
  );
}

/** Returns the address of the page that a token opens; its path alone when the address of Datadeck is not known. */
function linkOf(config: Config, sharePath: string): string {
  const isKnown = config.PORT !== 0 || config.PUBLIC_URL !== undefined;
  return isKnown ? publicUrlOf(config) + sharePath : sharePath;
}

/**
 * Creates a token and prints it, with the link of its page if it has one.
 * @throws StartError for an unknown account or a wrong value, AppError for a board while sharing is off
 */
export async function printNewToken(
  db: Database,
  config: Config,
  account: string,
  options: CreateOptions,
): Promise<void> {
  const { name, scope, days, view: viewId, board: boardId, parameters, rows } = options;
  const parsed = createTokenSchema.safeParse({
    name,
    scope,
    expiresInDays: Number(days),
    ...(viewId !== undefined && { viewId }),
    ...(boardId !== undefined && { boardId }),
    ...(parameters !== undefined && { parameters }),
    ...(rows !== undefined && { rowBudget: Number(rows) }),
  });
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new StartError(`${issue?.path.join('.')}: ${issue?.message}`);
  }
  const { id } = await requireUser(db, account);
  if (boardId !== undefined) requireSharing({ config });
  await checkShared(db, id, parsed.data);
  const { token, sharePath } = await db.transaction(async (tx) => {
    await recordAction(tx, { actor: SHELL, action: 'token-created', accountId: id, detail: scope });
    return createToken(tx, id, parsed.data);
  });
  // Alone on standard output, so that a script can store it.
  console.error('This is the token. It is not shown again.');
  console.log(token);
  if (sharePath !== null && config.SHARING === 'on')
    console.error(`Everybody who has this link can read it:\n${linkOf(config, sharePath)}`);
}

/** Lists the tokens of an account. @throws StartError for an unknown account */
export async function printTokens(db: Database, account: string): Promise<void> {
  for (const token of await listTokens(db, (await requireUser(db, account)).id)) console.log(lineOf(token));
}

/** Revokes a token. @throws StartError for an unknown account, AppError for an unknown token */
export async function revoke(db: Database, account: string, id: string): Promise<void> {
  const { id: accountId } = await requireUser(db, account);
  await db.transaction(async (tx) => {
    await revokeToken(tx, accountId, id);
    await recordAction(tx, { actor: SHELL, action: 'token-revoked', accountId });
  });
  console.log('Revoked.');
}
