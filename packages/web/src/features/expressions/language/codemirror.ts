import {
  autocompletion,
  type Completion,
  type CompletionContext,
  type CompletionResult,
  moveCompletionSelection,
  startCompletion,
} from '@codemirror/autocomplete';
import { StreamLanguage, type StreamParser } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { type EditorView, hoverTooltip, ViewPlugin } from '@codemirror/view';
import { type CompletionItem, completionsAt } from './completion.ts';
import { type Documentation, documentationAt } from './documentation.ts';
import type { TypeEnvironment } from './infer.ts';

interface Context {
  inComment: boolean;
}

const parser: StreamParser<Context> = {
  name: 'jsonata',
  startState: () => ({ inComment: false }),
  token(stream, state) {
    if (state.inComment || stream.match('/*')) {
      state.inComment = !stream.skipTo('*/');
      if (state.inComment) stream.skipToEnd();
      else stream.match('*/');
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
    if (stream.match(/^\/(?:[^/\\\s]|\\.)+\/[im]*/)) return 'regexp';
    stream.next();
    return 'operator';
  },
  languageData: { closeBrackets: { brackets: ['(', '[', '{', '"', "'", '`'] } },
};

const RANKS: Readonly<Record<CompletionItem['kind'], number>> = {
  field: 3,
  variable: 2,
  function: 0,
  keyword: -1,
};
const TYPES: Readonly<Record<CompletionItem['kind'], string>> = {
  field: 'property',
  variable: 'variable',
  function: 'function',
  keyword: 'keyword',
};

function toCompletion({ kind, text, detail, info }: CompletionItem): Completion {
  return {
    label: text,
    type: TYPES[kind],
    boost: RANKS[kind],
    ...(detail === '' ? {} : { detail }),
    ...(info === '' ? {} : { info }),
  };
}

/** Characters after which completions open automatically. */
const TRIGGER_CHARACTERS = ['.', '$', '`'];

function toCompletionResult(
  context: CompletionContext,
  environment: TypeEnvironment,
): CompletionResult | null {
  const found = completionsAt(context.state.doc.toString(), context.pos, environment);
  if (!found || found.items.length === 0) return null;
  const before = context.state.sliceDoc(context.pos - 1, context.pos);
  if (!context.explicit && found.from === context.pos && !TRIGGER_CHARACTERS.includes(before)) return null;
  return {
    from: found.from,
    to: found.to,
    options: found.items.map(toCompletion),
    validFor: /^[$`]?[\p{L}\p{N}_]*$/u,
  };
}

function domOf({ title, lines }: Documentation): HTMLElement {
  const dom = document.createElement('div');
  dom.className = 'cm-documentation';
  for (const [index, line] of [title, ...lines].entries()) {
    const part = dom.appendChild(document.createElement('div'));
    part.textContent = line;
    if (index === 0) part.className = 'cm-documentation-title';
  }
  return dom;
}

/** Number of completions shown at once. The list pages with the selection instead of scrolling, so it needs no focus. */
const MAX_SHOWN_COMPLETIONS = 10;

/** Moves the selected completion with the mouse wheel. */
const WHEEL = ViewPlugin.define((view) => {
  const onWheel = (event: WheelEvent) => {
    if (!(event.target instanceof Element) || !event.target.closest('.cm-tooltip-autocomplete > ul')) return;
    event.preventDefault();
    moveCompletionSelection(event.deltaY > 0)(view);
  };
  view.dom.addEventListener('wheel', onWheel, { passive: false });
  return { destroy: () => view.dom.removeEventListener('wheel', onWheel) };
});

/** A name, or the beginning of one. */
const NAME = /^[\p{L}\p{N}_]*$/u;

export interface JsonataLanguage {
  extensions: Extension[];
  /** Offers completions again for what was typed before the fields of the rows were known. */
  completeAgain: () => void;
}

/** The JSONata language: highlighting, completion from the data and the library, and documentation on hover. */
export function jsonataLanguage(readEnvironment: () => TypeEnvironment): JsonataLanguage {
  let early: { view: EditorView; position: number } | undefined;
  const hover = hoverTooltip((view, position) => {
    const found = documentationAt(view.state.doc.toString(), position, readEnvironment());
    return found && { pos: found.from, end: found.to, above: true, create: () => ({ dom: domOf(found) }) };
  });
  const complete = (context: CompletionContext) => {
    const { view, pos: position, state } = context;
    const before = state.sliceDoc(Math.max(0, position - 1), position);
    const isInName = TRIGGER_CHARACTERS.includes(before) || (before !== '' && NAME.test(before));
    const isEarly = readEnvironment().root === undefined && (context.explicit || isInName);
    early = isEarly && view ? { view, position } : undefined;
    return toCompletionResult(context, readEnvironment());
  };
  function completeAgain() {
    const { view, position } = early ?? {};
    if (!view?.hasFocus || position === undefined) return;
    early = undefined;
    const { head } = view.state.selection.main;
    // Only while the same name is typed.
    if (head >= position && NAME.test(view.state.sliceDoc(position, head))) startCompletion(view);
  }
  const extensions = [
    StreamLanguage.define(parser),
    autocompletion({ override: [complete], icons: false, maxRenderedOptions: MAX_SHOWN_COMPLETIONS }),
    WHEEL,
    hover,
  ];
  return { extensions, completeAgain };
}
