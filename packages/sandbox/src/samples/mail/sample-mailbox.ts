import { collectMails, type MailSource } from '../../gmail/collect-mails.ts';
import { userLabel } from '../../gmail/labels.ts';
import type { Label, MailboxContents } from '../../gmail/mail.ts';
import { SeededRandom } from '../seeded-random.ts';
import { composeMail } from './compose-mail.ts';
import type { Conversation } from './conversation.ts';
import { draftConversation, draftLoose, draftRecurring } from './draft-mails.ts';
import type { MailDraft } from './mail-draft.ts';
import { privateConversations } from './private-conversations.ts';
import { type Recurring, recurring } from './recurring.ts';
import { workConversations } from './work-conversations.ts';

/** The owner and content of a mailbox. */
interface MailboxPlan {
  owner: string;
  labels: readonly string[];
  conversations: readonly Conversation[];
  recurring: readonly Recurring[];
  loose: boolean;
}

const LABELS = [
  'Harbor',
  'Lantern',
  'Customers',
  'Family',
  'Travel',
  'Receipts',
  'Newsletters',
  'Reports',
  'Hiring',
];
const JONAS_SENDERS = ['ci', 'code', 'forum'];

const ADA: MailboxPlan = {
  owner: 'Ada Nowak <ada.nowak@sandbox.example>',
  labels: LABELS,
  conversations: [...workConversations, ...privateConversations],
  recurring,
  loose: true,
};

/** A smaller mailbox: a part of the work conversations and of the recurring mails. */
const JONAS: MailboxPlan = {
  owner: 'Jonas Weber <jonas.weber@sandbox.example>',
  labels: LABELS.slice(0, 3),
  conversations: workConversations.filter(({ turns }) => !turns.some(([who]) => who === 'jonas')).slice(0, 3),
  recurring: recurring
    .filter((sender) => JONAS_SENDERS.includes(sender.name))
    .map((sender) => ({ ...sender, reachDays: 90 })),
  loose: false,
};

const WELCOME: Conversation = {
  subject: 'ようこそ / Welcome',
  daysAgo: 3,
  turns: [
    [
      'lucia',
      'Hi Mei,\n\nthis is your new address. It is nice and quiet here, enjoy it while it lasts 🙂\n\nLucia',
    ],
  ],
};

const MEI: MailboxPlan = {
  owner: 'Mei Tanaka <mei.tanaka@sandbox.example>',
  labels: [],
  conversations: [WELCOME],
  recurring: [],
  loose: false,
};

/** Returns a bundled mailbox by the index of its account: a full, a smaller and a nearly empty one. */
export function sampleMailbox(index: number, anchor: number): MailboxContents {
  return fill([ADA, JONAS][index] ?? MEI, anchor);
}

function fill(plan: MailboxPlan, anchor: number): MailboxContents {
  const labels = plan.labels.map((name, index) => userLabel(index + 1, name));
  const random = new SeededRandom(plan.owner);
  const mailbox = {
    owner: plan.owner,
    anchor,
    random,
    labelIds: (names: readonly string[]) => idsOf(labels, names),
  };
  const drafts = [
    ...plan.conversations.flatMap((conversation) => draftConversation(mailbox, conversation)),
    ...plan.recurring.flatMap((sender) => draftRecurring(mailbox, sender)),
    ...(plan.loose ? draftLoose(mailbox) : []),
  ];
  return { labels, mails: collectMails(drafts.map(sourceOf)) };
}

function idsOf(labels: readonly Label[], names: readonly string[]): string[] {
  return labels.filter((label) => names.includes(label.name)).map((label) => label.id);
}

function sourceOf(draft: MailDraft): MailSource {
  const read = () => composeMail(draft);
  const { attachments: _left, html: _out, ...head } = draft;
  const readHead = () => composeMail({ ...head, text: '' });
  return {
    key: draft.key,
    labelIds: draft.labelIds,
    size: draft.text.length + 900,
    fallbackDate: draft.date,
    readHead,
    read,
  };
}
