import type { Provider, Template } from '../../api/models.ts';
import { LoadingEntries } from '../../ui/skeleton.tsx';
import { TemplateList } from './template-list.tsx';
import { useTemplatesQuery } from './templates-api.ts';

/** A template and the entity that it reads. */
export interface TemplateChoice {
  provider: string;
  entity: string;
  template: string;
}

interface EntityTemplatesProps {
  provider: Provider;
  entity: Provider['entities'][number];
  onSelect: (choice: TemplateChoice) => void;
}

/** The templates of one entity under its name. An entity whose templates cannot be loaded is left out. */
function EntityTemplates({ provider, entity, onSelect }: EntityTemplatesProps) {
  const { data: templates, error } = useTemplatesQuery({ providerId: provider.key, entityLabel: entity.id });
  if (error !== undefined) return null;
  const select = ({ templateKey: template }: Template) =>
    onSelect({ provider: provider.key, entity: entity.id, template });
  return (
    <section aria-label={`${provider.title}, ${entity.title}`} className="border-t pt-3">
      <h3 className="px-5 text-12 font-medium text-ink-3">
        {provider.title} · {entity.title}
      </h3>
      {templates ? (
        <TemplateList templates={templates} selected="" hasSearch={false} onSelect={select} />
      ) : (
        <LoadingEntries />
      )}
    </section>
  );
}

/** The templates of all entities whose provider is connected. */
export function AllTemplates({
  providers,
  onSelect,
}: {
  providers: readonly Provider[];
  onSelect: (choice: TemplateChoice) => void;
}) {
  return providers
    .filter(({ isConnected }) => isConnected)
    .flatMap((provider) =>
      provider.entities.map((entity) => (
        <EntityTemplates key={entity.id} provider={provider} entity={entity} onSelect={onSelect} />
      )),
    );
}
