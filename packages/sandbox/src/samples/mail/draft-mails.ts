import { escapeHtml } from '../../pages/html.ts';
import type { SeededRandom } from '../seeded-random.ts';
import { inviteFile, pdfFile } from './attachments.ts';
import type { Conversation } from './conversation.ts';
import type { MailDraft } from './mail-draft.ts';
import { PEOPLE, type Person } from './people.ts';
import type { Recurring } from './recurring.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

/** The mailbox for which drafts are created. */
export interface DraftMailbox {
  /** `Name <address>` of the owner. */
  owner: string;
  anchor: number;
  random: SeededRandom;
  labelIds(names: readonly string[]): string[];
}

/** Returns the messages of a conversation, each of which answers the previous one. */
export function draftConversation(mailbox: DraftMailbox, conversation: Conversation): MailDraft[] {
  const { random } = mailbox;
  const labels = mailbox.labelIds(conversation.labels ?? []);
  const keys = conversation.turns.map((_, index) => `${mailbox.owner}/${conversation.subject}/${index}`);
  let date =
    mailbox.anchor -
    conversation.daysAgo * DAY +
    random.between(7, 11) * HOUR +
    random.between(0, 59) * 60_000;
  return conversation.turns.map(([who, text], index) => {
    if (index > 0)
      date += Math.min(random.between(8, 400) * 60_000, Math.max(HOUR, (conversation.daysAgo * DAY) / 8));
    const partner = partnerOf(conversation, who);
    const isMine = who === 'me';
    const isUnread = !isMine && index === conversation.turns.length - 1 && conversation.daysAgo < 10;
    return {
      key: keys[index] ?? '',
      from: isMine ? mailbox.owner : PEOPLE[who],
      to: isMine ? PEOPLE[partner] : mailbox.owner,
      ...(conversation.cc === undefined || conversation.cc === who ? {} : { cc: PEOPLE[conversation.cc] }),
      subject:
        index === 0 || /^(Re|AW):/.test(conversation.subject)
          ? conversation.subject
          : `Re: ${conversation.subject}`,
      date,
      text: index === 0 ? text : `${text}\n\n> ${conversation.turns[index - 1]?.[1].split('\n')[0] ?? ''}\n`,
      ...(index === 0 && conversation.attachments ? { attachments: conversation.attachments } : {}),
      ...(conversation.isLatin
        ? { charset: 'iso-8859-1' as const, text: text.replace(/[^\0-\xff]/g, '') }
        : {}),
      ...(index > 0 ? { answers: keys[index - 1] ?? '', earlier: keys.slice(0, index) } : {}),
      labelIds: [
        ...(isMine ? ['SENT'] : ['INBOX', 'CATEGORY_PERSONAL']),
        ...(conversation.important && !isMine ? ['IMPORTANT'] : []),
        ...(conversation.starred && index === 0 ? ['STARRED'] : []),
        ...(isUnread ? ['UNREAD'] : []),
        ...labels,
      ],
    };
  });
}

/** Returns all messages of a recurring sender. */
export function draftRecurring(mailbox: DraftMailbox, sender: Recurring): MailDraft[] {
  const { random } = mailbox;
  const drafts: MailDraft[] = [];
  let daysAgo = sender.everyDays * random.next();
  for (
    let count = 0;
    daysAgo < sender.reachDays;
    count += 1, daysAgo += sender.everyDays + (random.next() - 0.5) * sender.jitterDays
  ) {
    const date = mailbox.anchor - daysAgo * DAY;
    drafts.push(recurringDraft(mailbox, sender, { date, key: `${mailbox.owner}/${sender.name}/${count}` }));
  }
  return drafts;
}

function recurringDraft(
  mailbox: DraftMailbox,
  sender: Recurring,
  at: { date: number; key: string },
): MailDraft {
  const { random } = mailbox;
  const day = new Date(at.date);
  const subject = sender.subject(random, day);
  const text = sender.text(random, day);
  const isUnread = random.chance(sender.unreadShare);
  return {
    ...at,
    from: sender.from,
    to: mailbox.owner,
    subject,
    text,
    ...(sender.hasHtml ? { html: newsletterHtml(subject, text) } : {}),
    ...(sender.listId === undefined
      ? {}
      : {
          headers: {
            'List-Id': `<${sender.listId}>`,
            'List-Unsubscribe': `<https://${sender.listId}/leave>`,
          },
        }),
    ...(sender.hasBill
      ? {
          attachments: [
            pdfFile(`${day.toISOString().slice(0, 7)}.pdf`, [sender.name, day.toISOString().slice(0, 10)]),
          ],
        }
      : {}),
    ...(sender.hasInvite ? { attachments: [inviteFile('Planning', at.date + 2 * DAY)] } : {}),
    labelIds: [...sender.labelIds, ...(isUnread ? ['UNREAD'] : []), ...mailbox.labelIds(sender.labels ?? [])],
  };
}

/** Returns drafts, notes to oneself and deleted messages. */
export function draftLoose(mailbox: DraftMailbox): MailDraft[] {
  const at = (daysAgo: number) => mailbox.anchor - daysAgo * DAY + 15 * HOUR;
  const note = { from: mailbox.owner, to: mailbox.owner };
  return [
    {
      ...note,
      key: 'draft/talk',
      subject: 'Abstract (draft)',
      date: at(5),
      text: 'Copies fail at 99 %, because',
      labelIds: ['DRAFT'],
    },
    { ...note, key: 'draft/empty', subject: '', date: at(12), text: '', labelIds: ['DRAFT'] },
    {
      ...note,
      key: 'note/wifi',
      subject: 'wifi at the cabin',
      date: at(21),
      text: 'jezioro-2019 (capital J)',
      labelIds: ['SENT', 'INBOX', 'STARRED'],
    },
    {
      ...note,
      key: 'trash/old',
      from: 'Ringpost <no-reply@ringpost.example>',
      subject: 'We miss you',
      date: at(28),
      text: 'Come back?',
      labelIds: ['TRASH'],
    },
  ];
}

function partnerOf(conversation: Conversation, who: Person | 'me'): Person {
  const other =
    conversation.turns.find(([writer]) => writer !== 'me' && writer !== who)?.[0] ??
    conversation.turns.find(([writer]) => writer !== 'me')?.[0];
  return other === undefined || other === 'me' ? 'jonas' : other;
}

function newsletterHtml(subject: string, text: string): string {
  const paragraphs = text
    .split(/\n{2,}/)
    .map((paragraph) => `<p>${escapeHtml(paragraph).replaceAll('\n', '<br>')}</p>`);
  return `<!DOCTYPE html><html><head><title>${escapeHtml(subject)}</title><style>p{font:16px Georgia}</style></head><body><h1>${escapeHtml(subject)}</h1>${paragraphs.join('')}<img src="https://tidewater.example/pixel.gif" width="1" height="1" alt=""></body></html>`;
}
