import type { ReactNode } from 'react';
import { classNames } from '../../../ui/class-names.ts';
import { Field } from '../../../ui/field.tsx';
import { CONTROL } from '../../../ui/text-field.tsx';

/** Lines that a box shows at most; more of them scroll. */
const MAX_LINES = 12;

interface GrowingTextProps {
  label: string;
  isLabelHidden?: boolean | undefined;
  hint?: ReactNode;
  error?: string | undefined;
  required: boolean;
  placeholder?: string | undefined;
  value: string;
  isCode: boolean;
  /** Lines of an empty box. */
  rows: number;
  onChange: (text: string) => void;
}

/** A text box that keeps line breaks and is as high as its text, up to 12 lines. */
export function GrowingText({
  label,
  isLabelHidden,
  hint,
  error,
  isCode,
  rows,
  onChange,
  ...area
}: GrowingTextProps) {
  const lines = area.value.split('\n').length;
  return (
    <Field label={label} isLabelHidden={isLabelHidden} isRequired={area.required} error={error} hint={hint}>
      {({ id, describedBy }) => (
        <textarea
          {...area}
          id={id}
          rows={Math.min(Math.max(rows, lines), MAX_LINES)}
          spellCheck={!isCode}
          autoCapitalize={isCode ? 'off' : undefined}
          autoComplete="off"
          aria-invalid={error !== undefined}
          aria-describedby={describedBy}
          onChange={({ target }) => onChange(target.value)}
          className={classNames(
            CONTROL,
            'block max-h-60 min-h-8 resize-y py-1.5 leading-4.5 field-sizing-content wrap-anywhere touch:min-h-10',
            rows > 1 && 'min-h-14',
            isCode && 'font-mono text-12!',
          )}
        />
      )}
    </Field>
  );
}
