import { CopyButton } from './copy-button.tsx';

/** Read-only code with a copy button. */
export function CodeBlock({ label, code }: { label: string; code: string }) {
  return (
    <div className="flex min-w-0 flex-col gap-1.5">
      <div className="flex min-h-5 items-center justify-between gap-2">
        <span className="text-13 font-medium text-ink-2">{label}</span>
        <CopyButton text={code} label={`Copy ${label.toLowerCase()}`} />
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard */}
      <section aria-label={label} tabIndex={0} className="max-h-48 overflow-auto rounded-sm border bg-sunken">
        <pre className="whitespace-pre-wrap break-words p-3 font-mono text-12 text-ink-2">{code}</pre>
      </section>
    </div>
  );
}
