import type { Component } from './component.ts';
import { UntranslatableError } from './jinja/untranslatable-error.ts';

/**
 * Members of components that change requests or records and have no translation, by type (schema of Airbyte's CDK). The CDK ignores
 * members that its schema has not.
 */
const REFUSED: Readonly<Record<string, readonly string[]>> = {
  DeclarativeStream: ['file_uploader'],
  SimpleRetriever: ['pagination_reset'],
  HttpRequester: ['fetch_properties_from_endpoint', 'query_properties'],
  DpathExtractor: ['record_expander'],
};

/** Whether a member says something. */
export const isSet = (value: unknown) =>
  value !== undefined &&
  value !== null &&
  value !== false &&
  value !== '' &&
  !(typeof value === 'object' && Object.keys(value).length === 0);

/** Requires that a component has no member without a translation. @throws UntranslatableError that names one */
export function requireTranslatable(component: Component | undefined): void {
  const type = String(component?.type);
  const refused = Object.hasOwn(REFUSED, type) ? REFUSED[type] : undefined;
  const found = refused?.find((name) => isSet(component?.[name]));
  if (found !== undefined) throw new UntranslatableError(`the member ${found} of ${type}`);
}
