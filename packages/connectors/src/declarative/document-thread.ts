/** The thread of a connector document: decodes answers and evaluates expressions, so that neither can block the main thread. */
import type { ConnectorDocument } from '@datadeck/contract/connector-document';
import type { JsonObject } from '../sdk/index.ts';
import { serveTasks, type TaskAnswer } from '../sdk/task-thread-main.ts';
import { decodeElements } from './decode.ts';
import type { DocumentTask } from './document-task.ts';
import { EntityMapper } from './entity-mapper.ts';
import { IdentityMapper } from './identity-mapper.ts';

/** The mappers of the last document. */
let current: { text: string; document: ConnectorDocument; entities: Map<string, EntityMapper> } | undefined;

function openDocument(text: string) {
  if (current?.text !== text) current = { text, document: JSON.parse(text), entities: new Map() };
  return current;
}

function mapperOf(text: string, id: string): EntityMapper {
  const { document, entities } = openDocument(text);
  const known = entities.get(id);
  if (known) return known;
  const entity = document.entities.find((one) => one.id === id);
  if (!entity) throw new Error(`the document has no entity ${id}`);
  const mapper = new EntityMapper(document, entity);
  entities.set(id, mapper);
  return mapper;
}

serveTasks({
  run(message): TaskAnswer {
    const task = message as DocumentTask;
    const { document: text } = task;
    switch (task.kind) {
      case 'parts':
        return { value: mapperOf(text, task.entity).parts(task.variables) };
      case 'first-request':
        return { value: mapperOf(text, task.entity).firstRequest(task.variables) };
      case 'page': {
        const value = mapperOf(text, task.entity).page(task.answer, task.request, task.variables);
        return 'failedBody' in value ? { value } : { value, transfer: [value.records.texts.buffer] };
      }
      case 'extract': {
        const documents = task.records.map((record) => JSON.parse(record) as JsonObject);
        return { value: mapperOf(text, task.entity).extract(documents) };
      }
      case 'decode':
        return { value: decodeElements(task.decode, Buffer.from(task.text)) };
      case 'identity-request':
        return { value: new IdentityMapper(openDocument(text).document).request(task.variables) };
      case 'identity':
        return { value: new IdentityMapper(openDocument(text).document).read(task.answer, task.variables) };
    }
  },
});
