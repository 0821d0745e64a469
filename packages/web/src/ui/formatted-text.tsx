import { createElement, Fragment, type ReactNode, useMemo } from 'react';

/** Elements that are kept; of any other element only the text is shown. */
const ALLOWED = new Set(['P', 'EM', 'STRONG', 'B', 'I', 'CODE', 'BR', 'UL', 'OL', 'LI', 'A']);

function render(node: Node, key: number): ReactNode {
  if (node.nodeType === Node.TEXT_NODE) return node.textContent;
  if (!(node instanceof Element) || node.tagName === 'SCRIPT' || node.tagName === 'STYLE') return null;
  const children = [...node.childNodes].map(render);
  if (!ALLOWED.has(node.tagName)) return <Fragment key={key}>{children}</Fragment>;
  if (node.tagName === 'BR') return <br key={key} />;
  if (node.tagName !== 'A') return createElement(node.tagName.toLowerCase(), { key }, ...children);
  const href = node.getAttribute('href') ?? '';
  if (!/^https:\/\//.test(href)) return <Fragment key={key}>{children}</Fragment>;
  return (
    <a key={key} href={href} target="_blank" rel="noreferrer" className="text-accent-text underline">
      {children}
    </a>
  );
}

/** Renders the server's HTML (paragraphs, emphasis, code, lists, https links) as React elements, never as raw markup. */
export function FormattedText({ html }: { html: string }) {
  const content = useMemo(() => {
    const parsed = new DOMParser().parseFromString(html, 'text/html');
    return [...parsed.body.childNodes].map(render);
  }, [html]);
  return (
    <div className="space-y-2 text-13 text-ink-2 [&_code]:rounded-sm [&_code]:bg-sunken [&_code]:px-1 [&_code]:font-mono [&_code]:text-12 [&_ul]:list-disc [&_ul]:pl-4">
      {content}
    </div>
  );
}
