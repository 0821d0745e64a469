import { Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../../../ui/button.tsx';
import { confirmDeletion } from '../../../ui/confirmation.tsx';
import { listAt, membersAt, type Path, textAt } from '../document/document-text.ts';
import { renameAddedField, renameColumn, renameEntity } from '../document/rename.ts';
import { columnOptions } from './columns.ts';
import { useDocumentForm, useProblemCount, useRemoveItem } from './form-context.ts';
import { FormFieldRows } from './form-field-rows.tsx';
import { NameField } from './name-field.tsx';
import { IncrementalFields, PaginationFields } from './page-fields.tsx';
import { ReadingFields } from './reading-fields.tsx';
import { MemberRows } from './rows.tsx';
import { FieldGrid, Section } from './section.tsx';
import { TemplateRows } from './template-fields.tsx';
import { ChoiceValue, TextValue } from './values.tsx';

const DECODERS = [
  { value: 'ndjson', label: 'NDJSON' },
  { value: 'csv', label: 'CSV' },
  { value: 'xml', label: 'XML' },
  { value: 'feed', label: 'RSS or Atom' },
];
const METHODS = ['GET', 'POST'].map((value) => ({ value, label: value }));
const COLUMN_TYPES = ['text', 'integer', 'bigint', 'number', 'boolean', 'time', 'texts'].map((value) => ({
  value,
  label: value,
}));

function RequestFields({ path }: { path: Path }) {
  const { document } = useDocumentForm();
  const own = textAt(document, [...path, 'id']);
  const parents = listAt(document, ['entities'])
    .map((entity) => textAt(entity, ['id']))
    .filter((id) => id !== '' && id !== own)
    .map((value) => ({ value, label: value }));
  return (
    <>
      <TextValue
        path={[...path, 'request', 'path']}
        label="Path"
        required
        isCode
        placeholder="/tickets"
        hint="{settings.project} inserts what a person entered."
      />
      <MemberRows
        path={[...path, 'request', 'query']}
        title="Query parameters"
        hint="Values are expressions: a text is in quotes, '100'."
        label="Parameter"
        newName="parameter"
        newValue="''"
      />
      <FieldGrid>
        <ChoiceValue
          path={[...path, 'request', 'decode']}
          label="Format of the answer"
          none="JSON"
          options={DECODERS}
        />
        {(parents.length > 0 || textAt(document, [...path, 'parent']) !== '') && (
          <ChoiceValue
            path={[...path, 'parent']}
            label="Requested for each record of"
            none="Requested once"
            options={parents}
          />
        )}
      </FieldGrid>
      <TextValue
        path={[...path, 'parts']}
        label="Parts"
        isExpression
        placeholder="['open', 'closed']"
        hint="A list of values, for each of which the request is sent. Expressions read the value as part."
      />
      <MemberRows
        path={[...path, 'request', 'headers']}
        title="Headers"
        label="Header"
        newName="accept"
        newValue="'application/json'"
      />
      <TextValue
        path={[...path, 'request', 'body']}
        label="Body"
        isExpression
        rows={2}
        hint="An expression that yields an object."
      />
      <FieldGrid>
        <ChoiceValue
          path={[...path, 'request', 'method']}
          label="Method"
          none="POST if it has a body"
          options={METHODS}
        />
        {textAt(document, [...path, 'request', 'body']) !== '' && (
          <ChoiceValue
            path={[...path, 'request', 'bodyFormat']}
            label="Format of the body"
            none="JSON"
            options={[{ value: 'form', label: 'Form (URL-encoded)' }]}
          />
        )}
      </FieldGrid>
    </>
  );
}

function RecordFields({ path }: { path: Path }) {
  const { document, edit } = useDocumentForm();
  const id = textAt(document, [...path, 'id']);
  const children = listAt(document, ['entities']).flatMap((entity, index): Path[] =>
    textAt(entity, ['parent']) === id ? [['entities', index]] : [],
  );
  return (
    <>
      <FieldGrid>
        <TextValue
          path={[...path, 'records']}
          label="Records"
          required
          isExpression
          placeholder="response.items"
          hint="Where the list is in the answer."
        />
        <TextValue
          path={[...path, 'total']}
          label="Number of all records"
          isExpression
          placeholder="response.total"
        />
        <TextValue path={[...path, 'key']} label="Id of a record" isExpression placeholder="record.id" />
        <TextValue
          path={[...path, 'date']}
          label="Date of a record"
          required
          isExpression
          placeholder="record.created_at"
        />
      </FieldGrid>
      <MemberRows
        path={[...path, 'add']}
        title="Added fields"
        hint="Stored with each record, such as the name of its parent."
        label="Field"
        newName="field"
        newValue="parent.name"
        onRename={(before, after) => edit([], renameAddedField(document, path, before, after))}
        usedAs={[
          { within: path, prefix: 'record.' },
          ...children.map((within) => ({ within, prefix: 'parent.' })),
        ]}
      />
    </>
  );
}

function ColumnFields({ path }: { path: Path }) {
  const { document, edit } = useDocumentForm();
  return (
    <>
      <MemberRows
        path={[...path, 'columns']}
        onRename={(before, after) => edit([], renameColumn(document, path, before, after))}
        title="Columns"
        hint="What views, filters and SQL use. Try suggests columns from a real answer."
        label="Column"
        newName="column"
        newValue={{ type: 'text', value: 'record.' }}
        valueStep="value"
      >
        {(at, name) => (
          <ChoiceValue
            path={[...at, 'type']}
            label={`Column ${name}: type`}
            isLabelHidden
            options={COLUMN_TYPES}
          />
        )}
      </MemberRows>
      <FieldGrid>
        <ChoiceValue
          path={[...path, 'titleColumn']}
          label="Title column"
          options={columnOptions(document, path, ['text'])}
          hint="Names a record in search and lists."
        />
        <TextValue path={[...path, 'description']} label="Description" required />
      </FieldGrid>
    </>
  );
}

function EntityPart({ title, children }: { title: string; children: ReactNode }) {
  return (
    <fieldset className="flex min-w-0 flex-col gap-4 border-t pt-4">
      <legend className="sr-only">{title}</legend>
      <p aria-hidden="true" className="text-12 font-semibold text-ink-3 uppercase">
        {title}
      </p>
      {children}
    </fieldset>
  );
}

/** One entity of the document. @param index its position */
export function EntitySection({ index, isOpen }: { index: number; isOpen: boolean }) {
  const { document, edit } = useDocumentForm();
  const path: Path = ['entities', index];
  const title = textAt(document, [...path, 'title']) || `Entity ${index + 1}`;
  const problems = useProblemCount(path);
  const removeEntity = useRemoveItem(['entities']);
  const columns = Object.keys(membersAt(document, [...path, 'columns'])).length;

  async function remove() {
    const may = await confirmDeletion(
      'Remove entity',
      `Remove ${title} from the document?`,
      'Its stored records stay until a version without it is published and the data is deleted.',
    );
    if (may) removeEntity(index);
  }

  return (
    <Section
      title={title}
      note={`${textAt(document, [...path, 'request', 'path'])} · ${columns} ${columns === 1 ? 'column' : 'columns'}`}
      problems={problems}
      isOpen={isOpen}
      at={path.join('.')}
    >
      <FieldGrid>
        <TextValue path={[...path, 'title']} label="Title" required />
        <NameField
          label="Id"
          name={textAt(document, [...path, 'id'])}
          taken={listAt(document, ['entities']).map((entity) => textAt(entity, ['id']))}
          path={[...path, 'id']}
          hint={`Begins with ${textAt(document, ['key'])}-`}
          onRename={(next) => edit([], renameEntity(document, path, next))}
        />
      </FieldGrid>
      <EntityPart title="Request">
        <RequestFields path={path} />
        <FormFieldRows
          path={[...path, 'settings']}
          title="Settings"
          hint="What people enter before they synchronize, as settings.name."
          newField={{ name: 'project', label: 'Project', required: false }}
          usedAs={[{ within: path, prefix: 'settings.' }]}
        />
      </EntityPart>
      <EntityPart title="Pages and changes">
        <PaginationFields path={path} />
        <IncrementalFields path={path} />
      </EntityPart>
      <EntityPart title="Records">
        <RecordFields path={path} />
      </EntityPart>
      <EntityPart title="Columns">
        <ColumnFields path={path} />
      </EntityPart>
      <EntityPart title="Reading">
        <ReadingFields path={path} />
      </EntityPart>
      <EntityPart title="Templates">
        <TemplateRows path={path} />
      </EntityPart>
      <div className="border-t pt-4">
        <Button variant="danger" size="sm" icon={<Trash2 size={14} />} onClick={() => void remove()}>
          Remove entity
        </Button>
      </div>
    </Section>
  );
}
