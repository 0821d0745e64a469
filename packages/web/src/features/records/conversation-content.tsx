import type { Conversation, ConversationMail, RecordReading } from '@datadeck/contract';
import { ChevronDown, ChevronRight, Paperclip } from 'lucide-react';
import { useEffect, useId, useRef, useState } from 'react';
import { causeOf } from '../../api/failure.ts';
import { Badge } from '../../ui/badge.tsx';
import { classNames } from '../../ui/class-names.ts';
import { DateTime } from '../../ui/date-time.tsx';
import { countOf, formatCount } from '../../ui/duration.ts';
import { LoadFailure } from '../../ui/load-failure.tsx';
import { NoticeLine } from '../../ui/notice-line.tsx';
import { LoadingRows } from '../../ui/skeleton.tsx';
import { ReadingContent } from './reading-content.tsx';
import { useRecordReadingQuery } from './records-api.ts';

interface ConversationContentProps {
  /** The opened mail. */
  reading: RecordReading;
  /** The mails of its conversation; undefined if they could not be loaded. */
  conversation: Conversation | undefined;
  /** Names of further accounts that have the opened mail. */
  alsoIn: readonly string[];
}

/** Another mail of the conversation, which is loaded when it is unfolded. */
function OtherMail({ reading, recordId }: { reading: RecordReading; recordId: string }) {
  const { providerId, entityLabel, account } = reading;
  const address = { providerId, entityLabel, record: recordId, account };
  const { currentData, error, isFetching, refetch } = useRecordReadingQuery(address);
  if (currentData) return <ReadingContent reading={currentData} alsoIn={[]} />;
  if (error === undefined) return <LoadingRows rows={3} />;
  return <LoadFailure sentence={causeOf(error)} busy={isFetching} onRetry={refetch} />;
}

interface MailHeadProps {
  mail: ConversationMail;
  isOpen: boolean;
  /** Whether it is the mail that was opened. */
  isOpened: boolean;
}

/** One line of a mail: sender, first words while it is folded, and date. */
function MailHead({ mail, isOpen, isOpened }: MailHeadProps) {
  const { sender, excerpt, occurredAt, isUnread, fileCount } = mail;
  const Icon = isOpen ? ChevronDown : ChevronRight;
  return (
    <>
      <Icon aria-hidden="true" size={14} className="mt-0.5 shrink-0 text-ink-3" />
      <span className="grid min-w-0 flex-1 grid-cols-[minmax(0,1fr)_auto] gap-x-3 gap-y-0.5 sm:grid-cols-[10rem_minmax(0,1fr)_auto]">
        <span
          title={sender}
          className={classNames('truncate text-13 text-ink', isUnread ? 'font-semibold' : 'font-medium')}
        >
          {isUnread && <span className="sr-only">Unread </span>}
          <bdi>{sender || 'Without a sender'}</bdi>
        </span>
        <span className="col-span-2 row-start-2 flex min-w-0 items-center gap-2 text-13 text-ink-3 sm:col-span-1 sm:row-start-auto">
          {isOpened && <Badge>Opened</Badge>}
          {fileCount > 0 && (
            <span className="inline-flex shrink-0 items-center gap-1 text-12">
              <Paperclip aria-hidden="true" size={12} />
              <span className="sr-only">{countOf(fileCount, 'attachment')}</span>
              <span aria-hidden="true">{formatCount(fileCount)}</span>
            </span>
          )}
          {!isOpen && (
            <bdi dir="auto" className="min-w-0 truncate">
              {excerpt || 'No text'}
            </bdi>
          )}
        </span>
        <DateTime
          iso={occurredAt}
          className="col-start-2 row-start-1 text-12 text-ink-3 tabular-nums sm:col-start-3"
        />
      </span>
    </>
  );
}

/** Says what the list has and lacks. */
function Remarks({ conversation }: { conversation: Conversation }) {
  const { mails, isCutOff, unindexed } = conversation;
  return (
    <>
      <h3 className="text-13 text-ink-3">
        {countOf(mails.length, 'mail')} in this conversation, newest first
      </h3>
      {isCutOff && (
        <NoticeLine tone="info">
          This conversation has more mails. Only the newest are listed. Search for the others.
        </NoticeLine>
      )}
      {unindexed > 0 && (
        <NoticeLine tone="info">
          {countOf(unindexed, 'record is', 'records are')} still being indexed. Mails may be missing here.
        </NoticeLine>
      )}
    </>
  );
}

interface MailItemProps extends Pick<ConversationContentProps, 'reading' | 'alsoIn'> {
  mail: ConversationMail;
  isOpenAtFirst: boolean;
}

/** A mail of the list, which unfolds. */
function MailItem({ mail, isOpenAtFirst, reading, alsoIn }: MailItemProps) {
  const id = useId();
  const [isOpen, setIsOpen] = useState(isOpenAtFirst);
  const isOpened = mail.recordId === reading.recordId;
  return (
    <>
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setIsOpen(!isOpen)}
        className="flex min-h-10 w-full items-start gap-2 px-3 py-2.5 text-left transition-colors duration-100 hover:bg-hover focus-visible:outline-2 focus-visible:-outline-offset-2 focus-visible:outline-accent-text"
      >
        <MailHead mail={mail} isOpen={isOpen} isOpened={isOpened} />
      </button>
      {isOpen && (
        <div id={id} className="px-3 pt-1 pb-4 sm:pl-8">
          {isOpened ? (
            <ReadingContent reading={reading} alsoIn={alsoIn} />
          ) : (
            <OtherMail reading={reading} recordId={mail.recordId} />
          )}
        </div>
      )}
    </>
  );
}

/** A mail among the others of its conversation: it and the newest are open, the others are folded to one line. */
export function ConversationContent({ reading, conversation, alsoIn }: ConversationContentProps) {
  const opened = useRef<HTMLLIElement>(null);
  const mails = conversation?.mails ?? [];
  const newest = mails[0]?.recordId;
  const isNewest = newest === reading.recordId;
  useEffect(() => {
    if (!isNewest) opened.current?.scrollIntoView({ block: 'start' });
  }, [isNewest]);
  if (!conversation || mails.length < 2) return <ReadingContent reading={reading} alsoIn={alsoIn} />;
  return (
    <div className="flex flex-col gap-3">
      <Remarks conversation={conversation} />
      <ol aria-label="Conversation" className="overflow-clip rounded-md border">
        {mails.map((mail) => {
          const isOpened = mail.recordId === reading.recordId;
          return (
            <li key={mail.recordId} ref={isOpened ? opened : undefined} className="border-b last:border-b-0">
              <MailItem
                mail={mail}
                isOpenAtFirst={isOpened || mail.recordId === newest}
                reading={reading}
                alsoIn={alsoIn}
              />
            </li>
          );
        })}
      </ol>
    </div>
  );
}
