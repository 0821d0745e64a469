/** In the place of an entity's id: the answer to the request about the account. No entity can have this id. */
export const IDENTITY = 'identity';

/** An answer that *Try* recorded: the shape that the provider sent, with replaced values. Nothing of the request is kept. */
export interface RecordedAnswer {
  /** Id of the entity, or `identity`. */
  entity: string;
  /** Hash of what the document made the request of (`requestFingerprint`); other requests have other answers. */
  fingerprint: string;
  /** Texts and names of the document's expressions: where the answer had them, it still has them. */
  words: readonly string[];
  /** Numbers of the document's expressions: those of the answer compare with them as before. */
  numbers: readonly number[];
  /** Whether names of members were replaced, too: those that may be values. */
  hasReplacedNames: boolean;
  status: number;
  /** Names in small letters; without cookies. */
  headers: Record<string, string>;
  /** At most 100,000 characters: lists are cut to 20 elements. */
  text: string;
  /** Number of elements that lists had before they were cut, by their place as JSON: `{ '["items"]': 50 }`. */
  lengths: Readonly<Record<string, number>>;
}
