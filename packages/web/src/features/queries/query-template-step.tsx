import { Filter } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { causeOf } from '../../api/failure.ts';
import type { Provider, Template } from '../../api/models.ts';
import { Card } from '../../ui/card.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { LoadFailure } from '../../ui/load-failure.tsx';
import { LoadingEntries } from '../../ui/skeleton.tsx';
import { STICKY_LIST, useReveal } from '../../ui/use-reveal.ts';
import { AllTemplates, type TemplateChoice } from '../templates/all-templates.tsx';
import { TemplateDetail } from '../templates/template-detail.tsx';
import { TemplateList } from '../templates/template-list.tsx';

interface QueryTemplateStepProps {
  /** Providers whose templates are offered while no entity is chosen. */
  providers: readonly Provider[];
  /** Chooses a template with its entity. */
  onChoose: (choice: TemplateChoice) => void;
  filters: ReactNode;
  /** Shown below the filters. */
  notice: ReactNode;
  /** Whether both the provider and the entity are chosen. */
  isChosen: boolean;
  templates: readonly Template[] | undefined;
  error: unknown;
  isRetrying: boolean;
  onRetry: () => unknown;
  template: Template | undefined;
  /** Whether the URL names a template and the templates are still loading. */
  isLoadingTemplate: boolean;
  providerTitle: string;
  entityTitle: string;
  entity: string;
  /** The chosen account; empty for all. */
  account: string;
  onSelect: (template: Template) => void;
  onRun: () => void;
  onMakeView: () => void;
}

/** Runs the template on Ctrl/Cmd Enter anywhere on this step. */
function useRunKey(run: (() => void) | undefined): void {
  const current = useRef(run);
  current.current = run;
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey) || !current.current) return;
      event.preventDefault();
      current.current();
    };
    window.addEventListener('keydown', onKeyDown);
    return () => window.removeEventListener('keydown', onKeyDown);
  }, []);
}

/** Replaces the templates of an entity by those of all entities of connected providers. */
function NoEntity({ providers, onChoose }: Pick<QueryTemplateStepProps, 'providers' | 'onChoose'>) {
  if (!providers.some(({ isConnected }) => isConnected))
    return (
      <EmptyState
        icon={<Filter size={20} />}
        title="No Entity"
        hint="Choose a provider and an entity above."
      />
    );
  return (
    <>
      <div className="px-5 py-3">
        <p className="text-13 font-medium">No Entity</p>
        <p className="text-12 text-ink-3">Choose a provider and an entity above, or a template below.</p>
      </div>
      <AllTemplates providers={providers} onSelect={onChoose} />
    </>
  );
}

/** Step 0: filters, the entity's templates, and details of the selected template. */
export function QueryTemplateStep(props: QueryTemplateStepProps) {
  const { filters, isChosen, templates, error, template, onRun } = props;
  useRunKey(template && onRun);
  const detail = useReveal(template?.templateKey);
  return (
    <div className="flex flex-col gap-6">
      {filters}
      {props.notice}
      <div className="grid items-start gap-6 lg:grid-cols-[2fr_3fr]">
        <Card title="Templates" flush scrolls className={STICKY_LIST}>
          {!isChosen && <NoEntity providers={props.providers} onChoose={props.onChoose} />}
          {isChosen && error !== undefined && (
            <div className="p-4">
              <LoadFailure sentence={causeOf(error)} busy={props.isRetrying} onRetry={props.onRetry} />
            </div>
          )}
          {isChosen && error === undefined && !templates && <LoadingEntries />}
          {isChosen && templates && (
            <TemplateList
              templates={templates}
              selected={template?.templateKey ?? ''}
              onSelect={props.onSelect}
            />
          )}
        </Card>
        <div ref={detail} className="min-w-0 scroll-mt-4 md:scroll-mt-8">
          <TemplateDetail
            template={template}
            providerTitle={props.providerTitle}
            entityTitle={props.entityTitle}
            isLoading={props.isLoadingTemplate}
            entity={props.entity}
            account={props.account}
            onRun={onRun}
            onMakeView={props.onMakeView}
          />
        </div>
      </div>
    </div>
  );
}
