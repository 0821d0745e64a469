import { StartError } from '../platform/start-error.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Runs `work` with a signal that is aborted by Ctrl+C, SIGTERM or a closed terminal. A second one ends the process at once.
 * @param outcome what the interrupted command leaves and what to do, as sentences
 */
export async function untilInterrupted<T>(
  outcome: string,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const aborting = new AbortController();
  const abort = (name: string) => aborting.abort(new StartError(`Interrupted by ${name}. ${outcome}`));
  for (const name of SIGNALS) process.once(name, abort);
  try {
    return await work(aborting.signal);
  } finally {
    for (const name of SIGNALS) process.off(name, abort);
  }
}
