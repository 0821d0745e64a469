import { importedSentence, type ManifestStream } from '@datadeck/contract';
import { FileInput } from 'lucide-react';
import { useState } from 'react';
import { useLocation } from 'react-router';
import { z } from 'zod';
import { Button } from '../../ui/button.tsx';
import { countOf } from '../../ui/duration.ts';
import { NoticeLine } from '../../ui/notice-line.tsx';
import { LeftOutStreams } from './left-out-streams.tsx';

const noticesSchema = z.object({
  remarks: z.array(z.string()),
  streams: z
    .array(
      z.object({
        name: z.string(),
        line: z.number(),
        isImported: z.boolean(),
        reason: z.string(),
        entities: z.array(z.string()),
      }),
    )
    .optional(),
});

function RemarkList({ remarks }: { remarks: readonly string[] }) {
  return (
    <ul className="mt-1 list-disc pl-4">
      {remarks.map((remark) => (
        <li key={remark} className="wrap-anywhere">
          {remark}
        </li>
      ))}
    </ul>
  );
}

interface ManifestNoticeProps {
  streams: readonly ManifestStream[];
  remarks: readonly string[];
  onDismiss: () => void;
}

/** Counts the imported streams of a manifest, and lists those that were left out. */
function ManifestNotice({ streams, remarks, onDismiss }: ManifestNoticeProps) {
  const leftOut = streams.filter(({ isImported }) => !isImported).length;
  return (
    <section aria-label="Import of the manifest" className="mb-4 rounded-md border bg-surface shadow-low">
      <header className="flex items-center gap-2 px-4 pt-3 text-13 font-semibold">
        <FileInput aria-hidden="true" size={16} className="shrink-0 text-ink-3" />
        <h2 className="min-w-0 flex-1">{importedSentence(streams)}</h2>
        <Button size="sm" onClick={onDismiss}>
          Dismiss
        </Button>
      </header>
      <div className="px-4 pt-1 pb-3">
        {leftOut > 0 && (
          <>
            <p className="mb-2 text-12 text-ink-3">{countOf(leftOut, 'stream')} left out:</p>
            <LeftOutStreams streams={streams} />
          </>
        )}
        {remarks.length > 0 && (
          <div className="mt-3 text-13 text-ink-2">
            <p className="font-medium text-ink">Please check</p>
            <RemarkList remarks={remarks} />
          </div>
        )}
      </div>
    </section>
  );
}

/** What could not be taken over when the document was started, until it is dismissed. */
export function StartNotices() {
  const { state } = useLocation();
  const [isShown, setIsShown] = useState(true);
  const read = noticesSchema.safeParse(state);
  if (!isShown || !read.success) return null;
  const { remarks, streams } = read.data;
  const onDismiss = () => setIsShown(false);
  if (streams) return <ManifestNotice streams={streams} remarks={remarks} onDismiss={onDismiss} />;
  if (remarks.length === 0) return null;
  return (
    <div className="mb-4">
      <NoticeLine tone="info">
        <p className="font-medium text-ink">Please check what was guessed</p>
        <RemarkList remarks={remarks} />
        <Button size="sm" className="mt-2" onClick={onDismiss}>
          Dismiss
        </Button>
      </NoticeLine>
    </div>
  );
}
