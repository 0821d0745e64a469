import { useNavigate } from 'react-router';
import { PATHS, withSearch } from '../../address/paths.ts';
import type { View } from '../../api/models.ts';
import type { Option } from '../../ui/select.tsx';
import { CategoryFormDialog } from './category-form-dialog.tsx';
import { CreateViewDialog } from './create-view-dialog.tsx';
import { ManageCategoriesDialog } from './manage-categories-dialog.tsx';
import { renderExpression } from './view-expression.tsx';
import { ViewGraphDialog } from './view-graph-dialog.tsx';

/** The dialog of the Views screen that is open. */
export type ViewsDialog = 'none' | 'category' | 'categories' | 'view' | 'graph';

interface ViewsDialogsProps {
  open: ViewsDialog;
  onClose: () => void;
  provider: Option;
  entity: Option;
  views: readonly View[] | undefined;
  selected: View | undefined;
  onSelect: (viewId: string) => void;
}

/** The open dialog of the Views screen, if any. */
export function ViewsDialogs({
  open,
  onClose,
  provider,
  entity,
  views,
  selected,
  onSelect,
}: ViewsDialogsProps) {
  const navigate = useNavigate();
  switch (open) {
    case 'none':
      return null;
    case 'category':
      return <CategoryFormDialog onClose={onClose} />;
    case 'categories':
      return <ManageCategoriesDialog onClose={onClose} />;
    case 'graph':
      return (
        views && (
          <ViewGraphDialog
            views={views}
            selected={selected?.id ?? ''}
            onClose={onClose}
            onSelect={({ id, providerId, entityLabel }) => {
              onClose();
              if (views.some((view) => view.id === id)) onSelect(id);
              else
                void navigate(
                  withSearch(PATHS.views, { provider: providerId, entity: entityLabel, view: id }),
                );
            }}
          />
        )
      );
    case 'view':
      return (
        <CreateViewDialog
          provider={provider}
          entity={entity}
          selected={selected}
          renderExpression={renderExpression}
          onClose={onClose}
          onCreated={({ id }) => onSelect(id)}
        />
      );
  }
}
