import type { DocumentRequest } from '@datadeck/contract/connector-document';
import { exceedsShape } from '@datadeck/contract/json-shape';
import { decodeText } from '../mail/charset.ts';
import { decodeCsv } from './decode-csv.ts';
import { ANSWER_LIMITS, tooLargeError } from './decode-limits.ts';
import { decodeXml } from './decode-xml.ts';
import { readFeed } from './feed.ts';

const XML_CHARSET = /^[^<]{0,9}<\?xml[^<>]{0,99}?encoding\s{0,9}=\s{0,9}["']([^"'<>]{1,40})["']/;

/** Decodes XML in the charset of its byte order mark or its declaration. A declaration in UTF-16 is read without its NULs. */
function xmlText(bytes: Uint8Array): string {
  const start = Buffer.from(bytes.subarray(0, 400)).toString('latin1').replaceAll('\0', '');
  return decodeText(bytes, { charset: XML_CHARSET.exec(start)?.[1] ?? '' });
}

function parseJson(json: string): unknown {
  if (exceedsShape(json, ANSWER_LIMITS)) throw tooLargeError();
  return JSON.parse(json);
}

function parseLines(text: string): unknown[] {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (lines.length > ANSWER_LIMITS.values || exceedsShape(text, ANSWER_LIMITS)) throw tooLargeError();
  return lines.map((line) => JSON.parse(line) as unknown);
}

/**
 * Decodes the body of an answer. JSON and XML yield their values (`decodeXml`), NDJSON a list with the value of each line, CSV
 * a list of objects of texts (`decodeCsv`), and a feed its normal form (`readFeed`).
 * @throws SyntaxError for a body of another format; ProviderError `malformed` for one with too many or too deep values
 */
export function decode(kind: DocumentRequest['decode'], bytes: Uint8Array): unknown {
  if (kind === 'xml') return decodeXml(xmlText(bytes));
  if (kind === 'feed') return readFeed(decodeXml(xmlText(bytes), { isFeed: true }));
  if (kind === 'csv') return decodeCsv(decodeText(bytes, { charset: '' }));
  const text = new TextDecoder().decode(bytes);
  return kind === 'json' ? parseJson(text) : parseLines(text);
}

/** Decodes the body of an answer to values that can be changed and written again: of a feed, the elements of its XML. @throws as `decode` */
export function decodeElements(kind: DocumentRequest['decode'], bytes: Uint8Array): unknown {
  return kind === 'feed' ? decodeXml(xmlText(bytes), { isFeed: true }) : decode(kind, bytes);
}
