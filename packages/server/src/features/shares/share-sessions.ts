import type { ShareSession } from '@datadeck/contract';
import { z } from 'zod';
import type { Context } from '../../platform/context/index.ts';
import { sealedSchema } from '../../platform/encryption.ts';

const PREFIX = 'dds_';
const LIFETIME_MS = 3_600_000;
/** A session is some 350 characters. */
const MAX_LENGTH = 600;
/** What the sealed text is for, so that no other sealed text is a session. */
const PURPOSE = 'share session';

const ids = { userId: z.uuid(), id: z.uuid() };
const boundSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('token'), ...ids }),
  z.object({ kind: z.literal('invitation'), ...ids, memberId: z.uuid() }),
]);
const sessionSchema = z.object({ until: z.number(), bound: boundSchema });

/** The share that a session is bound to: a token of a user, or an invitation and the member who accepted it. */
export type BoundShare = z.infer<typeof boundSchema>;

/**
 * Returns a session of one hour for a share. It is the encrypted ids of the share and is stored nowhere: each call looks the share
 * up, so that its end is the end of its sessions.
 */
export function openShareSession({ keyring }: Context, bound: BoundShare): ShareSession {
  const until = Date.now() + LIFETIME_MS;
  const sealed = keyring.seal(JSON.stringify({ until, bound }), PURPOSE);
  const session = PREFIX + Buffer.from(JSON.stringify(sealed)).toString('base64url');
  return { session, expiresAt: new Date(until).toISOString() };
}

/** Returns the share that a session is bound to; undefined for an expired session, or any other text. */
export function readShareSession({ keyring }: Context, session: string): BoundShare | undefined {
  if (!session.startsWith(PREFIX) || session.length > MAX_LENGTH) return undefined;
  try {
    const text = Buffer.from(session.slice(PREFIX.length), 'base64url').toString();
    const sealed = sealedSchema.parse(JSON.parse(text));
    const { until, bound } = sessionSchema.parse(JSON.parse(keyring.open(sealed, PURPOSE)));
    return until > Date.now() ? bound : undefined;
  } catch {
    return undefined;
  }
}
