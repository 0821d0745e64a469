import { StartError } from '../platform/start-error.ts';

/**
 * Returns a signal that is aborted by Ctrl+C, SIGTERM or a closed terminal. A second one ends the process at once.
 * @param outcome what the interrupted command leaves and what to do, as sentences
 */
export function abortWhenInterrupted(outcome: string): AbortSignal {
  const aborting = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(name, () => aborting.abort(new StartError(`Interrupted by ${name}. ${outcome}`)));
  return aborting.signal;
}
