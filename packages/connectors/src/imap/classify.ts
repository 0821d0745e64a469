import type { FailedAnswer } from '../sdk/index.ts';

/** What a failure of the mail server means, in this connector's words. */
export type Meaning =
  | {
      kind:
        | 'password'
        | 'certificate'
        | 'security'
        | 'temporary'
        | 'missing'
        | 'forbidden'
        | 'refused'
        | 'malformed';
    }
  | { kind: 'busy'; waitMs: number | undefined }
  | { kind: 'unreachable' };

/** imapflow's errors, as far as they are read. */
interface ImapFailure {
  code?: unknown;
  serverResponseCode?: unknown;
  responseStatus?: unknown;
  authenticationFailed?: unknown;
  tlsFailed?: unknown;
  mailboxMissing?: unknown;
  throttleReset?: unknown;
  /** What the server said: of a sign-in, and of other commands. */
  response?: unknown;
  responseText?: unknown;
}

const CERTIFICATE = /^(CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_TLS_CERT_|HOSTNAME_MISMATCH$)/;
const TLS = /^(EPROTO$|ERR_SSL_|STARTTLS_INJECTION$|UPGRADE_TIMEOUT$|MissingServerExtension$)/;
const UNREADABLE =
  /^(ParserError|LineTooLarge|LiteralTooLarge|ResponseTooLarge|InvalidResponse|ResponseProcessingFailed|UnexpectedTag|MAX_IMAP_NESTING_REACHED)/;

/**
 * What servers say in words alone when they refuse for a while, at the sign-in too, where a refusal else means the password:
 * Gmail 'Too many simultaneous connections', Exchange 'User is authenticated but not connected'.
 */
const CROWDED = /too many|simultaneous|rate.?limit|throttl|limits? (hit|reached|exceeded)|exceeded .*limit/i;
/** The reason of a refusal is in its first words, UTF-16 units. */
const MAX_MESSAGE_LENGTH = 500;
const PASSING = /try again|temporar|\bbusy\b|overload|unavailable|maintenance|not connected/i;

/** Response codes of RFC 5530 and RFC 9051 that say why a command was refused. */
const BY_RESPONSE_CODE: Record<string, Meaning> = {
  UNAVAILABLE: { kind: 'temporary' },
  SERVERBUG: { kind: 'temporary' },
  INUSE: { kind: 'temporary' },
  LIMIT: { kind: 'busy', waitMs: undefined },
  // Of a mailbox that is only read: what may be read in a while.
  OVERQUOTA: { kind: 'busy', waitMs: undefined },
  AUTHENTICATIONFAILED: { kind: 'password' },
  AUTHORIZATIONFAILED: { kind: 'password' },
  EXPIRED: { kind: 'password' },
  PRIVACYREQUIRED: { kind: 'security' },
  NONEXISTENT: { kind: 'missing' },
  TRYCREATE: { kind: 'missing' },
  NOPERM: { kind: 'forbidden' },
};

function ofRefusal(failure: ImapFailure): Meaning {
  const { authenticationFailed, mailboxMissing, responseStatus } = failure;
  const said = [failure.responseText, failure.response].find((text) => typeof text === 'string') ?? '';
  const words = said.slice(0, MAX_MESSAGE_LENGTH);
  if (CROWDED.test(words)) return { kind: 'busy', waitMs: undefined };
  if (PASSING.test(words)) return { kind: 'temporary' };
  if (authenticationFailed === true) return { kind: 'password' };
  if (mailboxMissing === true) return { kind: 'missing' };
  if (responseStatus === 'NO') return { kind: 'refused' };
  return { kind: responseStatus === 'BAD' ? 'malformed' : 'unreachable' };
}

/** What imapflow, TLS or the network threw -> what it means. */
export function meaningOf(error: unknown): Meaning {
  if (typeof error !== 'object' || error === null) return { kind: 'unreachable' };
  const failure: ImapFailure = error;
  const code = String(failure.code ?? '');
  if (code === 'ETHROTTLE')
    return {
      kind: 'busy',
      waitMs: typeof failure.throttleReset === 'number' ? failure.throttleReset : undefined,
    };
  if (CERTIFICATE.test(code)) return { kind: 'certificate' };
  if (TLS.test(code) || failure.tlsFailed === true) return { kind: 'security' };
  if (UNREADABLE.test(code)) return { kind: 'malformed' };
  return BY_RESPONSE_CODE[String(failure.serverResponseCode ?? '')] ?? ofRefusal(failure);
}

/** The sentence of each meaning, for the person who reads it. */
export const SENTENCES = {
  password: 'The mail server refused the user name or the password.',
  certificate: 'The certificate of the mail server is not valid; the password was not sent.',
  security: 'The mail server does not secure connections in this way at this port.',
  temporary: 'The mail server cannot answer at the moment. Try again later.',
  busy: 'The mail server asks to wait: there are too many connections.',
  missing: 'The mail server has no such mailbox.',
  forbidden: 'The mail server does not allow this mailbox to be read.',
  refused: 'The mail server refused the request.',
  malformed: 'The mail server sent something that cannot be read.',
} as const;

/** The mail server's failures in the SDK's terms; undefined when it could not be reached. */
export function classifyImap(error: unknown, now: number): FailedAnswer | undefined {
  const meaning = meaningOf(error);
  switch (meaning.kind) {
    case 'unreachable':
      return undefined;
    case 'busy': {
      const until = meaning.waitMs === undefined ? undefined : new Date(now + meaning.waitMs);
      return { kind: 'retry-later', until, message: SENTENCES.busy };
    }
    case 'password':
      // The user may have connected again: then the new password is tried.
      return { kind: 'expired-token', message: `${SENTENCES.password} Connect it again.` };
    case 'temporary':
      return { kind: 'retry', message: SENTENCES.temporary };
    case 'missing':
      return { kind: 'fail', failure: 'not-found', message: SENTENCES.missing };
    case 'forbidden':
      return { kind: 'fail', failure: 'forbidden', message: SENTENCES.forbidden };
    case 'refused':
      return { kind: 'fail', failure: 'invalid', message: SENTENCES.refused };
    default:
      return { kind: 'fail', failure: 'malformed', message: SENTENCES[meaning.kind] };
  }
}
