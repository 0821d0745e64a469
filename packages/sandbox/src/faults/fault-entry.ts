/** The parts of the sandbox that a fault can befall. */
export type Api = 'google' | 'gmail' | 'github-oauth' | 'github';

/** A fault that can be injected by name. */
export interface FaultEntry {
  name: string;
  /** Where it can happen; a fault without further match applies to all of these. */
  apis: readonly Api[];
  /** Requests it can befall, as a test of the path below the api. */
  path: RegExp;
  /** What it does. Seconds, addresses and the like are set by `options`. */
  effect: string;
}
