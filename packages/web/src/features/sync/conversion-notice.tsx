import type { UserEntity } from '@datadeck/contract';
import { NoticeLine } from '../../ui/notice-line.tsx';

/** Says how many records an upgrade still has to convert; shows nothing when none is left. */
export function ConversionNotice({ entities }: { entities: readonly UserEntity[] }) {
  const waiting = entities.filter(({ unconverted }) => unconverted > 0);
  if (waiting.length === 0) return null;
  const left = waiting.map(({ title, unconverted }) => `${unconverted.toLocaleString('en')} of ${title}`);
  return (
    <div className="mb-4">
      <NoticeLine tone="info">
        Your records are being converted after an upgrade. Still to convert: {left.join(', ')}. No data is
        lost. Their pages and synchronizations wait until the conversion is complete.
      </NoticeLine>
    </div>
  );
}
