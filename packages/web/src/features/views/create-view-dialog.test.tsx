import { fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { renderAs, serve } from '../../../test-support/render.tsx';
import { WIRE_TEMPLATE } from '../../../test-support/template.ts';
import { VIEW, WIRE_VIEW } from '../../../test-support/view.ts';
import { CreateViewDialog } from './create-view-dialog.tsx';

const save = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Save' });
const type = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });

/** Opens the dialog with one view to build on. Saving returns `saved`. */
function show(saved: { status?: number; body: unknown }, selected = undefined as typeof VIEW | undefined) {
  const calls = serve(({ method }) => (method === 'GET' ? { body: [WIRE_VIEW] } : saved));
  return { calls, ...open(selected) };
}

function open(selected: typeof VIEW | undefined) {
  const onCreated = vi.fn();
  renderAs(
    { mayChange: true },
    <CreateViewDialog
      provider={{ value: 'google', label: 'Gmail' }}
      entity={{ value: 'gmail-messages', label: 'Messages' }}
      selected={selected}
      renderExpression={({ label, value, onChange, onBlur, error }) => (
        <>
          <input
            aria-label={label}
            value={value}
            onChange={(event) => onChange(event.target.value)}
            onBlur={onBlur}
          />
          <p>{error}</p>
        </>
      )}
      onClose={vi.fn()}
      onCreated={onCreated}
    />,
  );
  return { onCreated };
}

/** Chooses an option of a select, once it has that option. */
async function choose(label: string, option: string): Promise<void> {
  fireEvent.keyDown(await screen.findByRole('combobox', { name: label }), { key: 'ArrowDown' });
  fireEvent.click(await screen.findByRole('option', { name: option }));
}

function fill(): void {
  type('Title', 'Built on mine');
  type('Description', 'What it is');
  type('Query', '$count($)');
}

describe('CreateViewDialog', () => {
  // @covers 5.new-view-provider 5.new-view-limits
  it('has read-only provider and entity, and limits the length of its texts', async () => {
    show({ body: {} });
    for (const [label, value] of [
      ['Provider', 'Gmail'],
      ['Entity', 'Messages'],
    ] as const) {
      expect(screen.getByLabelText(label)).toHaveProperty('value', value);
      expect(screen.getByLabelText(label)).toHaveProperty('readOnly', true);
    }
    expect(save().disabled).toBe(true);
    expect(screen.getByLabelText('Description')).toHaveProperty('maxLength', 500);
    for (const [label, limit] of [
      ['Title', 50],
      ['Description', 300],
      ['Query', 1500],
    ] as const) {
      type(label, 'x'.repeat(limit + 1));
      fireEvent.blur(screen.getByLabelText(label));
      expect(await screen.findByText(`Must be ${limit} characters or less`)).toBeTruthy();
    }
    expect(save().disabled).toBe(true);
  });

  // @covers 5.new-view-based 7.saved-query-view 8.view-created-successfully
  it('requires Based On, then creates the view and selects it', async () => {
    const { calls, onCreated } = show({ status: 201, body: { ...WIRE_VIEW, _id: 'new', basedOn: 'v' } });
    const base = screen.getByRole('combobox', { name: 'Based On' });
    await waitFor(() => expect(calls).toHaveLength(1));
    fill();
    fireEvent.blur(screen.getByLabelText('Query'));
    await waitFor(() => expect(screen.getByLabelText('Query')).toHaveProperty('value', '$count($)'));
    expect(save().disabled).toBe(true);
    fireEvent.keyDown(base, { key: 'ArrowDown' });
    fireEvent.click(await screen.findByRole('option', { name: 'Mine' }));
    await waitFor(() => expect(save().disabled).toBe(false));

    fireEvent.click(save());
    expect(await screen.findByText('View was created successfully')).toBeTruthy();
    expect(calls.find(({ method }) => method === 'POST')?.body).toEqual({
      title: 'Built on mine',
      description: 'What it is',
      jsonNataQuery: '$count($)',
      templateKey: '',
      category: '',
      basedOn: 'v',
      providerId: 'google',
      entityLabel: 'gmail-messages',
    });
    expect(onCreated).toHaveBeenCalledWith(expect.objectContaining({ id: 'new' }));
  });

  // @covers 8.view-creation-unsuccessful
  it('offers the selected view as the base, and reports a failure', async () => {
    const { onCreated } = show({ status: 500, body: {} }, VIEW);
    expect(screen.getByText('Mine')).toBeTruthy();
    fill();
    await waitFor(() => expect(save().disabled).toBe(false));
    fireEvent.click(save());
    expect(await screen.findByText('View creation was unsuccessful')).toBeTruthy();
    expect(onCreated).not.toHaveBeenCalled();
  });

  it('adds a source of another entity, which the query reads by its name', async () => {
    const entities = [{ id: 'gh-pulls', title: 'Pull requests' }];
    const texts = { _id: 'p', key: 'github', title: 'GitHub', description: '' };
    const provider = { ...texts, entities, isBlocked: true, connection: null, accounts: [] };
    const calls = serve(({ method, url }) => {
      if (method !== 'GET') return { status: 201, body: { ...WIRE_VIEW, _id: 'new', basedOn: 'v' } };
      if (url.includes('/providers')) return { body: [provider] };
      if (url.includes('/templates'))
        return { body: [{ ...WIRE_TEMPLATE, templateKey: 'pulls-all', title: 'All' }] };
      return { body: [WIRE_VIEW] };
    });
    open(VIEW);
    fill();
    fireEvent.click(screen.getByRole('button', { name: 'Add source' }));
    await choose('Entity', 'Pull requests · GitHub');
    expect(screen.getAllByLabelText(/^Name/).map((box) => (box as HTMLInputElement).value)).toEqual([
      'messages',
      'pulls',
    ]);
    expect(save().disabled).toBe(true);
    await choose('Source', 'All');
    await waitFor(() => expect(save().disabled).toBe(false));
    fireEvent.click(save());
    await waitFor(() => expect(calls.some(({ method }) => method === 'POST')).toBe(true));
    expect(calls.find(({ method }) => method === 'POST')?.body).toMatchObject({
      basedOn: 'v',
      bases: [
        { name: 'messages', entityLabel: 'gmail-messages', basedOn: 'v' },
        { name: 'pulls', providerId: 'github', entityLabel: 'gh-pulls', templateKey: 'pulls-all' },
      ],
    });
  });
});
