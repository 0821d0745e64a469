import { AppError } from '../../platform/app-error.ts';

/** Lets a user have a number of tasks under way at once; further ones are refused. */
export class PerUserLimit {
  readonly #most: number;
  readonly #running = new Map<string, number>();

  constructor(most: number) {
    this.#most = most;
  }

  /** Runs a task. @throws AppError rate-limited when the user has too many under way; what the task throws */
  async run<T>(userId: string, task: () => Promise<T>): Promise<T> {
    const running = this.#running.get(userId) ?? 0;
    if (running >= this.#most)
      throw new AppError('rate-limited', 'Too many requests of this kind at once. Try again in a moment.', {
        retryAfter: 1,
      });
    this.#running.set(userId, running + 1);
    try {
      return await task();
    } finally {
      const left = (this.#running.get(userId) ?? 1) - 1;
      if (left > 0) this.#running.set(userId, left);
      else this.#running.delete(userId);
    }
  }
}
