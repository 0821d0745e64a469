import type { ShareSession } from '@datadeck/contract';
import { z } from 'zod';
import type { Context } from '../../platform/context/index.ts';
import { sealedSchema } from '../../platform/encryption.ts';

const PREFIX = 'dds_';
const LIFETIME_MS = 3_600_000;
/** A session is some 250 characters. */
const MAX_LENGTH = 600;
/** What the sealed text is for, so that no other sealed text is a session. */
const PURPOSE = 'share session';

const boundSchema = z.object({ userId: z.uuid(), id: z.uuid(), until: z.number() });

/** The share that a session is bound to. */
export type BoundShare = Omit<z.infer<typeof boundSchema>, 'until'>;

/**
 * Returns a session of one hour for a share. It is the encrypted id of the share and is stored nowhere: each call looks the share
 * up, so that its end is the end of its sessions.
 */
export function openShareSession({ keyring }: Context, { userId, id }: BoundShare): ShareSession {
  const until = Date.now() + LIFETIME_MS;
  const sealed = keyring.seal(JSON.stringify({ userId, id, until }), PURPOSE);
  const session = PREFIX + Buffer.from(JSON.stringify(sealed)).toString('base64url');
  return { session, expiresAt: new Date(until).toISOString() };
}

/** Returns the share that a session is bound to; undefined for an expired session, or any other text. */
export function readShareSession({ keyring }: Context, session: string): BoundShare | undefined {
  if (!session.startsWith(PREFIX) || session.length > MAX_LENGTH) return undefined;
  try {
    const text = Buffer.from(session.slice(PREFIX.length), 'base64url').toString();
    const sealed = sealedSchema.parse(JSON.parse(text));
    const { until, ...bound } = boundSchema.parse(JSON.parse(keyring.open(sealed, PURPOSE)));
    return until > Date.now() ? bound : undefined;
  } catch {
    return undefined;
  }
}
