import { type Path, textAt } from '../document/document-text.ts';
import { ItemRows } from './rows.tsx';
import { SwitchValue, TextValue } from './values.tsx';

interface FormFieldRowsProps {
  path: Path;
  title: string;
  hint: string;
  newField: { name: string; label: string; required?: boolean };
}

/** Fields that people fill in: of the connect form, or settings of an entity. */
export function FormFieldRows({ path, title, hint, newField }: FormFieldRowsProps) {
  return (
    <ItemRows
      path={path}
      title={title}
      hint={hint}
      label="Field"
      newItem={newField}
      nameOf={(item) => textAt(item, ['name'])}
    >
      {(at) => (
        <>
          <TextValue path={[...at, 'label']} label="Label" required />
          <TextValue path={[...at, 'name']} label="Name" required isCode />
          <TextValue path={[...at, 'tip']} label="Help" />
          <TextValue path={[...at, 'placeholder']} label="Example" />
          <TextValue path={[...at, 'pattern']} label="Pattern" isCode />
          <TextValue path={[...at, 'errorText']} label="Message when it does not match" />
          <SwitchValue path={[...at, 'required']} label="Required" initial={true} />
        </>
      )}
    </ItemRows>
  );
}
