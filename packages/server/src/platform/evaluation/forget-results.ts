import type { Broadcast } from '../broadcast.ts';
import type { Evaluations } from './evaluations.ts';

const TOPIC = 'forget-results';

/** Makes all processes drop the results of a user whose data was deleted. */
export function forgetResults({ broadcast }: { broadcast: Broadcast }, userId: string): Promise<void> {
  return broadcast.publish(TOPIC, userId);
}

/** Drops results of this process as other processes say, and all of them when a message may have been missed. */
export function followForgotten(broadcast: Broadcast, evaluation: Evaluations): void {
  broadcast.subscribe(TOPIC, (userId) => evaluation.forget(userId));
  broadcast.onMissed(() => evaluation.forgetAll());
}
