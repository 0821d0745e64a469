import { CONVERSATION_MAILS, type MailSummary, type SearchResult } from '@datadeck/contract';
import { Paperclip } from 'lucide-react';
import { formatCount } from '../../ui/duration.ts';

/** The first attachments of a mail, and how many more it has. */
export function ResultFiles({ mail }: { mail: MailSummary }) {
  const { files, fileCount } = mail;
  const more = fileCount - files.length;
  const names = files.map((name) => name || 'Without a name');
  return (
    <span className="inline-flex min-w-0 items-center gap-1 text-ink-2">
      <Paperclip aria-hidden="true" size={12} className="shrink-0 text-ink-3" />
      <span className="sr-only">Attachments: </span>
      <bdi title={names.join(', ')} className="max-w-64 truncate">
        {names.join(', ')}
      </bdi>
      {more > 0 && <span className="text-ink-3">+{formatCount(more)}</span>}
    </span>
  );
}

/** Returns a number of mails, which is not counted beyond the listed ones: `100+`. */
const countUpTo = (count: number) =>
  count > CONVERSATION_MAILS ? `${formatCount(CONVERSATION_MAILS)}+` : formatCount(count);
const mailsOf = (count: number) => `${countUpTo(count)} mails`;

/** Whose record it is: the sender of a mail, the author of a pull request or other work after its place. */
export function ResultPerson({ result }: { result: SearchResult }) {
  const { person, mail, pull, work } = result;
  const reference = pull?.reference ?? work?.reference ?? '';
  return (
    <>
      {reference !== '' && (
        <span title={reference} className="min-w-0 truncate font-medium text-ink-2">
          <bdi>{reference}</bdi>
        </span>
      )}
      <span title={person} className="min-w-0 truncate text-ink-2">
        <bdi>{mail?.sender || person}</bdi>
      </span>
      {mail?.mailCount !== undefined && (
        <span
          title={`${mailsOf(mail.mailCount)} in this conversation`}
          className="shrink-0 text-ink-3 tabular-nums"
        >
          <span aria-hidden="true">{countUpTo(mail.mailCount)}</span>
          <span className="sr-only">{mailsOf(mail.mailCount)} in this conversation</span>
        </span>
      )}
    </>
  );
}
