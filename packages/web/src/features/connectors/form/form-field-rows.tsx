import { listAt, type Path, textAt } from '../document/document-text.ts';
import { freeName, renameConnectField } from '../document/rename.ts';
import { useDocumentForm } from './form-context.ts';
import { NameField } from './name-field.tsx';
import { ItemRows } from './rows.tsx';
import { SwitchValue, TextValue } from './values.tsx';

interface FormFieldRowsProps {
  path: Path;
  title: string;
  hint: string;
  newField: { name: string; label: string; required?: boolean };
  /** Where expressions may name a field. */
  usedAs: readonly { within: Path; prefix: string }[];
}

/** Fields that people fill in: of the connect form, or settings of an entity. */
export function FormFieldRows({ path, title, hint, newField, usedAs }: FormFieldRowsProps) {
  const { document, edit } = useDocumentForm();
  const names = listAt(document, path).map((field) => textAt(field, ['name']));
  return (
    <ItemRows
      path={path}
      title={title}
      hint={hint}
      label="Field"
      newItem={{ ...newField, name: freeName(newField.name, names) }}
      nameOf={(item) => textAt(item, ['name'])}
    >
      {(at, item) => (
        <>
          <TextValue path={[...at, 'label']} label="Label" required />
          <NameField
            label="Name"
            name={textAt(item, ['name'])}
            taken={names}
            path={[...at, 'name']}
            usedAs={usedAs}
            onRename={(next) =>
              path[0] === 'connect'
                ? edit([], renameConnectField(document, at, next))
                : edit([...at, 'name'], next)
            }
          />
          <TextValue path={[...at, 'tip']} label="Help" />
          <TextValue path={[...at, 'placeholder']} label="Example" />
          <TextValue path={[...at, 'pattern']} label="Pattern" isCode />
          <TextValue path={[...at, 'errorText']} label="Message when it does not match" />
          <SwitchValue path={[...at, 'required']} label="Required" initial={true} />
          {path[0] === 'connect' && (
            <SwitchValue
              path={[...at, 'hidden']}
              label="Secret, for the authentication only"
              initial={false}
            />
          )}
        </>
      )}
    </ItemRows>
  );
}
