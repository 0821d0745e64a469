import { useNavigate } from 'react-router';
import { PATHS, withSearch } from '../../address/paths.ts';
import type { View } from '../../api/models.ts';
import { offer } from '../../ui/toast.tsx';

/** Returns a function that offers to open a saved view, where its data is shown and can be watched. */
export function useOfferView(): (view: View) => void {
  const navigate = useNavigate();
  return ({ id, title, providerId, entityLabel }) =>
    offer(
      `"${title}" was saved`,
      'Open',
      () => void navigate(withSearch(PATHS.views, { provider: providerId, entity: entityLabel, view: id })),
    );
}
