import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { tags } from '@lezer/highlight';

const theme = EditorView.theme({
  '&': {
    fontSize: '13px',
    backgroundColor: 'var(--surface)',
    color: 'var(--ink)',
    border: '1px solid var(--control)',
    borderRadius: '6px',
  },
  '&.cm-focused': { outline: '2px solid var(--accent-text)', outlineOffset: '1px' },
  '.cm-content': {
    fontFamily: 'var(--font-mono)',
    fontFeatureSettings: 'var(--font-mono--font-feature-settings)',
    padding: '8px 0',
    minHeight: '96px',
    caretColor: 'var(--ink)',
  },
  '.cm-line': { padding: '0 10px' },
  '.cm-scroller': { maxHeight: '240px', overflow: 'auto', lineHeight: '20px' },
  '.cm-placeholder': { color: 'var(--ink-3)' },
  '.cm-cursor': { borderLeftColor: 'var(--ink)' },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'color-mix(in srgb, var(--accent) 28%, transparent) !important',
  },
  '.cm-matchingBracket': {
    backgroundColor: 'var(--accent-soft) !important',
    outline: '1px solid var(--accent-text)',
  },
  '.cm-tooltip': {
    zIndex: '30',
    backgroundColor: 'var(--raised)',
    color: 'var(--ink)',
    border: 'none',
    borderRadius: '10px',
    boxShadow: 'var(--elevation-high)',
    fontSize: '12px',
    overflow: 'hidden',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul': {
    fontFamily: 'var(--font-mono)',
    fontFeatureSettings: 'var(--font-mono--font-feature-settings)',
    maxHeight: 'none',
    maxWidth: 'min(560px, 92vw)',
    overflow: 'hidden',
  },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '3px 8px' },
  '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    backgroundColor: 'var(--accent-soft)',
    color: 'var(--accent-text)',
  },
  '.cm-completionDetail': { color: 'var(--ink-3)', fontStyle: 'normal' },
  '.cm-tooltip-hover, .cm-tooltip-lint': { padding: '6px 10px', maxWidth: '320px' },
  // The tooltip is informational; the text below it must stay clickable.
  '.cm-tooltip-hover': { pointerEvents: 'none' },
  '.cm-diagnostic': { borderLeft: 'none', padding: '0' },
  '.cm-completionInfo': {
    padding: '8px 10px',
    maxWidth: '300px',
    fontFamily: 'var(--font-sans)',
    whiteSpace: 'pre-line',
  },
  // Phones have no room beside the list; the line below the editor shows the same text.
  '.cm-completionInfo-left-narrow, .cm-completionInfo-right-narrow': { display: 'none' },
  '.cm-documentation': { maxWidth: '340px', lineHeight: '18px', overflowWrap: 'anywhere' },
  '.cm-documentation-title': {
    fontFamily: 'var(--font-mono)',
    fontFeatureSettings: 'var(--font-mono--font-feature-settings)',
    fontWeight: '500',
    marginBottom: '2px',
  },
  '.cm-lintRange-warning': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--secondary)',
    textUnderlineOffset: '3px',
  },
  '.cm-lintRange-error': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--error)',
    textUnderlineOffset: '3px',
  },
});

const highlighting = HighlightStyle.define([
  { tag: tags.string, color: 'var(--success-text)' },
  { tag: tags.number, color: 'var(--accent-text)' },
  { tag: tags.function(tags.variableName), color: 'var(--secondary-text)' },
  { tag: tags.variableName, color: 'var(--accent-text)' },
  { tag: tags.keyword, color: 'var(--secondary-text)', fontWeight: '500' },
  { tag: tags.bool, color: 'var(--secondary-text)' },
  { tag: tags.regexp, color: 'var(--error-text)' },
  { tag: tags.operator, color: 'var(--ink-3)' },
  { tag: tags.comment, color: 'var(--ink-3)', fontStyle: 'italic' },
]);

/** The editor's theme, built from the design tokens. */
export const EDITOR_THEME: Extension = [theme, syntaxHighlighting(highlighting)];
