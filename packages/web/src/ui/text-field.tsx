import type { ComponentProps, ReactNode } from 'react';
import { classNames } from './class-names.ts';
import { Field } from './field.tsx';

export const CONTROL =
  'w-full rounded-sm border border-control bg-surface px-2.5 text-13 text-ink placeholder:text-ink-3 disabled:border-line disabled:bg-sunken disabled:text-ink-3 read-only:border-line-strong read-only:bg-sunken aria-invalid:border-error';

interface TextFieldProps extends Omit<ComponentProps<'input'>, 'id'> {
  label: string;
  isLabelHidden?: boolean;
  error?: string | undefined;
  hint?: ReactNode;
  aside?: ReactNode;
}

/** A one-line text box with a label and a message. */
export function TextField({ label, isLabelHidden, error, hint, aside, className, ...input }: TextFieldProps) {
  return (
    <Field
      label={label}
      isLabelHidden={isLabelHidden}
      isRequired={input.required}
      error={error}
      hint={hint}
      aside={aside}
    >
      {({ id, describedBy }) => (
        <input
          type="text"
          autoComplete="off"
          {...input}
          id={id}
          aria-invalid={error !== undefined}
          aria-describedby={describedBy}
          className={classNames(CONTROL, 'h-8 touch:h-10', className)}
        />
      )}
    </Field>
  );
}

interface TextAreaProps extends Omit<ComponentProps<'textarea'>, 'id'> {
  label: string;
  error?: string | undefined;
  hint?: ReactNode;
}

/** A multi-line text box with a label and a message. */
export function TextArea({ label, error, hint, className, ...area }: TextAreaProps) {
  return (
    <Field label={label} isRequired={area.required} error={error} hint={hint}>
      {({ id, describedBy }) => (
        <textarea
          rows={4}
          {...area}
          id={id}
          aria-invalid={error !== undefined}
          aria-describedby={describedBy}
          className={classNames(CONTROL, 'resize-y py-1.5', className)}
        />
      )}
    </Field>
  );
}
