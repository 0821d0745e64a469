import { closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { bracketMatching } from '@codemirror/language';
import { type Diagnostic, setDiagnostics } from '@codemirror/lint';
import { EditorState, type Extension, Prec } from '@codemirror/state';
import { drawSelection, EditorView, keymap, placeholder as placeholderOf } from '@codemirror/view';
import { type RefObject, useEffect, useImperativeHandle, useRef } from 'react';
import { EDITOR_THEME } from './code-editor-theme.ts';
import { TYPING_OVER_SELECTION } from './code-editor-typing.ts';
import { cspNonce } from './csp-nonce.ts';

export interface CodeEditorFace {
  /** Puts text at the cursor, and the focus into the editor. */
  insert: (text: string) => void;
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
  /** Where the text is wrong. */
  error?: { position: number; message: string } | undefined;
  face?: RefObject<CodeEditorFace | null>;
}

function diagnosticOf(
  { position, message }: { position: number; message: string },
  length: number,
): Diagnostic {
  const to = Math.min(Math.max(1, position), Math.max(1, length));
  return { from: Math.min(to - 1, length), to: Math.min(to, length), severity: 'error', message };
}

/** A code editor: CodeMirror with the app's theme. */
export function CodeEditor({
  value,
  onChange,
  onSubmit,
  label,
  placeholder = '',
  extensions,
  error,
  face,
}: CodeEditorProps) {
  const host = useRef<HTMLDivElement>(null);
  const view = useRef<EditorView>(null);
  const calls = useRef({ onChange, onSubmit });
  calls.current = { onChange, onSubmit };
  const first = useRef({ value, extensions, placeholder, label });

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
          Prec.highest(keymap.of([{ key: 'Mod-Enter', run: submit }])),
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
          }),
          ...first.current.extensions,
        ],
      }),
    });
    view.current = editor;
    return () => editor.destroy();
  }, []);

  useEffect(() => {
    const editor = view.current;
    if (!editor || editor.state.doc.toString() === value) return;
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } });
  }, [value]);

  useEffect(() => {
    const editor = view.current;
    if (!editor) return;
    const diagnostics = error ? [diagnosticOf(error, editor.state.doc.length)] : [];
    editor.dispatch(setDiagnostics(editor.state, diagnostics));
  }, [error]);

  useImperativeHandle(face, () => ({
    insert(text) {
      const editor = view.current;
      if (!editor) return;
      editor.dispatch(editor.state.replaceSelection(text), { scrollIntoView: true });
      editor.focus();
    },
  }));

  return <div ref={host} className="min-w-0" />;
}
