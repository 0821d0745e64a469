import { type Clock, systemClock } from '@datadeck/connectors';
import { and, eq, lte, sql } from 'drizzle-orm';
import type { Context } from '../../platform/context/index.ts';
import { deliveryJobSchema, enqueueDelivery, WEBHOOK_QUEUE } from './queue.ts';
import { webhookDeliveries } from './tables.ts';
import { sendToWebhook } from './webhook.ts';

const SWEEP_MS = 15_000;
const CONCURRENCY = 4;
/** Pauses before the second attempt and those that follow; then the message is given up. */
const BACK_OFF_MS = [30_000, 120_000, 600_000];
/** A worker that took a message and died is not waited for any longer. */
const TAKEN_MS = 30_000;

/** Carries messages to webhooks: takes jobs, and looks for messages that were left lying. */
export class DeliveryWorker {
  readonly #context: Context;
  readonly #clock: Pick<Clock, 'now'>;
  #timer: NodeJS.Timeout | undefined;
  #sweeping: Promise<void> = Promise.resolve();

  constructor(context: Context, clock: Pick<Clock, 'now'> = systemClock) {
    this.#context = context;
    this.#clock = clock;
  }

  async start(): Promise<void> {
    await this.#context.jobs.work(WEBHOOK_QUEUE.name, { concurrency: CONCURRENCY }, async ({ data }) => {
      const { userId, deliveryId } = deliveryJobSchema.parse(data);
      await this.#attempt(userId, deliveryId);
    });
    this.#timer = setInterval(() => {
      this.#sweeping = this.sweep().catch((error) =>
        this.#context.log.warn({ err: error }, 'looking for messages to webhooks failed'),
      );
    }, SWEEP_MS);
  }

  /** Sends every message that is due. */
  async sweep(): Promise<void> {
    const due = await this.#context.db
      .select({ userId: webhookDeliveries.userId, id: webhookDeliveries.id })
      .from(webhookDeliveries)
      .where(lte(webhookDeliveries.dueAt, new Date(this.#clock.now())))
      .orderBy(webhookDeliveries.dueAt)
      .limit(50);
    await Promise.all(due.map(({ userId, id }) => this.#attempt(userId, id)));
  }

  /** One attempt at a message that is due; nothing when another worker has taken it, or it is done. */
  async #attempt(userId: string, id: string): Promise<void> {
    const { db } = this.#context;
    const now = this.#clock.now();
    const mine = and(eq(webhookDeliveries.userId, userId), eq(webhookDeliveries.id, id));
    const [taken] = await db
      .update(webhookDeliveries)
      .set({ attempts: sql`${webhookDeliveries.attempts} + 1`, dueAt: new Date(now + TAKEN_MS) })
      .where(and(mine, lte(webhookDeliveries.dueAt, new Date(now))))
      .returning();
    if (!taken) return;
    const outcome = await sendToWebhook(this.#context, userId, { id, body: taken.body });
    const pause = BACK_OFF_MS[taken.attempts - 1];
    if (!outcome || outcome.isDelivered || pause === undefined) {
      await db.delete(webhookDeliveries).where(mine);
      return;
    }
    const dueAt = new Date(this.#clock.now() + pause);
    await db.update(webhookDeliveries).set({ dueAt }).where(mine);
    await enqueueDelivery(this.#context, userId, id, dueAt);
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await this.#sweeping;
  }
}
