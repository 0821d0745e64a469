import { useEffect, useState } from 'react';
import type { QueryTarget } from '../../address/query-link.ts';
import type { SearchState } from '../../address/search-state.ts';
import type { Template } from '../../api/models.ts';
import { templateName } from '../templates/kept-by-template.ts';

const VIEW: QueryTarget = 'view';

interface LinkedTemplate {
  /** Whether the dialog that saves a view of this template is to be opened. */
  opensSaving: (templateId: string) => boolean;
  /** Call it when the dialog is closed. */
  onSavingClosed: () => void;
}

/** Follows a link that does not know the templates (`queryAddress`): runs the first one, and may open the dialog that saves a view. */
export function useLinkedTemplate(
  search: SearchState,
  templates: readonly Template[] | undefined,
): LinkedTemplate {
  const [savingOf, setSavingOf] = useState('');
  const target = search.get('open');
  const first = templates?.[0];
  const { set } = search;
  useEffect(() => {
    if (target === '' || !first) return;
    if (target === VIEW) setSavingOf(templateName(first.entity, first.templateKey));
    set({ template: first.templateKey, step: 1, page: 1, q: null, open: null }, { replace: true });
  }, [target, first, set]);
  return { opensSaving: (templateId) => templateId === savingOf, onSavingClosed: () => setSavingOf('') };
}
