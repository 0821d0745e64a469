import { Play, SquareMousePointer } from 'lucide-react';
import type { Template } from '../../api/models.ts';
import { useForbiddenReason, useMayChange } from '../../api/permission.ts';
import { Button } from '../../ui/button.tsx';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { KeyHint } from '../../ui/key-hint.tsx';
import { Skeleton } from '../../ui/skeleton.tsx';
import { TemplatePreview } from './template-preview.tsx';

interface TemplateDetailProps {
  template: Template | undefined;
  providerTitle: string;
  entityTitle: string;
  /** Whether the selected template is loading. */
  isLoading: boolean;
  /** The entity that it reads, and the chosen account; empty for all. */
  entity: string;
  account: string;
  onRun: () => void;
  /** Saves a view of all of its rows. */
  onMakeView: () => void;
}

/** The selected template with its description and Run button. */
export function TemplateDetail({
  template,
  providerTitle,
  entityTitle,
  isLoading,
  entity,
  account,
  onRun,
  onMakeView,
}: TemplateDetailProps) {
  const mayChange = useMayChange();
  const forbidden = useForbiddenReason();
  if (isLoading)
    return (
      <Card title="Template">
        <div role="status" className="flex h-37 flex-col gap-3">
          <span className="text-12 text-ink-3">Loading...</span>
          <Skeleton className="h-4 w-3/5" />
          <Skeleton className="mt-6 h-8 w-full" />
        </div>
      </Card>
    );
  if (!template)
    return (
      <Card flush title="Template">
        <EmptyState
          icon={<SquareMousePointer size={20} />}
          title="Template has not been selected."
          hint="Pick one from the list to see what it returns."
        />
      </Card>
    );
  return (
    <Card
      title={template.title}
      flush
      actions={
        <span className="flex items-center gap-2">
          <span className="hidden items-center gap-1 sm:flex">
            <KeyHint keys="Ctrl" />
            <KeyHint keys="Enter" />
          </span>
          <Button disabled={!mayChange} title={forbidden} onClick={onMakeView}>
            Make a view
          </Button>
          <Button variant="primary" icon={<Play size={14} />} onClick={onRun}>
            Run
          </Button>
        </span>
      }
    >
      <div className="flex flex-col gap-4 p-4">
        <section aria-label="Description">
          <h3 className="mb-1 text-12 font-medium text-ink-3">Description</h3>
          <p className="text-14 text-ink-2">{template.description}</p>
        </section>
        <dl className="grid grid-cols-2 gap-4 border-t pt-4 sm:grid-cols-3">
          {[
            ['Provider', providerTitle],
            ['Entity', entityTitle],
            ['Template Key', template.templateKey],
          ].map(([name, value]) => (
            <div key={name} className="min-w-0">
              <dt className="text-12 text-ink-3">{name}</dt>
              <dd title={value} className="truncate text-13">
                {value}
              </dd>
            </div>
          ))}
        </dl>
      </div>
      <TemplatePreview entity={entity} template={template} account={account} />
    </Card>
  );
}
