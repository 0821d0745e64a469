/** What services differ in, and the choices on each axis. */
export const AXES = {
  authentication: ['none', 'bearer', 'key-in-header', 'key-in-query', 'basic'],
  pagination: [
    'none',
    'page-from-0',
    'page-from-1',
    'offset',
    'cursor-in-query',
    'cursor-in-body',
    'link',
    'address',
  ],
  /** How changes are asked for: not at all, from a time, from a number that grows, or not by the service. */
  incremental: ['none', 'since-time', 'since-number', 'compared'],
  /** What the newest first means, if lists are in any order. */
  order: ['updated', 'created', 'unsorted'],
  format: ['json', 'ndjson', 'csv', 'xml'],
  /** Levels of lists above the records: boards, or boards of workspaces. */
  parents: ['none', 'one', 'two'],
} as const;

export type Axis = keyof typeof AXES;

/** Authentications by which an account gets a token, which ends and is renewed. */
export const TOKEN_KINDS = ['client-credentials', 'session-token', 'oauth-code', 'refresh-token'] as const;
export type TokenKind = (typeof TOKEN_KINDS)[number];

/** A service: one choice on each axis, and whether its lists say how many records there are. */
export type ServiceShape = { [Name in Exclude<Axis, 'authentication'>]: (typeof AXES)[Name][number] } & {
  authentication: (typeof AXES)['authentication'][number] | TokenKind;
  isCounted: boolean;
};

/** The secret and the user of the one account of a service. */
export const ACCOUNT = { user: 'ada', secret: 's3cret/+&ü' } as const;
/** Names of the header and the query parameter that have a key, and what is before it in the header. */
export const KEY = { header: 'x-api-key', parameter: 'api_key', prefix: 'Token ' } as const;
/** Path of the API below its host. */
export const API_PATH = '/api/v1';
