import { type ReactNode, useState } from 'react';
import { TextField } from '../../../ui/text-field.tsx';
import type { Path } from '../document/document-text.ts';
import { pathText } from '../document/document-text.ts';
import { findMentions } from '../document/rename.ts';
import { useDocumentForm, useField } from './form-context.ts';

/** Mentions that a message names at most. */
const NAMED = 3;

interface NameFieldProps {
  label: string;
  isLabelHidden?: boolean;
  hint?: ReactNode;
  name: string;
  /** Names that others of its kind have. */
  taken: readonly string[];
  /** Where the name of the thing is in the document. */
  path: Path;
  /** Where expressions may name it, e.g. `settings.` below `entities.0`. */
  usedAs?: readonly { within: Path; prefix: string }[];
  onRename: (name: string) => void;
}

/** Says where a former name is still used; undefined if it is nowhere. */
function mentionText(
  document: unknown,
  former: string,
  usedAs: NameFieldProps['usedAs'] = [],
): string | undefined {
  for (const { within, prefix } of usedAs) {
    const found = findMentions(document, within, prefix + former);
    if (found.length === 0) continue;
    const rest = found.length - NAMED;
    const places = [...found.slice(0, NAMED), ...(rest > 0 ? [`${rest} more`] : [])];
    return `Expressions still use ${prefix}${former}. Change it in ${places.join(', ')}.`;
  }
  return undefined;
}

/**
 * A name to which other parts of the document refer, and which is renamed there, too. It is set when the box is left, since a name on
 * the way may be that of another one. Then says in which expressions the former name is left.
 */
export function NameField({
  label,
  isLabelHidden = false,
  hint,
  name,
  taken,
  path,
  usedAs,
  onRename,
}: NameFieldProps) {
  const { document } = useDocumentForm();
  const { problem } = useField(path);
  const [typed, setTyped] = useState<string>();
  const [former, setFormer] = useState<string>();
  const text = typed ?? name;
  const left = former === undefined || former === name ? undefined : mentionText(document, former, usedAs);
  const refusal =
    text === '' ? 'Required' : text !== name && taken.includes(text) ? 'There is one already' : undefined;
  const finish = () => {
    if (typed !== undefined && refusal === undefined && typed !== name) {
      setFormer(name);
      onRename(typed);
    }
    setTyped(undefined);
  };
  return (
    <div data-path={pathText(path)} className="min-w-0">
      <TextField
        label={label}
        isLabelHidden={isLabelHidden}
        required
        spellCheck={false}
        autoCapitalize="off"
        className="font-mono text-12!"
        hint={hint}
        value={text}
        error={refusal ?? problem ?? left}
        onChange={({ target }) => setTyped(target.value)}
        onBlur={finish}
        onKeyDown={({ key }) => {
          if (key === 'Enter') finish();
        }}
      />
    </div>
  );
}
