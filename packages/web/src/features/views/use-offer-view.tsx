import { type ReactNode, useState } from 'react';
import { useNavigate } from 'react-router';
import { PATHS, withSearch } from '../../address/paths.ts';
import type { View } from '../../api/models.ts';
import { offer } from '../../ui/toast.tsx';
import { AddViewToBoard } from './add-view-to-board.tsx';

interface OfferView {
  /** Offers to open a saved view, where its data is shown and can be watched, and to add it to a board. */
  offerView: (view: View) => void;
  /** The choice of a board, which the caller renders. */
  boardDialog: ReactNode;
}

/** Returns what offers the next steps with a saved view. */
export function useOfferView(): OfferView {
  const navigate = useNavigate();
  const [added, setAdded] = useState<View>();
  const open = ({ id, providerId, entityLabel }: View) =>
    void navigate(withSearch(PATHS.views, { provider: providerId, entity: entityLabel, view: id }));
  return {
    offerView: (view) =>
      offer(`"${view.title}" was saved`, [
        { label: 'Open', act: () => open(view) },
        { label: 'Add to board', act: () => setAdded(view) },
      ]),
    boardDialog: added && <AddViewToBoard view={added} onClose={() => setAdded(undefined)} />,
  };
}
