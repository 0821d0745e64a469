import { type HttpOptions, methodOf, type RawResponse, sendHttp } from './transport.ts';

/** One request as it is sent, a retry included. It has neither path nor query, which may contain personal data. */
export interface SentRequest {
  /** Method of HTTP; undefined for an exchange. */
  method?: string;
  /** Host and port; undefined for an exchange. */
  host?: string;
}

/** How a sent request ended: with a status of HTTP, without one (`ok`: another protocol), or not at all. */
export type RequestOutcome = number | 'ok' | 'failed' | 'aborted';

/** Called for each sent request, retries included. @returns the function that is called at its end */
export type RequestObserver = (request: SentRequest) => (outcome: RequestOutcome) => void;

/** Sends a request and reports its end, which is that of the body. @throws the errors of `sendHttp` */
export async function sendObserved(
  observe: RequestObserver | undefined,
  options: HttpOptions,
): Promise<RawResponse> {
  const end = observe?.({ method: methodOf(options), host: options.url.host });
  const endWithoutAnswer = () => end?.(options.signal.aborted ? 'aborted' : 'failed');
  try {
    const answer = await sendHttp(options);
    answer.bytes.then(() => end?.(answer.status), endWithoutAnswer);
    return answer;
  } catch (error) {
    endWithoutAnswer();
    throw error;
  }
}
