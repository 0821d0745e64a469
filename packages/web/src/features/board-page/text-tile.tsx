import { BOARD_TEXTS } from '@datadeck/contract';
import Markdown from 'markdown-to-jsx/react';
import type { ComponentProps } from 'react';

/** A link opens in a tab of its own, so that the board stays. */
function OutsideLink({ children, href }: ComponentProps<'a'>) {
  return (
    <a href={href} target="_blank" rel="noopener noreferrer" className="text-accent-text hover:underline">
      {children}
    </a>
  );
}

/** Headings below that of the page. */
const heading = (className: string) =>
  function Heading({ children }: ComponentProps<'h2'>) {
    return <h2 className={className}>{children}</h2>;
  };
const Large = heading('text-20 font-semibold tracking-tight');
const Medium = heading('text-16 font-semibold');
const Small = heading('text-14 font-semibold');

const OPTIONS = {
  // Text that looks like HTML is shown as text.
  disableParsingRawHTML: true,
  forceBlock: true,
  overrides: {
    a: OutsideLink,
    // Nothing is loaded from elsewhere when a board is opened.
    img: () => null,
    h1: Large,
    h2: Medium,
    h3: Small,
    h4: Small,
    h5: Small,
    h6: Small,
    ul: { props: { className: 'list-disc pl-5' } },
    ol: { props: { className: 'list-decimal pl-5' } },
    code: { props: { className: 'font-mono text-12' } },
    blockquote: { props: { className: 'border-l-2 pl-3 text-ink-2' } },
  },
};

/** A text in Markdown. HTML in it is shown as text, and no image is loaded. */
export default function TextTile({ text }: { text: string }) {
  return (
    <div dir="auto" className="flex flex-col gap-2 text-left text-14 wrap-anywhere">
      <Markdown options={OPTIONS}>{text.slice(0, BOARD_TEXTS.markdown)}</Markdown>
    </div>
  );
}
