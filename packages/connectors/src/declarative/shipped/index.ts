import { type ConnectorDocument, connectorDocumentSchema } from '@datadeck/contract/connector-document';
import feeds from './feeds.json' with { type: 'json' };
import gitlab from './gitlab.json' with { type: 'json' };
import jira from './jira.json' with { type: 'json' };
import linear from './linear.json' with { type: 'json' };
import todoist from './todoist.json' with { type: 'json' };

/** The documents that the product ships, in the order of their cards on the Integrations page. */
export const shippedDocuments: readonly ConnectorDocument[] = [gitlab, jira, linear, todoist, feeds].map(
  (document) => connectorDocumentSchema.parse(document),
);

/** Returns the shipped document with a key, e.g. `gitlab`. @throws Error for an unknown key */
export function shippedDocument(key: string): ConnectorDocument {
  const found = shippedDocuments.find((document) => document.key === key);
  if (!found) throw new Error(`no document ${key} is shipped`);
  return found;
}
