import type { FrameLook } from './safe-mail.ts';

/** Properties that the server sets itself: of cells and tasks. Colours of authors could be unreadable in a dark theme. */
const KEPT = new Set(['text-align', 'list-style-type']);

const token = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(`--${name}`);

/** Returns the look of Markdown: the colours of the page's theme, which a frame does not inherit. */
export function markdownLook(): FrameLook {
  const line = `1px solid ${token('line')}`;
  const style = `
  html { color-scheme: ${getComputedStyle(document.documentElement).colorScheme}; }
  body { margin: 0; background: ${token('raised')}; color: ${token('ink')}; font: 14px/1.55 system-ui, sans-serif; overflow-wrap: anywhere; }
  body > :first-child { margin-top: 0; }
  h1, h2, h3, h4, h5, h6 { margin: 20px 0 8px; line-height: 1.3; }
  h1 { font-size: 18px; } h2 { font-size: 16px; } h3, h4, h5, h6 { font-size: 14px; }
  p, ul, ol, pre, table, blockquote, details { margin: 0 0 12px; }
  ul, ol { padding-left: 24px; }
  li > ul, li > ol, li > p { margin: 4px 0; }
  blockquote { padding-left: 12px; border-left: 3px solid ${token('line-strong')}; color: ${token('ink-2')}; }
  code, pre { font: 13px/1.5 ui-monospace, monospace; background: ${token('sunken')}; border-radius: 4px; }
  code { padding: 1px 4px; }
  pre { padding: 12px; overflow-x: auto; border: ${line}; }
  pre code { padding: 0; }
  table { border-collapse: collapse; }
  th, td { padding: 4px 12px; border: ${line}; text-align: left; vertical-align: top; }
  th { background: ${token('sunken')}; }
  hr { border: 0; border-top: ${line}; margin: 16px 0; }
  img { max-width: 100%; height: auto; }
  a { color: ${token('accent-text')}; }
`;
  return { style, isKept: (property) => KEPT.has(property) };
}
