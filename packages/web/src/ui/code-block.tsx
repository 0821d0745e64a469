import { useId } from 'react';
import { classNames } from './class-names.ts';
import { CopyButton } from './copy-button.tsx';

interface CodeBlockProps {
  label: string;
  code: string;
  /** The error message for this code. */
  error?: string | undefined;
}

/** Read-only code with a copy button. */
export function CodeBlock({ label, code, error }: CodeBlockProps) {
  const errorId = useId();
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <div className="flex min-h-5 items-center justify-between gap-2">
        <span className="text-13 font-medium text-ink-2">{label}</span>
        <CopyButton text={code} label={`Copy ${label.toLowerCase()}`} />
      </div>
      <section
        aria-label={label}
        aria-describedby={error === undefined ? undefined : errorId}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
        tabIndex={0}
        className={classNames('max-h-48 overflow-auto rounded-sm border bg-sunken', error && 'border-error')}
      >
        <pre className="whitespace-pre-wrap break-words p-3 font-mono text-12 text-ink-2">{code}</pre>
      </section>
      {error !== undefined && (
        <p id={errorId} role="alert" className="wrap-anywhere text-12 text-error-text">
          {error}
        </p>
      )}
    </div>
  );
}
