import { seededRandom } from '../../packages/server/test-support/seeded-random.ts';
import type { BenchMail } from './mails.ts';

/** A search of both products. */
export interface BenchQuery {
  product: string;
  notmuch: string;
}

const WORD = /[A-Za-z]{3,20}/g;
/** Words that operators or the parsers of queries read in another way. */
const RESERVED = new Set(['and', 'not', 'xor', 'near', 'adj', 'the']);

const wordsOf = (text: string) =>
  (text.match(WORD) ?? []).filter((word) => !RESERVED.has(word.toLowerCase()));

/** Returns operators that find a mail. */
function operatorsOf({ from, subject, date, isUnread, hasFile }: BenchMail): BenchQuery[] {
  const same = (text: string): BenchQuery => ({ product: text, notmuch: text });
  const year = date.getUTCFullYear();
  const [person] = wordsOf(from.name || from.address);
  const title = wordsOf(subject).at(-1);
  return [
    ...(person === undefined ? [] : [same(`from:${person}`)]),
    ...(title === undefined ? [] : [same(`subject:${title}`)]),
    ...(isUnread ? [{ product: 'is:unread', notmuch: 'tag:unread' }] : []),
    ...(hasFile ? [{ product: 'has:attachment', notmuch: 'tag:attachment' }] : []),
    { product: `after:${year}`, notmuch: `date:${year}..` },
    { product: `before:${year + 1}`, notmuch: `date:..${year}` },
  ];
}

/** Makes searches of one to three words with an operator, each of which finds at least one of the mails. */
export function makeQueries(mails: readonly BenchMail[], count: number): BenchQuery[] {
  const random = seededRandom(20);
  const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)] as T;
  return Array.from({ length: count }, (_, number) => {
    const mail = pick(mails);
    const known = wordsOf(`${mail.subject} ${mail.text}`);
    const words = Array.from({ length: 1 + (number % 3) }, () => (known.length === 0 ? '' : pick(known)));
    const operator = pick(operatorsOf(mail));
    const join = (one: string) => [one, ...words].join(' ').trim();
    return { product: join(operator.product), notmuch: join(operator.notmuch) };
  });
}
