import type { RecordReading } from '@datadeck/contract';
import { ChevronDown, ChevronUp, ExternalLink, History } from 'lucide-react';
import { useState } from 'react';
import { causeOf } from '../../api/failure.ts';
import { Button } from '../../ui/button.tsx';
import { CopyButton } from '../../ui/copy-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { LoadFailure } from '../../ui/load-failure.tsx';
import { LoadingRows } from '../../ui/skeleton.tsx';
import { ConversationContent } from './conversation-content.tsx';
import { RecordHistoryDialog } from './record-history-dialog.tsx';
import { useRecordConversationQuery, useRecordReadingQuery } from './records-api.ts';

/** Returns the names of the other accounts that have the record. */
function alsoIn(
  { account, accounts = [] }: RecordReading,
  accountOf: RecordReadingDialogProps['accountOf'],
): string[] {
  return accounts.filter((one) => one !== account).map((one) => accountOf(one) ?? one);
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
  const address = { providerId, entityLabel, record: recordId, account };
  const { currentData, error, isFetching, refetch } = useRecordReadingQuery(address);
  const conversation = useRecordConversationQuery(address);
  // Shown together, so that nothing moves while it is read.
  const isReady = conversation.currentData !== undefined || conversation.error !== undefined;
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
                className="inline-flex h-8 touch:h-10 items-center gap-2 rounded-sm bg-accent px-3 text-13 font-medium text-on-accent shadow-low transition-colors duration-100 hover:bg-accent-hover"
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
          {!(currentData && isReady) && error === undefined && <LoadingRows rows={6} />}
          {currentData && isReady && (
            <ConversationContent
              key={recordId}
              reading={currentData}
              conversation={conversation.currentData}
              alsoIn={alsoIn(currentData, accountOf)}
            />
          )}
          {currentData && conversation.error !== undefined && (
            <div className="pt-4">
              <LoadFailure
                sentence={`The other mails of the conversation could not be loaded. ${causeOf(conversation.error)}`}
                busy={conversation.isFetching}
                onRetry={conversation.refetch}
              />
            </div>
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
