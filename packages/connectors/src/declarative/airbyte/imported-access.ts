/** A field of the form that the authentication names: its place in the configuration, or a name and what it is by default. */
export type AccessField = { path: readonly string[] } | { name: string; initial: string };

/** How a document sends the secret, and where the manifest has the secret and the fields. */
export interface ImportedAccess {
  /** Its texts have paths in their holes; see `withFieldNames`. */
  authentication: Record<string, unknown>;
  /** Path of the secret in the configuration; absent without one. */
  secret?: readonly string[];
  /** Fields by the members of the authentication that name them. */
  fields?: Readonly<Record<string, AccessField>>;
  /** Further keys, with the paths of their secrets. */
  others?: readonly { in: string; name: string; prefix: string; path: readonly string[] }[];
  /** Keys of requests in addition to a token, or to user and password. */
  keys?: ImportedAccess['others'];
  /** Parameters and headers with a secret that the requester has, and that the authentication sends instead. */
  movedSecrets?: ImportedAccess['others'];
}
