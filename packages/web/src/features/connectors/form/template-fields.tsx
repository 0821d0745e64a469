import { listAt, membersAt, type Path, textAt, valueAt } from '../document/document-text.ts';
import { freeKey, freeName, renameMeasure } from '../document/rename.ts';
import { columnOptions, NUMBER_TYPES } from './columns.ts';
import { ConditionFields } from './condition-fields.tsx';
import { useDocumentForm, useMemory } from './form-context.ts';
import { NameField } from './name-field.tsx';
import { templateKeys } from './new-entity.ts';
import { ItemRows } from './rows.tsx';
import { ChoiceValue, SwitchValue, TextValue, WordsValue } from './values.tsx';

const TEMPLATE_KINDS = [
  { value: 'records', label: 'Whole records' },
  { value: 'rows', label: 'Rows' },
  { value: 'groups', label: 'Groups' },
];
const PERIODS = [
  { value: 'day', label: 'Day' },
  { value: 'week', label: 'Week' },
  { value: 'month', label: 'Month' },
  { value: 'year', label: 'Year' },
];
const MEASURES = [
  { value: 'count', label: 'Number of records' },
  { value: 'sum', label: 'Sum' },
  { value: 'average', label: 'Average' },
  { value: 'median', label: 'Median' },
  { value: 'least', label: 'Least' },
  { value: 'most', label: 'Most' },
];
/** Types of columns that a measure computes with; all for `count`. */
const MEASURE_TYPES: Readonly<Record<string, readonly string[]>> = {
  sum: NUMBER_TYPES,
  average: NUMBER_TYPES,
  median: NUMBER_TYPES,
  least: [...NUMBER_TYPES, 'time'],
  most: [...NUMBER_TYPES, 'time'],
};

/** Returns what a kind of template begins with. @param names columns of the entity */
function initialMembers(kind: string, names: readonly string[]): Record<string, unknown> {
  const [first = ''] = names;
  if (kind === 'rows') return { columns: names.slice(0, 6), orderBy: [{ by: first }] };
  if (kind === 'groups')
    return {
      by: first,
      measures: [{ name: 'count', of: 'count' }],
      orderBy: [{ by: 'count', descending: true }],
    };
  return {};
}

interface TemplatePartProps {
  entity: Path;
  template: Path;
}

function OrderRows({ template, options }: { template: Path; options: { value: string; label: string }[] }) {
  return (
    <ItemRows
      path={[...template, 'orderBy']}
      title="Order"
      label="Order"
      newItem={{ by: options[0]?.value ?? '' }}
      nameOf={(item) => textAt(item, ['by'])}
    >
      {(at) => (
        <>
          <ChoiceValue path={[...at, 'by']} label="By" options={options} />
          <div className="flex items-end pb-1.5">
            <SwitchValue path={[...at, 'descending']} label="Greatest first" initial={false} />
          </div>
        </>
      )}
    </ItemRows>
  );
}

function ConditionRows({ entity, template }: TemplatePartProps) {
  const { document } = useDocumentForm();
  const [first] = columnOptions(document, entity);
  return (
    <ItemRows
      path={[...template, 'where']}
      title="Conditions"
      hint="Only records that meet all of them."
      label="Condition"
      newItem={{ column: first?.value ?? '', is: 'set' }}
      nameOf={(item) => textAt(item, ['column'])}
    >
      {(at) => <ConditionFields entity={entity} path={at} />}
    </ItemRows>
  );
}

