import { autocompletion, type CompletionContext, type CompletionResult } from '@codemirror/autocomplete';
import { StreamLanguage, type StreamParser } from '@codemirror/language';
import { type Extension, Prec } from '@codemirror/state';
import { EditorView, lineNumbers } from '@codemirror/view';
import { documentCompletions } from './completion.ts';

const parser: StreamParser<null> = {
  name: 'json',
  token(stream) {
    if (stream.eatSpace()) return null;
    if (stream.match(/"(?:[^"\\]|\\.)*"?/))
      return stream.match(/\s{0,20}:/, false) ? 'variableName' : 'string';
    if (stream.match(/-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/)) return 'number';
    if (stream.match(/(?:true|false|null)\b/)) return 'bool';
    stream.next();
    return 'operator';
  },
  languageData: { closeBrackets: { brackets: ['[', '{', '"'] } },
  tokenTable: {},
};

function complete({ state, pos, explicit }: CompletionContext): CompletionResult | null {
  const found = documentCompletions(state.doc.toString(), pos);
  if (!found || found.items.length === 0) return null;
  if (!explicit && found.from === pos) return null;
  return {
    from: found.from,
    to: found.to,
    options: found.items.map(({ label, text, detail }) => ({
      // The quotes are part of what is typed, and the list filters by it.
      label: state.sliceDoc(found.from, found.from + 1) === '"' ? JSON.stringify(label) : label,
      displayLabel: label,
      detail,
      apply(view, _completion, from, to) {
        // A cursor between the quotes or brackets of an empty value can type at once.
        const inside = /(?:""|\[\]|\{\})$/.test(text) && text.length > 2 ? 1 : 0;
        view.dispatch({
          changes: { from, to, insert: text },
          selection: { anchor: from + text.length - inside },
          userEvent: 'input.complete',
        });
      },
    })),
    validFor: /^"?\w*$/,
  };
}

const layout = EditorView.theme({
  '.cm-scroller': { maxHeight: 'max(20rem, calc(100dvh - 17rem))' },
  '.cm-gutters': { backgroundColor: 'transparent', color: 'var(--ink-3)', border: 'none' },
  '.cm-lineNumbers .cm-gutterElement': { padding: '0 4px 0 10px' },
});

/** JSON with the names and values of connector documents. */
export const DOCUMENT_LANGUAGE: readonly Extension[] = [
  StreamLanguage.define(parser),
  lineNumbers(),
  autocompletion({ override: [complete], icons: false, activateOnTyping: true }),
  // Content that scrolls must be in the order of focus, which editable text alone is not for every reader.
  EditorView.contentAttributes.of({ tabindex: '0' }),
  Prec.highest(layout),
];
