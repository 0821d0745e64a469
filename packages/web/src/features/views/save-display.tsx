import type { ViewDisplay } from '@datadeck/contract';
import { RotateCcw, Save } from 'lucide-react';
import type { View } from '../../api/models.ts';
import { useForbiddenReason, useMayChange } from '../../api/permission.ts';
import { Button } from '../../ui/button.tsx';
import { IconButton } from '../../ui/icon-button.tsx';
import { toasts } from '../../ui/toast.tsx';
import { useUpdateViewMutation } from './views-api.ts';

interface SaveDisplayProps {
  view: View;
  /** How the view is shown now. */
  display: ViewDisplay;
  onUndo: () => void;
}

/** Stores with a view how it is shown now, or shows it again as it is stored. */
export function SaveDisplay({ view, display, onUndo }: SaveDisplayProps) {
  const mayChange = useMayChange();
  const forbidden = useForbiddenReason();
  const [updateView, { isLoading }] = useUpdateViewMutation();
  async function save() {
    const { id: viewId, title, description, expression } = view;
    const { error } = await updateView({ viewId, title, description, expression, display });
    if (error) toasts.error('View update was unsuccessful');
    else toasts.success('View was updated successfully');
  }
  return (
    <>
      <IconButton
        label="Show as stored"
        className="max-sm:size-10"
        icon={<RotateCcw aria-hidden="true" size={16} />}
        onClick={onUndo}
      />
      <Button
        size="sm"
        className="max-sm:h-10"
        icon={<Save aria-hidden="true" size={14} />}
        busy={isLoading}
        disabled={!mayChange || isLoading}
        title={forbidden ?? 'Store the picture, the columns and the order, for everyone who opens the view'}
        onClick={() => void save()}
      >
        Save display
      </Button>
    </>
  );
}
