import type { View } from '../../api/models.ts';
import { AddToBoardDialog } from '../boards/add-to-board-dialog.tsx';
import { newViewTile } from '../boards/new-tile.ts';

/** Adds a view to a board: as a chart if it is shown as one, else as a table. */
export function AddViewToBoard({ view, onClose }: { view: View; onClose: () => void }) {
  const picture = view.display?.mode === 'chart' ? 'chart' : 'table';
  return <AddToBoardDialog subtitle={view.title} tile={newViewTile(view.id, picture)} onClose={onClose} />;
}
