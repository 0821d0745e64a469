import type { EntityDefinition, TemplateDefinition } from '@datadeck/connectors';
import type { Template } from '@datadeck/contract';
import { AppError, notFound } from '../../platform/app-error.ts';
import type { ConnectorRegistry } from '../connections/index.ts';
import { requireSearch } from '../search/index.ts';

/** Finds a template of an entity. @throws AppError not-found */
export function findTemplate(
  registry: ConnectorRegistry,
  { entity: id, templateKey }: { entity: string; templateKey: string },
): { entity: EntityDefinition; template: TemplateDefinition } {
  const entity = registry.providerOf(id).entities.find((one) => one.id === id);
  const template = entity?.templates.find(({ key }) => key === templateKey);
  if (!entity || !template) throw notFound(`The template '${templateKey}'`);
  return { entity, template };
}

/**
 * Checks that a search can select rows of a template. An empty one selects all rows.
 * @throws AppError validation-failed with the field `search`
 */
export function checkSearch(
  { entity, template }: { entity: EntityDefinition; template: TemplateDefinition },
  search: string,
): void {
  if (search === '') return;
  if (template.kind === 'documents') {
    requireSearch(entity, search);
    return;
  }
  const message = `A search cannot select rows of the template '${template.title}', because they are no records.`;
  throw new AppError('validation-failed', message, { fields: { search: message } });
}

/** Lists the templates of an entity. @throws AppError not-found for an unknown provider or entity */
export function listTemplates(registry: ConnectorRegistry, provider: string, entity: string): Template[] {
  const { templates, search } = registry.entity(provider, entity);
  return templates.map((template) => ({
    _id: template.key,
    title: template.title,
    description: template.description,
    templateKey: template.key,
    providerId: provider,
    entryCollection: entity,
    isOfRecords: template.kind === 'documents',
    isSearchable: template.kind === 'documents' && search !== undefined,
    columns: [...(template.columns ?? [])],
  }));
}