function MeasureRows({ entity, template }: TemplatePartProps) {
  const { document, edit } = useDocumentForm();
  const at: Path = [...template, 'measures'];
  const names = listAt(document, at).map((measure) => textAt(measure, ['name']));
  return (
    <ItemRows
      path={at}
      title="Measures"
      hint="What is computed of each group."
      label="Measure"
      newItem={{ name: freeName('count', names), of: 'count' }}
      nameOf={(item) => textAt(item, ['name'])}
    >
      {(measure, item, index) => {
        const of = textAt(item, ['of']);
        return (
          <>
            <NameField
              label="Name"
              name={textAt(item, ['name'])}
              taken={names}
              path={[...measure, 'name']}
              onRename={(next) => edit([], renameMeasure(document, template, index, next))}
            />
            <ChoiceValue path={[...measure, 'of']} label="Computes" options={MEASURES} />
            <ChoiceValue
              path={[...measure, 'column']}
              label="Of the column"
              {...((of === 'count' || item.column === undefined) && {
                none: of === 'count' ? 'All records' : 'Choose',
              })}
              options={columnOptions(document, entity, MEASURE_TYPES[of])}
            />
          </>
        );
      }}
    </ItemRows>
  );
}

function TemplateFields({ entity, template }: TemplatePartProps) {
  const { document, edit } = useDocumentForm();
  const { keep, kept } = useMemory(template);
  const item = membersAt(document, template);
  const kind = textAt(item, ['kind']);
  const columns = columnOptions(document, entity);
  const by = textAt(item, ['by']);
  const measures = listAt(item, ['measures']).map((measure) => textAt(measure, ['name']));

  function choose(next: string) {
    keep(kind);
    const { key, title, description, where } = item;
    const names = columns.map(({ value }) => value);
    edit(template, {
      ...(where !== undefined && next !== 'records' && { where }),
      ...(kept(next) ?? initialMembers(next, names)),
      key,
      kind: next,
      title,
      description,
    });
  }

  return (
    <>
      <TextValue path={[...template, 'title']} label="Title" required />
      <TextValue path={[...template, 'key']} label="Key" required isCode />
      <TextValue path={[...template, 'description']} label="Description" required />
      <ChoiceValue path={[...template, 'kind']} label="Shows" options={TEMPLATE_KINDS} onChoose={choose} />
      {kind === 'groups' && (
        <>
          <ChoiceValue path={[...template, 'by']} label="One row for each" options={columns} />
          {(valueAt(document, [...entity, 'columns', by, 'type']) === 'time' || item.per !== undefined) && (
            <ChoiceValue path={[...template, 'per']} label="Grouped by" none="Instant" options={PERIODS} />
          )}
        </>
      )}
      {(kind === 'rows' || kind === 'groups') && (
        <div className="col-span-full flex flex-col gap-4">
          {kind === 'rows' && (
            <WordsValue
              path={[...template, 'columns']}
              label="Columns"
              hint="Names of columns in their order, separated by spaces."
            />
          )}
          <ConditionRows entity={entity} template={template} />
          {kind === 'groups' && <MeasureRows entity={entity} template={template} />}
          <OrderRows
            template={template}
            options={kind === 'rows' ? columns : [by, ...measures].map((value) => ({ value, label: value }))}
          />
        </div>
      )}
    </>
  );
}

/** The templates of an entity, each folded. @param path of the entity */
export function TemplateRows({ path }: { path: Path }) {
  const { document } = useDocumentForm();
  const names = columnOptions(document, path).map(({ value }) => value);
  return (
    <ItemRows
      path={[...path, 'templates']}
      title="Templates"
      hint="Ready questions about the records."
      label="Template"
      newItem={{
        key: freeKey(`${textAt(document, [...path, 'id'])}-rows`, templateKeys(document)),
        kind: 'rows',
        title: 'New template',
        description: 'Chosen columns, the newest first.',
        ...initialMembers('rows', names),
      }}
      nameOf={(item) => textAt(item, ['title'])}
      noteOf={noteOf}
    >
      {(template) => <TemplateFields entity={path} template={template} />}
    </ItemRows>
  );
}

/** Says what a template shows, in a few words. */
function noteOf(template: Record<string, unknown>): string {
  const kind = textAt(template, ['kind']);
  const title = TEMPLATE_KINDS.find(({ value }) => value === kind)?.label ?? 'Unknown kind';
  if (kind === 'groups') return `${title} by ${textAt(template, ['by'])}`;
  const names = listAt(template, ['columns']).filter((name) => typeof name === 'string');
  return names.length === 0 ? title : `${title}: ${names.join(', ')}`;
}
