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

/** Follows a link that names no template (`queryAddress`): runs the first one. It may also open the dialog that saves a view. */
export function useLinkedTemplate(
  search: SearchState,
  templates: readonly Template[] | undefined,
): LinkedTemplate {
  const [savingOf, setSavingOf] = useState('');
  const target = search.get('open');
  const named = search.get('template');
  const template = templates?.find(({ templateKey }) => templateKey === named) ?? templates?.[0];
  const { set } = search;
  useEffect(() => {
    if (target === '' || !template) return;
    if (target === VIEW) setSavingOf(templateName(template.entity, template.templateKey));
    // Step 0 stays in the history of the browser; a link leaves nothing to go back to.
    set({ template: template.templateKey, step: 1, page: 1, q: null, open: null }, { replace: named === '' });
  }, [target, template, named, set]);
  return { opensSaving: (templateId) => templateId === savingOf, onSavingClosed: () => setSavingOf('') };
}
