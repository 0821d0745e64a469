import type { Reader } from './reading.ts';
import type { ConformanceSubject, StandIn } from './stand-in.ts';

/** What the tests of one entity share; `standIn` and `reader` are there once a test runs. */
export interface Stage {
  readonly subject: ConformanceSubject;
  readonly standIn: StandIn;
  readonly reader: Reader;
  /** The ids of the scope as it is at the start, newest first. */
  readonly ids: readonly string[];
}
