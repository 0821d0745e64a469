/** One match of a regular expression in a text. */
export interface TextMatch {
  readonly match: string;
  readonly start: number;
  readonly end: number;
  /** What the groups matched; undefined for a group that took no part. */
  readonly groups: readonly (string | undefined)[];
}
