import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
} from '@codemirror/autocomplete';
import { StreamLanguage, type StreamParser } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { hoverTooltip } from '@codemirror/view';
import { FUNCTIONS } from '@datadeck/jsonata';

interface Context {
  inComment: boolean;
}

const parser: StreamParser<Context> = {
  name: 'jsonata',
  startState: () => ({ inComment: false }),
  token(stream, state) {
    if (state.inComment || stream.match('/*')) {
      state.inComment = !stream.match(/.*?\*\//);
      if (state.inComment) stream.skipToEnd();
      return 'comment';
    }
    if (stream.eatSpace()) return null;
    if (stream.match(/"(?:[^"\\]|\\.)*"?/) || stream.match(/'(?:[^'\\]|\\.)*'?/)) return 'string';
    if (stream.match(/`[^`]*`?/)) return 'propertyName';
    if (stream.match(/\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/)) return 'number';
    if (stream.match(/\$\w+(?=\s*\()/)) return 'variableName.function';
    if (stream.match(/\$\$?\w*/)) return 'variableName';
    if (stream.match(/(?:and|or|in|function)\b/)) return 'keyword';
    if (stream.match(/(?:true|false|null)\b/)) return 'bool';
    if (stream.match(/\w+/)) return 'propertyName';
    if (stream.match(/\/(?:[^/\\\s]|\\.)+\/[im]*/)) return 'regexp';
    stream.next();
    return 'operator';
  },
  languageData: { closeBrackets: { brackets: ['(', '[', '{', '"', "'", '`'] } },
};

const functions: Completion[] = FUNCTIONS.map(({ name, signature, summary }) => ({
  label: name.startsWith('$') ? name : `$${name}`,
  type: 'function',
  detail: signature,
  info: summary,
}));

/** Hover over the name of a function shows its signature and what it does. */
const hover = hoverTooltip((view, position) => {
  const { from, text } = view.state.doc.lineAt(position);
  for (const match of text.matchAll(/\$\w+/g)) {
    const start = from + match.index;
    if (position < start || position > start + match[0].length) continue;
    const known = functions.find(({ label }) => label === match[0]);
    if (!known) return null;
    return {
      pos: start,
      end: start + match[0].length,
      create() {
        const dom = document.createElement('div');
        dom.textContent = `${known.label} ${known.detail ?? ''}: ${String(known.info)}`;
        return { dom };
      },
    };
  }
  return null;
});

/** Highlighting, completion from the fields of the data and the functions of the language, and hover. */
export function jsonataLanguage(readFields: () => readonly string[]): Extension[] {
  const complete = (context: CompletionContext): CompletionResult | null => {
    const word = context.matchBefore(/\$?\w*/);
    if (!word || (word.from === word.to && !context.explicit)) return null;
    const fields: Completion[] = readFields().map((name) => ({
      label: name,
      type: 'property',
      apply: /^[A-Za-z_]\w*$/.test(name) ? name : `\`${name}\``,
      boost: 1,
    }));
    return {
      from: word.from,
      options: word.text.startsWith('$') ? functions : [...fields, ...functions],
      validFor: /^\$?\w*$/,
    };
  };
  return [StreamLanguage.define(parser), autocompletion({ override: [complete], icons: false }), hover];
}
