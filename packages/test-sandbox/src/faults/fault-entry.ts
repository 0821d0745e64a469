/** The APIs of the sandbox in which a fault can occur. */
export type Api = 'google' | 'gmail' | 'microsoft' | 'github-oauth' | 'github';

/** A fault that can be injected by name. */
export interface FaultEntry {
  name: string;
  /** The APIs in which it can occur; without a match, it applies to all of them. */
  apis: readonly Api[];
  /** Matches the requests that it can affect, by the path below the API. */
  path: RegExp;
  /** Its effect. `options` set seconds, addresses and the like. */
  effect: string;
}
