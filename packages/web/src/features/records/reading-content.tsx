import type { RecordReading } from '@datadeck/contract';
import { lazy, Suspense, useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { DateTime } from '../../ui/date-time.tsx';
import { formatCount } from '../../ui/duration.ts';
import { fetchCode } from '../../ui/fetch-code.ts';
import { LinkedText } from '../../ui/linked-text.tsx';
import { NoticeLine } from '../../ui/notice-line.tsx';
import { LoadingRows } from '../../ui/skeleton.tsx';
import { Switch } from '../../ui/switch.tsx';
import { ATTACHMENTS_FACT, AttachmentList } from './attachment-list.tsx';
import { PULL_HEADER_FACTS, PullHeader } from './pull-header.tsx';
import { separateQuote } from './quoted-text.ts';

const MailFrame = lazy(() => fetchCode(() => import('./mail-frame.tsx')));

/** Number of values that a fact shows, e.g. of recipients. */
const MAX_VALUES = 20;
/** Length of a text that is shown at once, UTF-16 units. */
const FIRST_LENGTH = 50_000;

function Facts({ facts, occurredAt }: Pick<RecordReading, 'facts' | 'occurredAt'>) {
  return (
    <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1 text-13">
      {facts.map(({ title, values }) => (
        <div key={title} className="contents">
          <dt className="text-ink-3">{title}</dt>
          <dd className="wrap-anywhere">
            {values.slice(0, MAX_VALUES).map((value, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: the same value may be there twice
              <span key={index}>
                {index > 0 && ', '}
                <bdi>{value}</bdi>
              </span>
            ))}
            {values.length > MAX_VALUES && (
              <span className="text-ink-3"> and {formatCount(values.length - MAX_VALUES)} more</span>
            )}
          </dd>
        </div>
      ))}
      <dt className="text-ink-3">Date</dt>
      <dd>
        <DateTime iso={occurredAt} className="tabular-nums" />
      </dd>
    </dl>
  );
}

/** The text of a record. A long one is shown in two steps. */
function Text({ text }: { text: string }) {
  const [isWhole, setIsWhole] = useState(text.length <= FIRST_LENGTH);
  if (text.trim() === '') return <p className="text-13 text-ink-3">This record has no text.</p>;
  const {
    text: own,
    quote,
    rest,
  } = separateQuote(isWhole ? text : text.slice(0, FIRST_LENGTH).toWellFormed());
  return (
    <>
      <LinkedText text={own} />
      {quote !== '' && (
        <details>
          <summary className="w-fit cursor-pointer rounded-sm text-13 text-ink-3 hover:text-ink">
            Show quoted text
          </summary>
          <div className="mt-2 border-l-2 pl-3 text-ink-2">
            <LinkedText text={quote} />
          </div>
        </details>
      )}
      {rest !== '' && <LinkedText text={rest} />}
      {!isWhole && (
        <Button className="self-start" onClick={() => setIsWhole(true)}>
          Show the whole text
        </Button>
      )}
    </>
  );
}

/** What a person reads of a record: its facts and its text. @param alsoIn names of further accounts that have it */
export function ReadingContent({ reading, alsoIn }: { reading: RecordReading; alsoIn: readonly string[] }) {
  const { text, textFormat, html, isCutOff, pull, attachments } = reading;
  // Some mails have nothing but HTML. Markdown is written to be shown with its format.
  const [isFormatted, setIsFormatted] = useState(text.trim() === '' || textFormat === 'markdown');
  const isShownElsewhere = (title: string) =>
    pull ? PULL_HEADER_FACTS.has(title) : attachments !== undefined && title === ATTACHMENTS_FACT;
  const facts = reading.facts.filter(({ title }) => !isShownElsewhere(title));
  return (
    <div className="flex flex-col gap-4">
      {pull && <PullHeader pull={pull} url={reading.url} />}
      <Facts
        occurredAt={reading.occurredAt}
        facts={[...facts, ...(alsoIn.length > 0 ? [{ title: 'Also in', values: [...alsoIn] }] : [])]}
      />
      {attachments && <AttachmentList reading={reading} attachments={attachments} />}
      <div className="flex flex-col gap-4 border-t pt-4">
        {html !== null && (
          <Switch
            label={textFormat === 'plain' ? 'Show formatted mail' : 'Show formatted text'}
            checked={isFormatted}
            onChange={setIsFormatted}
          />
        )}
        {html !== null && isFormatted ? (
          <Suspense fallback={<LoadingRows rows={4} />}>
            <MailFrame html={html} textFormat={textFormat} />
          </Suspense>
        ) : (
          <Text text={text} />
        )}
        {isCutOff && (
          <NoticeLine tone="info">
            Only the beginning of this record is shown. Open it at its provider to read all of it.
          </NoticeLine>
        )}
      </div>
    </div>
  );
}
