import type { ConnectorDocument } from '@datadeck/contract/connector-document';
import { documentWords } from '../builder/document-words.ts';
import type { RecordedAnswer } from '../builder/recorded-answer.ts';
import { requestFingerprint } from '../builder/request-fingerprint.ts';
import { ProofStoppedError } from './proof-stopped-error.ts';

/** Returns a text or number that the document compares with since an answer was recorded, so that the answer has none; undefined without one. */
function unknownWord(
  { words, numbers: knownNumbers = [], hasReplacedNames, text }: RecordedAnswer,
  document: ConnectorDocument,
  id: string,
): string | undefined {
  const { texts, numbers, names } = documentWords(document, id);
  const known = new Set(words);
  const isNew = (word: string) => !known.has(word) && /[\p{L}\p{N}]/u.test(word);
  // A name that was kept is in the answer.
  const isReplaced = (name: string) => isNew(name) && !text.includes(JSON.stringify(name).slice(1, -1));
  // Numbers of one digit are recorded as they are; recordings of earlier versions name no numbers.
  const isNewNumber = (number: number) =>
    !knownNumbers.includes(number) && !(Number.isInteger(number) && Math.abs(number) < 10);
  return (
    [...texts].find(isNew) ??
    [...numbers].find(isNewNumber)?.toString() ??
    (hasReplacedNames ? [...names].find(isReplaced) : undefined)
  );
}

/**
 * Returns the newest answer that was recorded for the request of an entity as the document makes it now.
 * @param wanted `id`: the entity, or `identity`; `what` to try, and `whose` request changed, within a sentence
 * @throws ProofStoppedError without one
 */
export function currentRecording(
  recordings: readonly RecordedAnswer[],
  {
    document,
    id,
    what,
    whose = 'its',
  }: { document: ConnectorDocument; id: string; what: string; whose?: string },
): RecordedAnswer {
  const stop = (message: string) => new ProofStoppedError('undecided', 'request', message);
  const good = recordings.filter(({ entity, status }) => entity === id && status >= 200 && status < 300);
  if (good.length === 0) throw stop(`Try ${what} first, so that there is an answer to work with.`);
  const fingerprint = requestFingerprint(document, id);
  const same = good.filter((recording) => recording.fingerprint === fingerprint);
  const found = same.find((recording) => unknownWord(recording, document, id) === undefined);
  if (found) return found;
  const [newest] = same;
  if (!newest) throw stop(`Try ${what} again: ${whose} request changed after the answer was recorded.`);
  throw stop(
    `Try ${what} again: ${whose} expressions name “${unknownWord(newest, document, id)}” since the answer was recorded, in which other values were replaced.`,
  );
}
