import { randomUUID } from 'node:crypto';

/** A refusal as the platform answers it: an error of OAuth, and its own code. */
export interface MicrosoftRefusal {
  error: string;
  /** The number of an AADSTS code, e.g. 65001. */
  code: number;
  text: string;
}

/** Returns the description of a refusal, with the ids by which an administrator finds it in the sign-in logs. */
export function describeRefusal({ code, text }: MicrosoftRefusal): string {
  const time = new Date().toISOString().replace('T', ' ').slice(0, 19);
  return `AADSTS${code}: ${text}\r\nTrace ID: ${randomUUID()}\r\nCorrelation ID: ${randomUUID()}\r\nTimestamp: ${time}Z`;
}

/** Returns the body of a refused token request. */
export function refusalBody(refusal: MicrosoftRefusal): Record<string, unknown> {
  const { error, code } = refusal;
  return {
    error,
    error_description: describeRefusal(refusal),
    error_codes: [code],
    error_uri: `https://login.microsoftonline.com/error?code=${code}`,
  };
}
