import { useRef } from 'react';
import { CodeEditor, type CodeEditorProps } from '../../ui/code-editor.tsx';
import { jsonataLanguage } from './jsonata-language.ts';

interface JsonataEditorProps extends Omit<CodeEditorProps, 'extensions'> {
  /** Field names of the data, for completion. */
  fields: readonly string[];
}

/** The expression editor; loaded when it is first shown. */
export default function JsonataEditor({ fields, ...rest }: JsonataEditorProps) {
  const current = useRef(fields);
  current.current = fields;
  const extensions = useRef(jsonataLanguage(() => current.current));
  return <CodeEditor {...rest} extensions={extensions.current} />;
}
