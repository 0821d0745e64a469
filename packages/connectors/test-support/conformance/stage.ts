import type { Reader } from '../../src/sdk/conformance/reading.ts';
import type { ConformanceSubject, StandIn } from './stand-in.ts';

/** State shared by the tests of one entity; `standIn` and `reader` are set before each test. */
export interface Stage {
  readonly subject: ConformanceSubject;
  readonly standIn: StandIn;
  readonly reader: Reader;
  /** Ids of the scope at the start, newest first. */
  readonly ids: readonly string[];
}
