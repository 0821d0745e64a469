import type { Setting, UserEntity } from '@datadeck/contract';
import { fireEvent, screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { ENTITY, SETTING } from '../../../test-support/objects.ts';
import { renderAs } from '../../../test-support/render.tsx';
import { SettingsForm, useSettingsForm } from './settings-form.tsx';

const LABELS: Setting = { ...SETTING, defaultValue: 'INBOX,Label_99' };
const MESSAGES: UserEntity = {
  ...ENTITY,
  dependsOn: [{ entity: 'gmail-labels', provider: 'google', title: 'Labels' }],
  settings: [LABELS],
  usage: { ...ENTITY.usage, allowed: null },
  cap: null,
  valueNames: {
    labelIds: [
      { id: 'INBOX', name: 'INBOX' },
      { id: 'Label_1', name: 'Receipts' },
    ],
  },
};

function Form({ entity, isReadOnly = false }: { entity: UserEntity; isReadOnly?: boolean }) {
  const form = useSettingsForm(entity);
  return (
    <SettingsForm id="f" entity={entity} cap={null} form={form} isReadOnly={isReadOnly} onSubmit={() => {}} />
  );
}
const enteredIds = () => screen.getByLabelText<HTMLInputElement>('Label IDs').value;
const box = (name: string) => screen.getByRole<HTMLInputElement>('checkbox', { name });

describe('choices of a setting', () => {
  it('add and remove ids by name, and keep ids without a name', () => {
    renderAs({ mayChange: true }, <Form entity={MESSAGES} />);
    const group = within(screen.getByRole('group', { name: 'Labels by name' }));
    expect(group.getAllByRole('checkbox')).toHaveLength(2);
    expect(box('INBOX').checked).toBe(true);

    fireEvent.click(box('Receipts'));
    expect(enteredIds()).toBe('INBOX,Label_99,Label_1');
    fireEvent.click(box('INBOX'));
    expect(enteredIds()).toBe('Label_99,Label_1');
    fireEvent.change(screen.getByLabelText('Label IDs'), { target: { value: 'INBOX' } });
    expect([box('INBOX').checked, box('Receipts').checked]).toEqual([true, false]);
  });

  it('cannot be changed in the history, and do not appear without names', () => {
    const { unmount } = renderAs({ mayChange: true }, <Form entity={MESSAGES} isReadOnly />);
    expect(screen.getByRole<HTMLFieldSetElement>('group', { name: 'Labels by name' }).disabled).toBe(true);
    unmount();
    renderAs({ mayChange: true }, <Form entity={{ ...MESSAGES, valueNames: undefined }} />);
    expect(screen.queryByRole('group')).toBeNull();
  });
});
