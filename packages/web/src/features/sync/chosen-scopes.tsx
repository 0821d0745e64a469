import { X } from 'lucide-react';

interface ChosenScopesProps {
  /** Names what is chosen, for assistive technology. */
  label: string;
  chosen: readonly string[];
  titleOf: (text: string) => string;
  onRemove: (text: string) => void;
}

/** The chosen names and patterns, each with a button that removes it. */
export function ChosenScopes({ label, chosen, titleOf, onRemove }: ChosenScopesProps) {
  if (chosen.length === 0) return null;
  return (
    <ul aria-label={label} className="flex max-h-24 flex-wrap gap-1.5 overflow-y-auto">
      {chosen.map((text) => (
        <li
          key={text}
          className="inline-flex h-6 max-w-full items-center rounded-sm bg-accent-soft pl-2 text-12 text-accent-text"
        >
          <bdi title={titleOf(text)} className="truncate">
            {titleOf(text)}
          </bdi>
          <button
            type="button"
            aria-label={`Remove ${titleOf(text)}`}
            className="inline-flex size-6 shrink-0 items-center justify-center rounded-sm hover:bg-hover"
            onClick={() => onRemove(text)}
          >
            <X aria-hidden="true" size={12} />
          </button>
        </li>
      ))}
    </ul>
  );
}
