import type { Template } from '@datadeck/contract';
import { useState } from 'react';
import { classNames } from '../../ui/class-names.ts';
import { CONTROL } from '../../ui/text-field.tsx';

/** Entries from which a list gets a search box. */
const SEARCH_FROM = 6;

interface TemplateListProps {
  templates: readonly Template[];
  selected: string;
  onSelect: (template: Template) => void;
}

/** The templates of an entity, one of which can be selected. */
export function TemplateList({ templates, selected, onSelect }: TemplateListProps) {
  const [search, setSearch] = useState('');
  const wanted = search.trim().toLowerCase();
  const shown = templates.filter(({ title, description }) =>
    `${title} ${description}`.toLowerCase().includes(wanted),
  );
  return (
    <div className="flex flex-col">
      {templates.length >= SEARCH_FROM && (
        <div className="border-b p-2">
          <input
            type="search"
            aria-label="Search templates"
            placeholder="Search templates"
            value={search}
            onChange={(event) => setSearch(event.target.value)}
            className={classNames(CONTROL, 'h-8')}
          />
        </div>
      )}
      <ul aria-label="Templates" className="flex flex-col gap-0.5 p-2">
        {shown.map((template) => (
          <li key={template._id}>
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
              <span className="line-clamp-1 text-12 text-ink-3">{template.description}</span>
            </button>
          </li>
        ))}
        {shown.length === 0 && <li className="px-3 py-2 text-13 text-ink-3">No template matches.</li>}
      </ul>
    </div>
  );
}
