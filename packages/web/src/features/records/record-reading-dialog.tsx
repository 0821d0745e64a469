import type { RecordReading } from '@datadeck/contract';
import { ChevronDown, ChevronUp, ExternalLink, History } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { causeOf } from '../../api/failure.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { DateTime } from '../../ui/date-time.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { formatCount } from '../../ui/duration.ts';
import { fetchCode } from '../../ui/fetch-code.ts';
import { IconButton } from '../../ui/icon-button.tsx';
import { LinkedText } from '../../ui/linked-text.tsx';
import { LoadFailure } from '../../ui/load-failure.tsx';
import { NoticeLine } from '../../ui/notice-line.tsx';
import { LoadingRows } from '../../ui/skeleton.tsx';
import { Switch } from '../../ui/switch.tsx';
import { RecordHistoryDialog } from './record-history-dialog.tsx';
import { useRecordReadingQuery } from './records-api.ts';

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
  return (
    <>
      <LinkedText text={isWhole ? text : text.slice(0, FIRST_LENGTH).toWellFormed()} />
      {!isWhole && (
        <Button className="self-start" onClick={() => setIsWhole(true)}>
          Show the whole text
        </Button>
      )}
    </>
  );
}

/** Returns the names of the other accounts that have the record. */
function alsoIn(
  { account, accounts = [] }: RecordReading,
  accountOf: RecordReadingDialogProps['accountOf'],
): string[] {
  return accounts.filter((one) => one !== account).map((one) => accountOf(one) ?? one);
}

function Content({ reading, alsoIn }: { reading: RecordReading; alsoIn: readonly string[] }) {
  const { text, html, isCutOff } = reading;
  // Some mails have nothing but HTML.
  const [isFormatted, setIsFormatted] = useState(text.trim() === '' && html !== null);
  return (
    <div className="flex flex-col gap-4">
      <Facts
        occurredAt={reading.occurredAt}
        facts={[...reading.facts, ...(alsoIn.length > 0 ? [{ title: 'Also in', values: [...alsoIn] }] : [])]}
      />
      <div className="flex flex-col gap-4 border-t pt-4">
        {html !== null && (
          <Switch label="Show formatted mail" checked={isFormatted} onChange={setIsFormatted} />
        )}
        {html !== null && isFormatted ? (
          <Suspense fallback={<LoadingRows rows={4} />}>
            <MailFrame html={html} />
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

interface RecordReadingDialogProps {
  providerId: string;
  entityLabel: string;
  recordId: string;
  /** The account whose copy is meant; any without it. */
  account?: string | undefined;
  /** Returns the name of an account; undefined if the provider shows one account. */
  accountOf: (account: string) => string | undefined;
  /** The record's title as far as it is known before the record is loaded. */
  knownTitle: string;
  providerTitle: string;
  entityTitle: string;
  /** Goes to the record before or after; undefined where there is none. */
  onPrevious: (() => void) | undefined;
  onNext: (() => void) | undefined;
  onClose: () => void;
}

/** The reading view of a record: its facts and its text. All of it is content of others. */
export function RecordReadingDialog(props: RecordReadingDialogProps) {
  const { providerId, entityLabel, recordId, account, accountOf, onPrevious, onNext } = props;
  const [isHistoryOpen, setIsHistoryOpen] = useState(false);
  const { currentData, error, isFetching, refetch } = useRecordReadingQuery({
    providerId,
    entityLabel,
    record: recordId,
    account,
  });
  const shownIn = currentData?.account ?? account;
  const title = currentData?.title || props.knownTitle || 'Without a title';
  return (
    <>
      <Dialog
        open
        onClose={props.onClose}
        size="lg"
        wrapsTitle
        title={title}
        subtitle={[props.providerTitle, props.entityTitle, shownIn && accountOf(shownIn)]
          .filter(Boolean)
          .join(' · ')}
        aside={
          <div className="flex">
            <IconButton
              label="Previous result"
              icon={<ChevronUp size={16} />}
              disabled={!onPrevious}
              onClick={onPrevious}
            />
            <IconButton
              label="Next result"
              icon={<ChevronDown size={16} />}
              disabled={!onNext}
              onClick={onNext}
            />
          </div>
        }
        footer={
          <>
            {currentData && <CopyButton text={currentData.text} label="Copy the text" />}
            <Button
              icon={<History aria-hidden="true" size={14} />}
              onClick={() => setIsHistoryOpen(true)}
              disabled={!currentData}
            >
              History
            </Button>
            {currentData && currentData.url !== null && (
              <a
                href={currentData.url}
                target="_blank"
                rel="noopener noreferrer"
                className="inline-flex h-8 items-center gap-2 rounded-sm bg-accent px-3 text-13 font-medium text-on-accent shadow-low transition-colors duration-100 hover:bg-accent-hover"
              >
                <ExternalLink aria-hidden="true" size={14} />
                Open in {props.providerTitle}
              </a>
            )}
          </>
        }
      >
        <div className="min-h-64">
          {error !== undefined && (
            <LoadFailure sentence={causeOf(error)} busy={isFetching} onRetry={refetch} />
          )}
          {!currentData && error === undefined && <LoadingRows rows={6} />}
          {currentData && (
            <Content key={recordId} reading={currentData} alsoIn={alsoIn(currentData, accountOf)} />
          )}
        </div>
      </Dialog>
      {isHistoryOpen && (
        <RecordHistoryDialog
          providerId={providerId}
          entityLabel={entityLabel}
          recordId={recordId}
          account={account}
          onClose={() => setIsHistoryOpen(false)}
        />
      )}
    </>
  );
}
