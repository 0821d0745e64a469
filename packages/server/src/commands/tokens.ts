import { type ApiToken, createTokenSchema, TOKEN_SCOPES } from '@datadeck/contract';
import { type Command, Option } from 'commander';
import { createToken, listTokens, revokeToken } from '../features/tokens/index.ts';
import { checkViewValues } from '../features/views/index.ts';
import type { Database } from '../platform/db/pool.ts';
import { StartError } from '../platform/start-error.ts';
import { requireUser } from './accounts.ts';
import { withDatabase } from './database.ts';
import { terminalText } from './terminal-text.ts';

/** Options of `token create`, as texts. */
interface CreateOptions {
  name: string;
  scope: string;
  days: string;
  view?: string;
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

async function printNewToken(db: Database, account: string, options: CreateOptions): Promise<void> {
  const { name, scope, days, view: viewId, parameters, rows } = options;
  const parsed = createTokenSchema.safeParse({
    name,
    scope,
    expiresInDays: Number(days),
    ...(viewId !== undefined && { viewId }),
    ...(parameters !== undefined && { parameters }),
    ...(rows !== undefined && { rowBudget: Number(rows) }),
  });
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new StartError(`${issue?.path.join('.')}: ${issue?.message}`);
  }
  const { id } = await requireUser(db, account);
  if (viewId !== undefined) await checkViewValues(db, id, { viewId, parameters });
  const { token } = await createToken(db, id, parsed.data);
  // Alone on standard output, so that a script can store it.
  console.error('This is the token. It is not shown again.');
  console.log(token);
}

async function printTokens(db: Database, account: string): Promise<void> {
  for (const token of await listTokens(db, (await requireUser(db, account)).id)) console.log(lineOf(token));
}

async function revoke(db: Database, account: string, id: string): Promise<void> {
  await revokeToken(db, (await requireUser(db, account)).id, id);
  console.log('Revoked.');
}

/** Adds the commands that create, list and revoke API tokens, for an administrator of the server. */
export function addTokenCommands(program: Command): void {
  const token = program.command('token').description('create, list and revoke API tokens of an account');
  token
    .command('create')
    .description('create a token and print it')
    .argument('<account>', 'id or e-mail address')
    .requiredOption('--name <name>', 'what uses it')
    .addOption(new Option('--scope <scope>', 'what it allows').choices([...TOKEN_SCOPES]).default('read'))
    .option('--days <days>', 'lifetime', '90')
    .option('--view <id>', 'for the scope view: the view')
    .option('--parameters <json>', 'for the scope view: fixed values of its parameters')
    .option('--rows <number>', 'for the scope view: rows in all')
    .action((account: string, options: CreateOptions) =>
      withDatabase((db) => printNewToken(db, account, options)),
    );
  token
    .command('list')
    .description('list the tokens of an account')
    .argument('<account>', 'id or e-mail address')
    .action((account: string) => withDatabase((db) => printTokens(db, account)));
  token
    .command('revoke')
    .description('revoke a token')
    .argument('<account>', 'id or e-mail address')
    .argument('<id>', 'id of the token')
    .action((account: string, id: string) => withDatabase((db) => revoke(db, account, id)));
}
