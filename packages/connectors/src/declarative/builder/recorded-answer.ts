/** An answer that *Try* recorded: the shape that the provider sent, with replaced values. */
export interface RecordedAnswer {
  entity: string;
  /** Path and query of the request, without the secret. */
  path: string;
  query: Record<string, string>;
  /** JSON; absent for a GET. */
  body?: string;
  status: number;
  /** Names in small letters; without cookies. */
  headers: Record<string, string>;
  /** At most 100,000 characters: lists are cut to 20 elements. */
  text: string;
}

/** `RecordedAnswer.entity` of the answer that says who is connected. No entity has this id: theirs begin with a key and a hyphen. */
export const IDENTITY = 'identity';
