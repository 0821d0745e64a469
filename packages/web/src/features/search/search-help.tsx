import { SEARCH_OPERATORS } from '@datadeck/contract';

/** Searches that show what is possible, with what they find. */
const EXAMPLES: readonly [text: string, meaning: string][] = [
  ['is:unread newer_than:7d', 'Unread messages of the last week'],
  ['has:attachment filename:pdf', 'Messages with a PDF'],
  ['is:open is:draft', 'Open drafts of pull requests'],
  ['"annual report"', 'Words that follow each other'],
  ['invoice -draft', 'One word without another'],
  ['(invoice OR receipt) after:2026', 'Either word, from a day, month or year on'],
];

interface SearchHelpProps {
  /** Called with the example or the operator that the user chose. */
  onChoose: (text: string) => void;
}

/** Explains how to search, with examples and operators to click. */
export function SearchHelp({ onChoose }: SearchHelpProps) {
  return (
    <section aria-label="How to search" className="flex flex-col gap-4">
      <div>
        <h2 className="mb-1 text-13 font-semibold">Examples</h2>
        <ul className="grid gap-x-4 @min-[40rem]:grid-cols-2">
          {EXAMPLES.map(([text, meaning]) => (
            <li key={text}>
              <button
                type="button"
                onClick={() => onChoose(text)}
                className="-mx-2 flex w-full flex-col rounded-sm px-2 py-1.5 text-left transition-colors duration-100 hover:bg-hover"
              >
                <code className="font-mono text-13 text-accent-text wrap-anywhere">{text}</code>
                <span className="text-12 text-ink-3">{meaning}</span>
              </button>
            </li>
          ))}
        </ul>
      </div>
      <div>
        <h2 className="mb-2 text-13 font-semibold">Operators</h2>
        <ul className="flex flex-wrap gap-1.5">
          {Object.entries(SEARCH_OPERATORS).map(([name, { description }]) => (
            <li key={name}>
              <button
                type="button"
                title={description}
                onClick={() => onChoose(`${name}:`)}
                className="h-6 rounded-sm border bg-sunken px-1.5 font-mono text-12 text-ink-2 transition-colors duration-100 hover:bg-hover hover:text-ink"
              >
                {name}:
              </button>
            </li>
          ))}
        </ul>
      </div>
    </section>
  );
}
