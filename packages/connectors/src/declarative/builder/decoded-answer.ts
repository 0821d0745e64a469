import type { DocumentRequest } from '@datadeck/contract/connector-document';
import { ProviderError } from '../../sdk/index.ts';
import { decode } from '../decode.ts';
import type { SecretHider } from './hide-secret.ts';

const FORMATS: Readonly<Record<DocumentRequest['decode'], string>> = {
  json: 'JSON',
  ndjson: 'JSON lines',
  csv: 'CSV',
  xml: 'XML',
  feed: 'a feed',
};

interface AnswerBody {
  bytes: Uint8Array;
  decode: DocumentRequest['decode'];
  hider: SecretHider;
}

/** Decodes an answer and takes secrets out of it, so that no expression finds any. @returns undefined after `report` of why not */
export function decodedAnswer(
  { bytes, decode: kind, hider }: AnswerBody,
  report: (message: string) => void,
): { response: unknown } | undefined {
  try {
    if (bytes.length > 0) return { response: hider.hideIn(decode(kind, bytes)) };
    report('The answer is empty.');
  } catch (error) {
    const reason =
      error instanceof ProviderError || error instanceof RangeError
        ? error.message
        : `The answer is not ${FORMATS[kind]}`;
    const isHtml = /^\s{0,100}<(?:!doctype|html)/i.test(
      Buffer.from(bytes.subarray(0, 200)).toString('latin1'),
    );
    report(
      isHtml
        ? `${reason.replace(/\.$/, '')}, but a page of HTML. Check the path and the base address.`
        : `${reason.replace(/\.$/, '')}.`,
    );
  }
  return undefined;
}
