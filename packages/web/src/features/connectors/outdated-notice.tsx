import type { ConnectorDetail } from '@datadeck/contract';
import { useEffect, useRef } from 'react';
import { Button } from '../../ui/button.tsx';
import { Age } from '../../ui/date-time.tsx';
import { NoticeLine } from '../../ui/notice-line.tsx';

interface OutdatedNoticeProps {
  /** The connector as the server has it now. */
  detail: ConnectorDetail;
  /** When the text changed on which the edited one is based. */
  basedOn: string;
  /** Whether the text on this page has unsaved changes. */
  isDirty: boolean;
  isSaving: boolean;
  onLoad: () => void;
  onOverwrite: () => void;
}

/** Says who changed the connector since the text on this page was read; offers to load the other text or to overwrite it. */
export function OutdatedNotice({
  detail,
  basedOn,
  isDirty,
  isSaving,
  onLoad,
  onOverwrite,
}: OutdatedNoticeProps) {
  const { draftAt, changedAt, changedBy, version } = detail;
  // What is left after a draft is older than the draft.
  const isDiscarded = draftAt === null && changedAt < basedOn;
  const since = isDirty ? 'while you edited this one' : 'after this page was loaded';
  const notice = useRef<HTMLDivElement>(null);
  // The page may be scrolled to the field that is edited.
  useEffect(() => {
    // Without its result: newer browsers return a promise, which is no cleanup.
    notice.current?.scrollIntoView({ block: 'center' });
  }, []);
  return (
    <div ref={notice} className="mb-4">
      <NoticeLine tone="error">
        <p>
          {isDiscarded ? (
            `The draft was discarded, ${isDirty ? 'while you edited it' : since}.`
          ) : (
            <>
              <bdi className="font-medium">{changedBy === '' ? 'Another administrator' : changedBy}</bdi>{' '}
              {draftAt === null ? `published version ${version ?? 1}` : 'saved another draft'}{' '}
              <Age iso={changedAt} />, {since}.
            </>
          )}{' '}
          {isDirty
            ? 'Your changes are on this page only.'
            : 'Nothing was published or discarded. Look at the other text first.'}
        </p>
        <div className="mt-2 flex flex-wrap gap-2">
          <Button size="sm" disabled={isSaving} onClick={onLoad}>
            Load the other text
          </Button>
          {isDirty && (
            <Button size="sm" disabled={isSaving} onClick={onOverwrite}>
              Overwrite it with mine
            </Button>
          )}
        </div>
      </NoticeLine>
    </div>
  );
}
