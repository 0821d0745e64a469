import { type Path, textAt } from '../document/document-text.ts';
import { columnOptions } from './columns.ts';
import { useDocumentForm } from './form-context.ts';
import { ItemRows } from './rows.tsx';
import { FieldGrid } from './section.tsx';
import { ChoiceValue, TextValue } from './values.tsx';

/** How a person finds and reads a record. */
export function ReadingFields({ path }: { path: Path }) {
  const { document } = useDocumentForm();
  const at: Path = [...path, 'reading'];
  return (
    <>
      <FieldGrid>
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
      </FieldGrid>
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
