import { type Bindings, createViewSchema, type Parameter, type ViewBase } from '@datadeck/contract';
import type { ReactNode } from 'react';
import type { FieldErrors, UseFormRegisterReturn } from 'react-hook-form';
import { z } from 'zod';
import { expressionSchemas, type View } from '../../api/models.ts';
import { TextArea, TextField } from '../../ui/text-field.tsx';
import { syntaxErrorOf } from './syntax-error.ts';

/** Maximum length of the description's text box; the validation rule is stricter. */
const DESCRIPTION_BOX = 500;

const { title, description } = createViewSchema.shape;
/** The validation rules of a view's texts. The expression's syntax is checked too. */
export const viewTexts = {
  title,
  description,
  expression: expressionSchemas.view.superRefine(async (text, context) => {
    const message = await syntaxErrorOf(text);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
  }),
};
export const optionSchema = z.object({ value: z.string(), label: z.string() });

export interface ViewTexts {
  title: string;
  description: string;
  expression: string;
}

/** The base of a view: another view or a template. */
export type ViewSource = Pick<View, 'basedOn' | 'entityLabel' | 'templateKey' | 'search'>;

/** Props of the field for a view's expression. */
export interface ViewExpressionProps {
  label: string;
  value: string;
  onChange: (value: string) => void;
  onBlur: () => void;
  error: string | undefined;
  /** Undefined until a base is selected. */
  source: ViewSource | undefined;
  /** The named bases, which the expression reads as variables; empty for a view of one base. */
  bases: readonly ViewBase[];
  /** Values of the parameters of the view and its bases. */
  bindings: Bindings;
}

/** Renders the expression field. The page provides it, because the editor belongs to another feature. */
export type RenderExpression = (props: ViewExpressionProps) => ReactNode;

/** Renders the expression field for a form controller. */
export function drawExpression(
  render: RenderExpression,
  at: Pick<ViewExpressionProps, 'source' | 'bases' | 'bindings'>,
) {
  return ({ field, fieldState }: ControlledText) => {
    const { value, onChange, onBlur } = field;
    return (
      <>{render({ label: 'Query', value, onChange, onBlur, error: fieldState.error?.message, ...at })}</>
    );
  };
}

interface ControlledText {
  field: Pick<ViewExpressionProps, 'value' | 'onChange' | 'onBlur'>;
  fieldState: { error?: { message?: string | undefined } | undefined };
}

/** Returns the default values of parameters. */
export function defaultsOf(parameters: readonly Parameter[]): Bindings {
  return Object.fromEntries(
    parameters.flatMap(({ name, default: value }) => (value === null ? [] : [[name, value]])),
  );
}

interface ViewFieldsProps {
  register: (name: 'title' | 'description') => UseFormRegisterReturn;
  errors: FieldErrors<ViewTexts>;
  /** The field for the search, above the expression. */
  search?: ReactNode;
  /** The fields for further sources, above the expression. */
  sources?: ReactNode;
  /** The field for the expression. */
  expression: ReactNode;
}

/** The fields for title, description and query of a view. */
export function ViewFields({ register, errors, search, sources, expression }: ViewFieldsProps) {
  return (
    <>
      <TextField label="Title" required data-autofocus error={errors.title?.message} {...register('title')} />
      <TextArea
        label="Description"
        required
        rows={2}
        maxLength={DESCRIPTION_BOX}
        error={errors.description?.message}
        {...register('description')}
      />
      {search}
      {sources}
      {expression}
    </>
  );
}
