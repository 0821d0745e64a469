import type { FailedAnswer } from '../sdk/index.ts';

/** Meaning of a mail server's failure. */
export type FailureMeaning =
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

/** The fields of imapflow's errors that are read here. */
interface ImapFailure {
  code?: unknown;
  serverResponseCode?: unknown;
  responseStatus?: unknown;
  authenticationFailed?: unknown;
  tlsFailed?: unknown;
  mailboxMissing?: unknown;
  throttleReset?: unknown;
  /** The server's response text: `response` after a sign-in, `responseText` after other commands. */
  response?: unknown;
  responseText?: unknown;
}

const CERTIFICATE = /^(CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|ERR_TLS_CERT_|HOSTNAME_MISMATCH$)/;
const TLS = /^(EPROTO$|ERR_SSL_|STARTTLS_INJECTION$|UPGRADE_TIMEOUT$|MissingServerExtension$)/;
const UNREADABLE =
  /^(ParserError|LineTooLarge|LiteralTooLarge|ResponseTooLarge|InvalidResponse|ResponseProcessingFailed|UnexpectedTag|MAX_IMAP_NESTING_REACHED)/;

/**
 * Texts of temporary refusals without a response code, also at sign-in, where a refusal otherwise means a wrong password.
 * Gmail: 'Too many simultaneous connections'; Exchange: 'User is authenticated but not connected'.
 */
const OVERLOAD = /too many|simultaneous|rate.?limit|throttl|limits? (hit|reached|exceeded)|exceeded .*limit/i;
/** Longest part of a response text that is searched, UTF-16 units; the reason comes first. */
const MAX_MESSAGE_LENGTH = 500;
const TEMPORARY = /try again|temporar|\bbusy\b|overload|unavailable|maintenance|not connected/i;

/** Response codes of RFC 5530 and RFC 9051. */
const BY_RESPONSE_CODE: Record<string, FailureMeaning> = {
  UNAVAILABLE: { kind: 'temporary' },
  SERVERBUG: { kind: 'temporary' },
  INUSE: { kind: 'temporary' },
  LIMIT: { kind: 'busy', waitMs: undefined },
  // We only read, so this is a read quota that resets later.
  OVERQUOTA: { kind: 'busy', waitMs: undefined },
  AUTHENTICATIONFAILED: { kind: 'password' },
  AUTHORIZATIONFAILED: { kind: 'password' },
  EXPIRED: { kind: 'password' },
  PRIVACYREQUIRED: { kind: 'security' },
  NONEXISTENT: { kind: 'missing' },
  TRYCREATE: { kind: 'missing' },
  NOPERM: { kind: 'forbidden' },
};

/** Returns the beginning of a refusal's text, e.g. `AUTHENTICATE failed.`; empty if there is none. */
export function refusalText(error: unknown): string {
  const { responseText, response }: ImapFailure = Object(error);
  const text = [responseText, response].find((one) => typeof one === 'string') ?? '';
  return text.slice(0, MAX_MESSAGE_LENGTH);
}

function interpretResponse(failure: ImapFailure): FailureMeaning {
  const { authenticationFailed, mailboxMissing, responseStatus } = failure;
  const shortText = refusalText(failure);
  if (OVERLOAD.test(shortText)) return { kind: 'busy', waitMs: undefined };
  if (TEMPORARY.test(shortText)) return { kind: 'temporary' };
  if (authenticationFailed === true) return { kind: 'password' };
  if (mailboxMissing === true) return { kind: 'missing' };
  if (responseStatus === 'NO') return { kind: 'refused' };
  return { kind: responseStatus === 'BAD' ? 'malformed' : 'unreachable' };
}

/** Returns the response code of a refusal, in upper case. imapflow reads it for some commands only. */
function responseCodeOf({ serverResponseCode, response }: ImapFailure): string {
  if (typeof serverResponseCode === 'string') return serverResponseCode.toUpperCase();
  const { attributes } = (response ?? {}) as { attributes?: { section?: { value?: unknown }[] }[] };
  return String(attributes?.[0]?.section?.[0]?.value ?? '').toUpperCase();
}

/** Interprets an error of imapflow, TLS or the network. */
export function interpretError(error: unknown): FailureMeaning {
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
  return BY_RESPONSE_CODE[responseCodeOf(failure)] ?? interpretResponse(failure);
}

/** Message for the user, by meaning. */
export const MESSAGES = {
  password: 'The mail server refused the user name or the password.',
  certificate: 'The certificate of the mail server is not valid. The password was not sent.',
  security: 'The mail server does not secure connections in this way at this port.',
  temporary: 'The mail server cannot answer at the moment. Try again later.',
  busy: 'The mail server asks to wait: there are too many connections.',
  missing: 'The mail server has no such mailbox.',
  forbidden: 'The mail server does not allow this mailbox to be read.',
  refused: 'The mail server refused the request.',
  malformed: 'The mail server sent something that cannot be read.',
} as const;

/** Classifies a mail server's failure for the client; undefined when the server could not be reached. */
export function classifyImap(error: unknown, now: number): FailedAnswer | undefined {
  const meaning = interpretError(error);
  switch (meaning.kind) {
    case 'unreachable':
      return undefined;
    case 'busy': {
      const until = meaning.waitMs === undefined ? undefined : new Date(now + meaning.waitMs);
      return { kind: 'retry-later', until, message: MESSAGES.busy };
    }
    case 'password':
      // The user may have connected again with a new password, so try the stored one again.
      return { kind: 'expired-token', message: `${MESSAGES.password} Connect it again.` };
    case 'temporary':
      return { kind: 'retry', message: MESSAGES.temporary };
    case 'missing':
      return { kind: 'fail', failure: 'not-found', message: MESSAGES.missing };
    case 'forbidden':
      return { kind: 'fail', failure: 'forbidden', message: MESSAGES.forbidden };
    case 'refused':
      return { kind: 'fail', failure: 'invalid', message: MESSAGES.refused };
    default:
      return { kind: 'fail', failure: 'malformed', message: MESSAGES[meaning.kind] };
  }
}
