import type { Database, Queryable } from '../../platform/db/database.ts';
import { newId } from '../../platform/ids.ts';
import { broadcastChannel } from './tables.ts';

/** Table that backups leave out: each database has a channel of its own. */
export const CHANNEL_TABLE = 'broadcast_channel';

/** Chooses the channel of a new database. @param db a connection that holds the migration lock */
export async function prepareBroadcastChannel(db: Queryable): Promise<void> {
  const stored = await db.select().from(broadcastChannel);
  // Checked first, so that the server can start on a read-only database.
  if (stored.length === 0) await db.insert(broadcastChannel).values({ name: newId() });
}

/** Returns the name of the channel on which the processes of this database exchange messages. */
export async function readBroadcastChannel(db: Database): Promise<string> {
  const [stored] = await db.select().from(broadcastChannel);
  if (!stored) throw new Error('the database has no channel for messages between processes');
  return `datadeck_${stored.name.replaceAll('-', '')}`;
}
