import { membersAt, type Path, textAt } from '../document/document-text.ts';
import { columnOptions } from './columns.ts';
import { useDocumentForm, useMemory } from './form-context.ts';
import { FieldGrid } from './section.tsx';
import { ChoiceValue, NumberValue, SwitchValue, TextValue } from './values.tsx';

const PAGINATIONS = [
  { value: 'page', label: 'Page number' },
  { value: 'offset', label: 'Offset' },
  { value: 'cursor', label: 'Cursor' },
  { value: 'link', label: 'Link header' },
  { value: 'address', label: 'Address of the next page' },
];

const PLACES = [
  { value: 'query', label: 'The query' },
  { value: 'body', label: 'The body' },
  { value: 'header', label: 'A header' },
];

/** What each kind of pagination begins with. */
const INITIAL_MEMBERS: Readonly<Record<string, Record<string, unknown>>> = {
  page: { parameter: 'page', size: 100, sizeParameter: 'per_page' },
  offset: { parameter: 'offset', size: 100, sizeParameter: 'limit' },
  cursor: { in: 'query', parameter: 'cursor', next: 'response.next_cursor' },
  address: { next: 'response.next' },
};

/** How the next page is requested. */
export function PaginationFields({ path }: { path: Path }) {
  const { document, edit } = useDocumentForm();
  const at: Path = [...path, 'pagination'];
  const kind = textAt(document, [...at, 'kind']);
  const { keep, kept } = useMemory(at);
  const isCounted = kind === 'page' || kind === 'offset';
  return (
    <FieldGrid>
      <ChoiceValue
        path={[...at, 'kind']}
        label="Pagination"
        none="One answer has everything"
        options={[...PAGINATIONS, ...(kind === 'none' ? [{ value: 'none', label: 'None' }] : [])]}
        onChoose={(next) => {
          keep(kind);
          edit(at, next === '' ? undefined : (kept(next) ?? { kind: next, ...INITIAL_MEMBERS[next] }));
        }}
      />
      {(isCounted || kind === 'cursor') && (
        <TextValue path={[...at, 'parameter']} label="Parameter of the page" required isCode />
      )}
      {isCounted && (
        <>
          <NumberValue path={[...at, 'size']} label="Records of a page" required />
          <TextValue path={[...at, 'sizeParameter']} label="Parameter of the size" isCode />
          <ChoiceValue
            path={[...at, 'end']}
            label="The list ends at"
            none="An empty page"
            options={[{ value: 'short-page', label: 'A page with fewer records' }]}
            hint="A page with fewer records saves a request, if the service really sends the size that it is asked for."
          />
        </>
      )}
      {kind === 'page' && (
        <NumberValue path={[...at, 'first']} label="Number of the first page" placeholder="1" />
      )}
      {isCounted && (
        <>
          <ChoiceValue path={[...at, 'in']} label="Sent in" none="The query" options={PLACES.slice(1)} />
          <SwitchValue path={[...at, 'sendFirst']} label="Ask for the first page by its number" initial />
        </>
      )}
      {kind === 'cursor' && <ChoiceValue path={[...at, 'in']} label="Sent in" options={PLACES} />}
      {(kind === 'cursor' || kind === 'address') && (
        <TextValue
          path={[...at, 'next']}
          label={kind === 'cursor' ? 'Next cursor' : 'Next address'}
          required
          isExpression
          hint="Nothing or an empty text is the last page."
        />
      )}
      {(kind === 'link' || kind === 'address') && (
        <SwitchValue
          path={[...at, 'repeatQuery']}
          label="Repeat the query at the next address"
          initial={false}
        />
      )}
    </FieldGrid>
  );
}

/** How later runs read what changed. */
export function IncrementalFields({ path }: { path: Path }) {
  const { document, edit } = useDocumentForm();
  const at: Path = [...path, 'incremental'];
  const incremental = membersAt(document, at);
  const parameter: Path = [...at, 'parameter'];
  const [whole, asked] = [useMemory(at), useMemory(parameter)];
  const hasParameter = membersAt(document, parameter).name !== undefined;
  return (
    <>
      <FieldGrid>
        <ChoiceValue
          path={[...path, 'sortedBy']}
          label="Listed newest first by"
          none="In no known order"
          options={columnOptions(document, path, ['time'])}
        />
        <ChoiceValue
          path={[...at, 'column']}
          label="Later runs read what changed by"
          none="Everything in each run"
          options={columnOptions(document, path, ['time', 'integer', 'bigint', 'number'])}
          onChoose={(column) => {
            if (column === '') whole.keep('');
            const before = incremental.column === undefined ? whole.kept('') : incremental;
            edit(at, column === '' ? undefined : { ...before, column });
          }}
        />
        <SwitchValue
          path={[...path, 'keepUnlisted']}
          label="Keep records that the service no longer lists"
          initial={false}
        />
      </FieldGrid>
      {incremental.column !== undefined && (
        <FieldGrid>
          <ChoiceValue
            path={[...parameter, 'in']}
            label="Asks for changes"
            none="Compares what it reads"
            options={[
              { value: 'query', label: 'By a query parameter' },
              { value: 'body', label: 'By a member of the body' },
            ]}
            onChoose={(place) => {
              if (place === '') asked.keep('');
              const before = hasParameter ? membersAt(document, parameter) : asked.kept('');
              const next = { name: 'updated_since', value: 'cursor', ...before, in: place };
              edit(parameter, place === '' ? undefined : next);
            }}
          />
          {hasParameter && (
            <>
              <TextValue path={[...parameter, 'name']} label="Parameter" required isCode />
              <TextValue
                path={[...parameter, 'value']}
                label="Its value"
                required
                isExpression
                hint="cursor is the instant from which the run reads."
              />
            </>
          )}
          <NumberValue path={[...at, 'lookBack']} label="Look back, seconds" placeholder="120" />
        </FieldGrid>
      )}
    </>
  );
}
