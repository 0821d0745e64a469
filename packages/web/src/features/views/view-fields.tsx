import { createViewSchema } from '@datadeck/contract';
import type { FieldErrors, UseFormRegisterReturn } from 'react-hook-form';
import { z } from 'zod';
import { TextArea, TextField } from '../../ui/text-field.tsx';

/** Characters that the description's box takes; the rule is stricter. */
const DESCRIPTION_BOX = 500;

const { title, description, jsonNataQuery } = createViewSchema.shape;
export const viewTexts = { title, description, jsonNataQuery };
export const optionSchema = z.object({ value: z.string(), label: z.string() });

export interface ViewTexts {
  title: string;
  description: string;
  jsonNataQuery: string;
}

interface ViewFieldsProps {
  register: (name: keyof ViewTexts) => UseFormRegisterReturn;
  errors: FieldErrors<ViewTexts>;
}

/** Title, description and query of a view. */
export function ViewFields({ register, errors }: ViewFieldsProps) {
  return (
    <>
      <TextField label="Title" data-autofocus error={errors.title?.message} {...register('title')} />
      <TextArea
        label="Description"
        rows={2}
        maxLength={DESCRIPTION_BOX}
        error={errors.description?.message}
        {...register('description')}
      />
      <TextArea
        label="Query"
        rows={6}
        spellCheck={false}
        className="font-mono text-12"
        error={errors.jsonNataQuery?.message}
        {...register('jsonNataQuery')}
      />
    </>
  );
}
