import { CircleAlert, Info } from 'lucide-react';
import { classNames } from '../../ui/class-names.ts';

/** Something to know about a part of a search's text; `from` and `to` are offsets, UTF-16 units. */
export interface Remark {
  message: string;
  from: number;
  to: number;
}

/** Longest shown part of the text, UTF-16 units, and what is shown around it. */
const PART_LENGTH = 60;
const CONTEXT_LENGTH = 30;

/** Shows the part of the text that a remark is about, with some text around it. */
function Place({ text, from, to, isError }: { text: string; from: number; to: number; isError: boolean }) {
  const start = Math.max(0, from - CONTEXT_LENGTH);
  const end = Math.min(to, from + PART_LENGTH);
  const after = text.slice(end, end + CONTEXT_LENGTH);
  return (
    <code dir="auto" className="mt-1 block truncate pb-1.5 text-left font-mono text-12 text-ink-2">
      {start > 0 && '…'}
      {text.slice(start, from)}
      <span
        className={classNames(
          'underline decoration-wavy underline-offset-4',
          isError ? 'decoration-error' : 'decoration-secondary',
        )}
      >
        {text.slice(from, end)}
      </span>
      {end < to ? '…' : after}
    </code>
  );
}

interface SearchRemarksProps {
  /** Id for the box that they describe. */
  id: string;
  text: string;
  remarks: readonly Remark[];
  /** True if the search cannot run. */
  isError: boolean;
}

/** Explains problems of a search's text, each with the part of the text that it is about. */
export function SearchRemarks({ id, text, remarks, isError }: SearchRemarksProps) {
  const Icon = isError ? CircleAlert : Info;
  return (
    <div id={id} role={isError ? 'alert' : undefined}>
      <ul className="flex flex-col gap-2">
        {remarks.map(({ message, from, to }) => (
          <li
            key={`${from} ${message}`}
            className={classNames(
              'flex items-start gap-2 rounded-sm px-3 py-2 text-13',
              isError ? 'bg-error-soft text-error-text' : 'bg-sunken text-ink-2',
            )}
          >
            <Icon aria-hidden="true" size={16} className="mt-0.5 shrink-0" />
            <div className="min-w-0 wrap-anywhere">
              <p>{message}</p>
              <Place text={text} from={from} to={to} isError={isError} />
            </div>
          </li>
        ))}
      </ul>
    </div>
  );
}
