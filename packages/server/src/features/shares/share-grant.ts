import { and, eq } from 'drizzle-orm';
import { AppError } from '../../platform/app-error.ts';
import type { Context } from '../../platform/context/index.ts';
import { findUser, type User } from '../accounts/index.ts';
import { chargeRows, findGrantById, isReading, parseShareId, type TokenGrant } from '../tokens/index.ts';
import type { BoundShare } from './share-sessions.ts';
import { invitations } from './tables.ts';

/** What a token or an accepted invitation opens: one view or board of its owner, with fixed parameters. */
export interface Shared {
  owner: User;
  /** Id of the token or invitation. */
  id: string;
  viewId: string | null;
  boardId: string | null;
  /** Values of the parameters as JSON. */
  parameters: string | null;
  /** Null: when its owner ends it. */
  expiresAt: Date | null;
  /** Counts rows before they are returned. @throws AppError token-exhausted */
  charge(rows: number): Promise<void>;
}

/** Checks that the operator allows sharing. @throws AppError sharing-off */
export function requireSharing({ config }: Pick<Context, 'config'>): void {
  if (config.SHARING === 'off')
    throw new AppError('sharing-off', 'This server shares no pages: its operator has set SHARING=off.');
}

/** Returns the error for a share that is unknown, has expired or was ended, which all look the same. */
export function shareEnded(): AppError {
  return new AppError(
    'share-ended',
    'This page is not shared any more, or its link is not complete. Ask the person who sent it for a new one.',
  );
}

/** Returns the error of a page that has shown all rows that it may. */
export function shareExhausted(): AppError {
  return new AppError(
    'token-exhausted',
    'This page has shown as many rows as its owner allows. Ask the person who sent the link for a new one.',
  );
}

/** Finds what an unexpired token opens, and the token; undefined for a token that opens more than one view or board. */
async function findSharedToken(
  { db }: Context,
  ids: { userId: string; id: string },
): Promise<{ shared: Shared; grant: TokenGrant } | undefined> {
  const found = await findGrantById(db, ids);
  if (!found || !isReading(found.grant.scope)) return undefined;
  const { grant, user: owner } = found;
  const { id, viewId, boardId, parameters, expiresAt } = grant;
  const charge = (rows: number) => chargeRows(db, grant, rows);
  return { grant, shared: { owner, id, viewId, boardId, parameters, expiresAt, charge } };
}

/** Finds what an invitation opens for the member who accepted it. */
async function findSharedInvitation(
  { db }: Context,
  { userId, id, memberId }: Extract<BoundShare, { kind: 'invitation' }>,
): Promise<Shared | undefined> {
  const [row] = await db
    .select()
    .from(invitations)
    .where(and(eq(invitations.userId, userId), eq(invitations.id, id), eq(invitations.memberId, memberId)));
  const owner = row && (await findUser(db, userId));
  if (!row || !owner) return undefined;
  const { viewId, boardId, parameters } = row;
  return { owner, id, viewId, boardId, parameters, expiresAt: null, charge: async () => undefined };
}

/** Finds what a share session reads, and its token if one opens it. */
export async function findBoundShare(
  context: Context,
  bound: BoundShare,
): Promise<{ shared: Shared; grant?: TokenGrant } | undefined> {
  if (bound.kind === 'token') return findSharedToken(context, bound);
  const shared = await findSharedInvitation(context, bound);
  return shared && { shared };
}

/** Returns the origins of the sites that may show a shared page in a frame. @param share the part of the page's path */
export async function readFrameAncestors(context: Context, share: string): Promise<readonly string[]> {
  const ids = context.config.SHARING === 'off' ? undefined : parseShareId(share);
  const found = ids && (await findSharedToken(context, ids));
  return found?.grant.frameAncestors ?? [];
}
