import type { Template } from '../../api/models.ts';
import { classNames } from '../../ui/class-names.ts';
import { ListSearchBox, useListSearch } from '../../ui/list-search.tsx';

interface TemplateListProps {
  templates: readonly Template[];
  selected: string;
  /** Whether a long list has a search box. */
  hasSearch?: boolean;
  onSelect: (template: Template) => void;
}

/** The templates of an entity; one can be selected. */
export function TemplateList({ templates, selected, hasSearch = true, onSelect }: TemplateListProps) {
  const { shown, box } = useListSearch(templates, ({ title, description }) => `${title} ${description}`);
  return (
    <div className="flex flex-col">
      {box && hasSearch && (
        <div className="sticky top-0 z-10 border-b bg-surface p-2">
          <ListSearchBox label="Search templates" box={box} />
        </div>
      )}
      <ul aria-label="Templates" className="flex flex-col gap-0.5 p-2">
        {shown.map((template) => (
          <li key={template.id}>
            <button
              type="button"
              aria-pressed={template.templateKey === selected}
              onClick={() => onSelect(template)}
              className={classNames(
                'flex w-full flex-col rounded-sm px-3 py-2 text-left transition-colors duration-100',
                template.templateKey === selected ? 'bg-accent-soft' : 'hover:bg-hover',
              )}
            >
              <span
                className={classNames(
                  'text-13 font-medium',
                  template.templateKey === selected ? 'text-accent-text' : 'text-ink',
                )}
              >
                {template.title}
              </span>
              <span title={template.description} className="line-clamp-1 text-12 text-ink-3">
                {template.description}
              </span>
            </button>
          </li>
        ))}
        {shown.length === 0 && (
          <li className="px-3 py-2 text-13 text-ink-3">No template matches the search.</li>
        )}
      </ul>
    </div>
  );
}
