import { z } from 'zod';
import { keepFor, useKeptByTemplate } from '../templates/kept-by-template.ts';
import { DRAFT_KEY } from './draft-key.ts';

const draftSchema = z.string();

/** Keeps the unsaved expression of each template. */
export function useDraft(template: string): [string, (query: string) => void] {
  const [query, setQuery] = useKeptByTemplate(DRAFT_KEY, draftSchema, { template, empty: '' });
  return [query, (next) => setQuery(() => next)];
}

/** Empties the expression of a template whose page is not open. */
export function clearDraft(template: string): void {
  keepFor(DRAFT_KEY, draftSchema, [template, '']);
}
