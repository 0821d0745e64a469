import type { Board } from '@datadeck/contract';
import { and, eq } from 'drizzle-orm';
import { z } from 'zod';
import type { Context } from '../../platform/context/index.ts';
import { withFairQueue } from '../../platform/fair-queue.ts';
import { type JobAttempt, type QueueDefinition, SHORT_JOBS } from '../../platform/jobs/jobs.ts';
import { readTimeZone } from '../accounts/index.ts';
import type { ConnectorRegistry } from '../connections/index.ts';
import { mailToUser, requireMail, type Site } from '../notifications/index.ts';
import { firstCronTime } from '../schedules/index.ts';
import { writeBoardMail } from './board-mail.ts';
import { readTiles } from './read-tiles.ts';
import { findBoard, selectBoard, toBoard } from './store.ts';
import { boards } from './tables.ts';

/** One job for each board with a weekly mail, delayed to its next time. Its tiles may wait for evaluations. */
export const BOARD_MAIL_QUEUE: QueueDefinition = {
  name: 'board-mail',
  policy: 'exclusive',
  ...SHORT_JOBS,
  expireInSeconds: 600,
};

/** Mondays at 7:00. */
const WEEKLY = '0 7 * * 1';

const boardKeySchema = z.object({ userId: z.string(), boardId: z.string() });
type BoardKey = z.infer<typeof boardKeySchema>;

async function nextJob(context: Context, { userId, boardId }: BoardKey) {
  const timeZone = await readTimeZone(context.db, userId);
  const startAfter = firstCronTime({ cron: WEEKLY, timeZone }, new Date());
  return { singletonKey: `${userId}/${boardId}`, startAfter };
}

/**
 * Starts or stops the weekly mail of a board.
 * @throws AppError not-found; validation-failed if this installation sends no mails to the user
 */
export async function mailWeekly(
  context: Context,
  userId: string,
  { id, weekly }: { id: string; weekly: boolean },
): Promise<Board> {
  if (weekly) await requireMail(context, userId);
  const key = { userId, boardId: id };
  const job = await nextJob(context, key);
  return context.db.transaction(async (tx) => {
    const before = await findBoard(tx, userId, id, true);
    const [row] = await tx
      .update(boards)
      .set({ weeklyMail: weekly })
      .where(and(eq(boards.userId, userId), eq(boards.id, id)))
      .returning();
    // The job of a stopped mail finds that it is stopped.
    if (weekly) await context.jobs.replace(BOARD_MAIL_QUEUE.name, key, { ...job, db: tx });
    return toBoard(row ?? before);
  });
}

/**
 * Mails a board and enqueues the next mail. A mail that the server refuses for now is tried again with the same id; a process that is
 * killed right after the server took it sends it twice.
 */
async function mailBoard(
  context: Context,
  registry: ConnectorRegistry,
  { site, job }: { site: Site; job: JobAttempt },
): Promise<void> {
  const key = boardKeySchema.parse(job.data);
  const board = await selectBoard(context.db, key.userId, key.boardId);
  if (!board?.weeklyMail) return;
  const next = await nextJob(context, key);
  const timeZone = await readTimeZone(context.db, key.userId);
  const tiles = await withFairQueue(key.userId, () =>
    readTiles(context, registry, { userId: key.userId, tiles: board.tiles, timeZone, signal: job.signal }),
  );
  const url = `${site.publicUrl()}/dashboard/data/boards?board=${board.id}`;
  const day = next.startAfter.toISOString().slice(0, 10);
  const mail = {
    ...writeBoardMail({ title: board.title, tiles, url }),
    id: `board-${board.id}-before-${day}`,
  };
  const outcome = await mailToUser(context, key.userId, mail);
  if (!outcome.isDelivered && !outcome.isFinal) throw new Error(outcome.message);
  await context.db.transaction(async (tx) => {
    await job.complete(tx);
    await context.jobs.send(BOARD_MAIL_QUEUE.name, key, { ...next, db: tx });
  });
}

/** Mails boards from this process, one at a time. */
export async function workOnBoardMails(
  context: Context,
  registry: ConnectorRegistry,
  site: Site,
): Promise<void> {
  await context.jobs.work(BOARD_MAIL_QUEUE.name, { concurrency: 1 }, (job) =>
    mailBoard(context, registry, { site, job }),
  );
}
