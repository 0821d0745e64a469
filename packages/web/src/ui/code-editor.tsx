import {
  closeBrackets,
  closeBracketsKeymap,
  closeCompletion,
  completionKeymap,
} from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, isolateHistory } from '@codemirror/commands';
import { bracketMatching } from '@codemirror/language';
import { type Diagnostic, setDiagnostics } from '@codemirror/lint';
import { EditorState, type Extension, Prec } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  type KeyBinding,
  keymap,
  placeholder as placeholderOf,
} from '@codemirror/view';
import { type RefObject, useEffect, useImperativeHandle, useRef } from 'react';
import { classNames } from './class-names.ts';
import { EDITOR_THEME } from './code-editor-theme.ts';
import { TYPING_OVER_SELECTION } from './code-editor-typing.ts';
import { STYLE_NONCE } from './style-nonce.ts';

export interface CodeEditorHandle {
  /** Inserts text at the cursor and focuses the editor. */
  insert: (text: string) => void;
  /** Replaces the whole text in one undo step. */
  replace: (text: string) => void;
  /** Selects a range of the text, shows it, and focuses the editor. */
  select: (from: number, to: number) => void;
  /** Scrolls to the editor, and focuses it unless that would open the keyboard of a phone. */
  reveal: () => void;
}

/** A problem to mark in the text. */
interface EditorDiagnostic {
  from: number;
  to: number;
  severity: 'error' | 'warning';
  message: string;
}

export interface CodeEditorProps {
  value: string;
  onChange: (value: string) => void;
  /** Called on Ctrl or Cmd with Enter. */
  onSubmit?: () => void;
  label: string;
  placeholder?: string;
  /** Language, completion and other extensions. Read on mount only. */
  extensions: readonly Extension[];
  /** Handlers by key. Read on mount only. */
  keys?: Readonly<Record<string, () => void>>;
  diagnostics?: readonly EditorDiagnostic[] | undefined;
  /** Called with the cursor's position when it moves. */
  onCursor?: (position: number) => void;
  handle?: RefObject<CodeEditorHandle | null>;
  /** Marks the editor as invalid. */
  isInvalid?: boolean;
}

/** Returns a diagnostic for CodeMirror, whose range must lie within the text. */
function clampDiagnostic({ from, to, severity, message }: EditorDiagnostic, length: number): Diagnostic {
  const end = Math.min(Math.max(to, from + 1), length);
  return { from: Math.min(from, Math.max(0, end - 1)), to: end, severity, message };
}

/** Returns the position in `text` that has as many non-space characters before it as `before` contains. */
function samePosition(before: string, text: string): number {
  let left = before.replace(/\s/g, '').length;
  let at = 0;
  for (; left > 0 && at < text.length; at++) if (!/\s/.test(text.charAt(at))) left--;
  return at;
}

/** Returns the smallest single change between two texts, so that the cursor and marks outside it stay. */
function changeBetween(before: string, after: string): { from: number; to: number; insert: string } {
  const shorter = Math.min(before.length, after.length);
  let from = 0;
  while (from < shorter && before[from] === after[from]) from++;
  let same = 0;
  while (same < shorter - from && before.at(-1 - same) === after.at(-1 - same)) same++;
  return { from, to: before.length - same, insert: after.slice(from, after.length - same) };
}

function bindingsOf(keys: Readonly<Record<string, () => void>>): KeyBinding[] {
  return Object.entries(keys).map(([key, handle]) => ({
    key,
    run: () => {
      handle();
      return true;
    },
  }));
}

/** A code editor: CodeMirror with the app's theme. */
export function CodeEditor({
  value,
  onChange,
  onSubmit,
  label,
  placeholder = '',
  extensions,
  keys = {},
  diagnostics,
  onCursor,
  handle,
  isInvalid = false,
}: CodeEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const callbacks = useRef({ onChange, onSubmit, onCursor });
  callbacks.current = { onChange, onSubmit, onCursor };
  const first = useRef({ value, extensions, placeholder, label, keys });

  useEffect(() => {
    if (!host.current) return;
    const submit = () => {
      callbacks.current.onSubmit?.();
      return true;
    };
    const editor = new EditorView({
      parent: host.current,
      state: EditorState.create({
        doc: first.current.value,
        extensions: [
          EditorView.cspNonce.of(STYLE_NONCE),
          Prec.highest(keymap.of([{ key: 'Mod-Enter', run: submit }, ...bindingsOf(first.current.keys)])),
          history(),
          drawSelection(),
          bracketMatching(),
          closeBrackets(),
          keymap.of([...closeBracketsKeymap, ...completionKeymap, ...historyKeymap, ...defaultKeymap]),
          EditorView.lineWrapping,
          EditorView.contentAttributes.of({ 'aria-label': first.current.label }),
          placeholderOf(first.current.placeholder),
          EDITOR_THEME,
          TYPING_OVER_SELECTION,
          EditorView.updateListener.of((update) => {
            if (update.docChanged) callbacks.current.onChange(update.state.doc.toString());
            if (update.docChanged || update.selectionSet)
              callbacks.current.onCursor?.(update.state.selection.main.head);
          }),
          ...first.current.extensions,
        ],
      }),
    });
    view.current = editor;
    // Listen in the capture phase, so that Escape closes the completions but not the dialog around the editor.
    const closeCompletions = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || !editor.hasFocus || !closeCompletion(editor)) return;
      event.preventDefault();
      event.stopPropagation();
    };
    window.addEventListener('keydown', closeCompletions, { capture: true });
    return () => {
      window.removeEventListener('keydown', closeCompletions, { capture: true });
      editor.destroy();
    };
  }, []);

  useEffect(() => {
    const editor = view.current;
    const text = editor?.state.doc.toString();
    if (!editor || text === undefined || text === value) return;
    editor.dispatch({ changes: changeBetween(text, value) });
  }, [value]);

  useEffect(() => {
    const editor = view.current;
    if (!editor) return;
    const { length } = editor.state.doc;
    const clamped = (diagnostics ?? []).map((diagnostic) => clampDiagnostic(diagnostic, length));
    editor.dispatch(setDiagnostics(editor.state, clamped));
  }, [diagnostics]);

  useImperativeHandle(handle, () => ({
    insert(text) {
      const editor = view.current;
      if (!editor) return;
      editor.dispatch(editor.state.replaceSelection(text), { scrollIntoView: true });
      editor.focus();
    },
    replace(text) {
      const editor = view.current;
      if (!editor || editor.state.doc.toString() === text) return;
      const at = samePosition(editor.state.sliceDoc(0, editor.state.selection.main.head), text);
      editor.dispatch({
        changes: { from: 0, to: editor.state.doc.length, insert: text },
        selection: { anchor: at },
        annotations: isolateHistory.of('full'),
      });
    },
    select(from, to) {
      const editor = view.current;
      if (!editor) return;
      const { length } = editor.state.doc;
      const anchor = Math.min(from, length);
      editor.dispatch({
        selection: { anchor, head: Math.min(to, length) },
        effects: EditorView.scrollIntoView(anchor, { y: 'center' }),
      });
      editor.focus();
    },
    reveal() {
      host.current?.scrollIntoView({ block: 'nearest' });
      if (window.matchMedia('(pointer: fine)').matches) view.current?.focus();
    },
  }));

  useEffect(() => {
    view.current?.contentDOM.setAttribute('aria-invalid', String(isInvalid));
  }, [isInvalid]);

  return <div ref={host} className={classNames('min-w-0', isInvalid && '[&_.cm-editor]:border-error!')} />;
}
