import type { ChangeKind } from '@datadeck/contract';
import { ChevronRight } from 'lucide-react';
import { lazy, type ReactNode, Suspense, useId, useState } from 'react';
import { causeOf } from '../../api/failure.ts';
import { classNames } from '../../ui/class-names.ts';
import { fetchCode } from '../../ui/fetch-code.ts';
import { LoadFailure } from '../../ui/load-failure.tsx';
import { LoadingRows } from '../../ui/skeleton.tsx';
import { ChangeKindBadge } from './change-kind.tsx';
import { useRecordChangeQuery } from './records-api.ts';

const DifferenceView = lazy(async () => ({
  default: await fetchCode(
    async () => (await import('../../ui/difference/difference-view.tsx')).DifferenceView,
  ),
}));

function Change({ syncId, recordId }: { syncId: string; recordId: string }) {
  const { data, error, isFetching, refetch } = useRecordChangeQuery({ id: syncId, record: recordId });
  if (error !== undefined)
    return <LoadFailure sentence={causeOf(error)} busy={isFetching} onRetry={refetch} />;
  if (!data) return <LoadingRows rows={2} words="Loading" />;
  return (
    <Suspense fallback={<LoadingRows rows={2} words="Loading" />}>
      <DifferenceView before={data.before} after={data.after} />
    </Suspense>
  );
}

interface ChangeRowProps {
  kind: ChangeKind;
  syncId: string;
  recordId: string;
  /** The text of the row, beside the kind of change. */
  children: ReactNode;
  isOpenAtFirst?: boolean;
}

/** A row that expands to the differences that a sync made to a record. */
export function ChangeRow({ kind, syncId, recordId, children, isOpenAtFirst = false }: ChangeRowProps) {
  const [isOpen, setIsOpen] = useState(isOpenAtFirst);
  const contentId = useId();
  return (
    <li className="border-b last:border-b-0">
      <button
        type="button"
        aria-expanded={isOpen}
        aria-controls={isOpen ? contentId : undefined}
        onClick={() => setIsOpen(!isOpen)}
        className="flex min-h-10 w-full items-center gap-3 rounded-sm px-3 py-2 text-left text-13 hover:bg-hover focus-visible:-outline-offset-2"
      >
        <ChevronRight
          aria-hidden="true"
          size={14}
          className={classNames(
            'shrink-0 text-ink-3 transition-transform duration-100',
            isOpen && 'rotate-90',
          )}
        />
        <span className="w-20 shrink-0">
          <ChangeKindBadge kind={kind} />
        </span>
        {children}
      </button>
      {isOpen && (
        <div id={contentId} className="px-3 pt-1 pb-4 md:pl-10">
          <Change syncId={syncId} recordId={recordId} />
        </div>
      )}
    </li>
  );
}
