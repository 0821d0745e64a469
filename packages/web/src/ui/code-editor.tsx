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
import { cspNonce } from './csp-nonce.ts';

export interface CodeEditorFace {
  /** Puts text at the cursor, and the focus into the editor. */
  insert: (text: string) => void;
  /** Replaces the whole text, as one step to undo. */
  replace: (text: string) => void;
}

/** Something to be marked in the text. */
interface EditorFinding {
  from: number;
  to: number;
  severity: 'error' | 'warning';
  message: string;
}

export interface CodeEditorProps {
  value: string;
  onChange: (value: string) => void;
  /** Ctrl/Cmd Enter. */
  onSubmit?: () => void;
  label: string;
  placeholder?: string;
  /** Language, completion and the like; read once. */
  extensions: readonly Extension[];
  /** Keys and what they do; read once. */
  keys?: Readonly<Record<string, () => void>>;
  /** Where the text is or looks wrong. */
  findings?: readonly EditorFinding[] | undefined;
  /** Where the cursor is, whenever it moves. */
  onCursor?: (position: number) => void;
  face?: RefObject<CodeEditorFace | null>;
  /** The text breaks a rule: the box says so. */
  isInvalid?: boolean;
}

/** A finding as a mark that lies inside the text. */
function diagnosticOf({ from, to, severity, message }: EditorFinding, length: number): Diagnostic {
  const end = Math.min(Math.max(to, from + 1), length);
  return { from: Math.min(from, Math.max(0, end - 1)), to: end, severity, message };
}

/** The place in a text that has as many visible characters before it. */
function samePlace(before: string, text: string): number {
  let left = before.replace(/\s/g, '').length;
  let at = 0;
  for (; left > 0 && at < text.length; at++) if (!/\s/.test(text.charAt(at))) left--;
  return at;
}

function bindingsOf(keys: Readonly<Record<string, () => void>>): KeyBinding[] {
  return Object.entries(keys).map(([key, act]) => ({
    key,
    run: () => {
      act();
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
  findings,
  onCursor,
  face,
  isInvalid = false,
}: CodeEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const calls = useRef({ onChange, onSubmit, onCursor });
  calls.current = { onChange, onSubmit, onCursor };
  const first = useRef({ value, extensions, placeholder, label, keys });

  useEffect(() => {
    if (!host.current) return;
    const submit = () => {
      calls.current.onSubmit?.();
      return true;
    };
    const editor = new EditorView({
      parent: host.current,
      state: EditorState.create({
        doc: first.current.value,
        extensions: [
          EditorView.cspNonce.of(cspNonce()),
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
            if (update.docChanged) calls.current.onChange(update.state.doc.toString());
            if (update.docChanged || update.selectionSet)
              calls.current.onCursor?.(update.state.selection.main.head);
          }),
          ...first.current.extensions,
        ],
      }),
    });
    view.current = editor;
    // Before a dialog around it hears the key: it closes what the editor offers, not the dialog.
    const closeOffers = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || !editor.hasFocus || !closeCompletion(editor)) return;
      event.preventDefault();
      event.stopPropagation();
    };
    window.addEventListener('keydown', closeOffers, { capture: true });
    return () => {
      window.removeEventListener('keydown', closeOffers, { capture: true });
      editor.destroy();
    };
  }, []);

  useEffect(() => {
    const editor = view.current;
    if (!editor || editor.state.doc.toString() === value) return;
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } });
  }, [value]);

  useEffect(() => {
    const editor = view.current;
    if (!editor) return;
    const { length } = editor.state.doc;
    const diagnostics = (findings ?? []).map((finding) => diagnosticOf(finding, length));
    editor.dispatch(setDiagnostics(editor.state, diagnostics));
  }, [findings]);

  useImperativeHandle(face, () => ({
    insert(text) {
      const editor = view.current;
      if (!editor) return;
      editor.dispatch(editor.state.replaceSelection(text), { scrollIntoView: true });
      editor.focus();
    },
    replace(text) {
      const editor = view.current;
      if (!editor || editor.state.doc.toString() === text) return;
      const at = samePlace(editor.state.sliceDoc(0, editor.state.selection.main.head), text);
      editor.dispatch({
        changes: { from: 0, to: editor.state.doc.length, insert: text },
        selection: { anchor: at },
        annotations: isolateHistory.of('full'),
      });
    },
  }));

  useEffect(() => {
    view.current?.contentDOM.setAttribute('aria-invalid', String(isInvalid));
  }, [isInvalid]);

  return <div ref={host} className={classNames('min-w-0', isInvalid && '[&_.cm-editor]:border-error!')} />;
}
