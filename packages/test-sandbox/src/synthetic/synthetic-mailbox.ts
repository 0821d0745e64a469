import { composeMail, harbor, type MailboxContents, SeededRandom, userLabel } from '@datadeck/sandbox/parts';

const FIRST_ID = 0x18_00_00_00_00_00_00n << 8n;
const MINUTE = 60_000;
const LABELS = [userLabel(1, 'Benches'), userLabel(2, 'Later')];

/** Label lists, shared by all messages with the same labels. */
const LABEL_SETS = [
  ['INBOX'],
  ['INBOX', 'UNREAD'],
  ['INBOX', 'Label_1'],
  ['INBOX', 'CATEGORY_UPDATES'],
  ['INBOX', 'UNREAD', 'Label_2'],
];

/** Returns a mailbox of any size: an index entry per message; texts are generated on request. Threads have three messages. */
export function syntheticMailbox(count: number, anchor: number): MailboxContents {
  const mails = Array.from({ length: count }, (_, index) => ({
    id: idOf(index),
    threadId: idOf(index - (index % 3)),
    labelIds: LABEL_SETS[(index * 7) % LABEL_SETS.length] ?? [],
    internalDate: anchor - (count - index) * 3 * MINUTE,
    size: 2000,
    read: () => makeMail(index, anchor - (count - index) * 3 * MINUTE),
  }));
  return { labels: LABELS, mails };
}

function idOf(index: number): string {
  return (FIRST_ID + BigInt(index)).toString(16);
}

function makeMail(index: number, date: number): Buffer {
  const random = new SeededRandom(`mail/${index}`);
  const first = index - (index % 3);
  const sender = random.between(1, 400);
  const text = Array.from({ length: random.between(2, 9) }, () => random.pick(harbor.reasons)).join('\n\n');
  return composeMail({
    key: `bench.${index}`,
    from: `Sender ${sender} <sender-${sender}@example-${sender % 23}.example>`,
    to: 'Bench <bench@sandbox.example>',
    subject: `${first === index ? '' : 'Re: '}${new SeededRandom(`thread/${first}`).pick(harbor.titles)} (${first})`,
    date,
    text,
    labelIds: [],
    ...(first === index ? {} : { answers: `bench.${index - 1}` }),
  });
}
