import { Badge } from '../../../ui/badge.tsx';
import { freeName, listAt, membersAt, type Path, textAt } from '../document/document-text.ts';
import { columnOptions } from './columns.ts';
import { useDocumentForm } from './form-context.ts';
import { ItemRows } from './rows.tsx';
import { Pair } from './section.tsx';
import { ChoiceValue, TextValue } from './values.tsx';

/** How a person finds and reads a record. */
export function ReadingFields({ path }: { path: Path }) {
  const { document } = useDocumentForm();
  const at: Path = [...path, 'reading'];
  return (
    <>
      <Pair>
        <TextValue
          path={[...at, 'body']}
          label="Field with the text"
          isCode
          placeholder="description"
          hint="A field of the record: author.name."
        />
        <ChoiceValue
          path={[...at, 'format']}
          label="Format of the text"
          none="Plain"
          options={[
            { value: 'markdown', label: 'Markdown' },
            { value: 'html', label: 'HTML' },
          ]}
        />
        <TextValue path={[...at, 'address']} label="Field with its address" isCode placeholder="url" />
        <ChoiceValue
          path={[...at, 'person']}
          label="Column with the person"
          none="None"
          options={columnOptions(document, path, ['text'])}
        />
        <ChoiceValue
          path={[...at, 'labels']}
          label="Column with the labels"
          none="None"
          options={columnOptions(document, path, ['texts'])}
        />
      </Pair>
      <ItemRows
        path={[...at, 'facts']}
        title="Facts"
        hint="Lines above the text of a record."
        label="Fact"
        newItem={{ title: 'State', field: 'state' }}
        nameOf={(item) => textAt(item, ['title'])}
      >
        {(fact) => (
          <>
            <TextValue path={[...fact, 'title']} label="Title" required />
            <TextValue path={[...fact, 'field']} label="Field" required isCode />
          </>
        )}
      </ItemRows>
    </>
  );
}

const KIND_TITLES: Readonly<Record<string, string>> = {
  records: 'Whole records',
  rows: 'Rows',
  groups: 'Groups',
};

/** The templates of an entity: titles and columns. Conditions and measures are written in the document. */
export function TemplateRows({ path }: { path: Path }) {
  const { document } = useDocumentForm();
  const at: Path = [...path, 'templates'];
  const columns = Object.keys(membersAt(document, [...path, 'columns']));
  const keys = listAt(document, at).map((template) => textAt(template, ['key']));
  const newItem = {
    key: freeName(`${textAt(document, [...path, 'id'])}-rows`, keys),
    kind: 'rows',
    title: 'New template',
    description: 'Chosen columns, the newest first.',
    columns: columns.slice(0, 6),
    orderBy: [{ by: columns[0] ?? '' }],
  };
  return (
    <ItemRows
      path={at}
      title="Templates"
      hint="Ready questions about the records. Conditions, groups and measures are written in the document."
      label="Template"
      newItem={newItem}
      nameOf={(item) => textAt(item, ['title'])}
    >
      {(template, item) => (
        <>
          <TextValue path={[...template, 'title']} label="Title" required />
          <TextValue path={[...template, 'key']} label="Key" required isCode />
          <TextValue path={[...template, 'description']} label="Description" required />
          <div className="flex flex-col items-start gap-1.5 text-12 text-ink-3">
            <Badge>{KIND_TITLES[textAt(item, ['kind'])] ?? 'Unknown kind'}</Badge>
            <span className="max-w-full wrap-anywhere">
              {item.kind === 'groups' ? `By ${textAt(item, ['by'])}` : columnText(item)}
            </span>
          </div>
        </>
      )}
    </ItemRows>
  );
}

/** Returns the columns of a template in words. */
function columnText(template: Record<string, unknown>): string {
  const names = listAt(template, ['columns']).filter((name) => typeof name === 'string');
  return names.length === 0 ? 'All fields' : names.join(', ');
}
