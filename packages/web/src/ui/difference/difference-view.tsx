import { type ReactNode, useMemo, useState } from 'react';
import { Button } from '../button.tsx';
import { type Difference, differences } from './differences.ts';
import { textParts } from './text-parts.ts';

/** Maximum number of differences that are shown at first. */
const SHOWN = 30;
/** Maximum length of a shown value, characters. */
const MAX_LENGTH = 2000;
/** Texts of at least this length are compared word by word, characters. */
const MIN_LONG_TEXT = 40;

const asText = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value, null, 2);
const cut = (text: string) => (text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH)}…` : text);

/** One side of a difference: a colour, a sign, and words for assistive technology. */
function Side({ kind, children }: { kind: 'before' | 'after'; children: ReactNode }) {
  const isBefore = kind === 'before';
  const Element = isBefore ? 'del' : 'ins';
  return (
    <Element
      className={`flex gap-2 rounded-sm px-2 py-0.5 no-underline ${isBefore ? 'bg-error-soft text-error-text' : 'bg-success-soft text-success-text'}`}
    >
      <span aria-hidden="true" className="select-none font-semibold">
        {isBefore ? '−' : '+'}
      </span>
      <span className="sr-only">{isBefore ? 'before: ' : 'after: '}</span>
      <span className="min-w-0 whitespace-pre-wrap [overflow-wrap:anywhere]">{children}</span>
    </Element>
  );
}

function WithinText({ before, after }: { before: string; after: string }) {
  const parts = useMemo(() => textParts(before, after), [before, after]);
  if (!parts) return <BothSides before={before} after={after} />;
  return (
    <p className="rounded-sm bg-sunken px-2 py-1 whitespace-pre-wrap text-ink-2 [overflow-wrap:anywhere]">
      {parts.map(({ kind, text }, index) => {
        // biome-ignore lint/suspicious/noArrayIndexKey: parts have no other identity
        if (kind === 'same') return <span key={index}>{cut(text)}</span>;
        const Element = kind === 'removed' ? 'del' : 'ins';
        return (
          <Element
            // biome-ignore lint/suspicious/noArrayIndexKey: parts have no other identity
            key={index}
            className={
              kind === 'removed'
                ? 'bg-error-soft text-error-text line-through'
                : 'bg-success-soft text-success-text underline decoration-2'
            }
          >
            {cut(text)}
          </Element>
        );
      })}
    </p>
  );
}

const has = (value: unknown) => value !== undefined;

function BothSides({ before, after }: { before: unknown; after: unknown }) {
  return (
    <>
      {has(before) && <Side kind="before">{cut(asText(before))}</Side>}
      {has(after) && <Side kind="after">{cut(asText(after))}</Side>}
    </>
  );
}

/** Shows the removed and added values of a list of plain values. */
function WithinList({ before, after }: { before: readonly unknown[]; after: readonly unknown[] }) {
  const removed = before.filter((value) => !after.includes(value));
  const added = after.filter((value) => !before.includes(value));
  if (removed.length + added.length === 0) return <BothSides before={before} after={after} />;
  const words = (values: readonly unknown[]) => cut(values.map(asText).join(', '));
  return (
    <>
      {removed.length > 0 && <Side kind="before">{words(removed)}</Side>}
      {added.length > 0 && <Side kind="after">{words(added)}</Side>}
    </>
  );
}

function OneDifference({ before, after }: Difference) {
  if (Array.isArray(before) && Array.isArray(after) && !before.concat(after).some(isContainer))
    return <WithinList before={before} after={after} />;
  if (
    typeof before === 'string' &&
    typeof after === 'string' &&
    before.length + after.length > MIN_LONG_TEXT * 2
  )
    return <WithinText before={before} after={after} />;
  return <BothSides before={before} after={after} />;
}

const isContainer = (value: unknown) => typeof value === 'object' && value !== null;

/** Shows where two documents differ: the path of each changed field, with its value before and after, as plain text. */
export function DifferenceView({ before, after }: { before: unknown; after: unknown }) {
  const [isWhole, setIsWhole] = useState(false);
  const found = useMemo(() => differences(before, after), [before, after]);
  const shown = isWhole ? found : found.slice(0, SHOWN);
  return (
    <div className="flex flex-col gap-3">
      <dl className="flex flex-col gap-2.5 font-mono text-12">
        {shown.map((difference) => (
          <div key={difference.path} className="grid min-w-0 gap-1 md:grid-cols-[12rem_1fr] md:gap-3">
            <dt className="pt-0.5 text-ink-3 [overflow-wrap:anywhere]">{difference.path || '(all)'}</dt>
            <dd className="flex min-w-0 flex-col gap-1">
              <OneDifference {...difference} />
            </dd>
          </div>
        ))}
      </dl>
      {shown.length < found.length && (
        <Button size="sm" className="self-start" onClick={() => setIsWhole(true)}>
          Show {found.length - shown.length} more fields
        </Button>
      )}
    </div>
  );
}
