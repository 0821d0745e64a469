import { fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { renderAs, serve } from '../../../test-support/render.tsx';
import { TEMPLATE } from '../../../test-support/template.ts';
import { WIRE_VIEW } from '../../../test-support/view.ts';
import { SaveAsViewDialog } from './save-as-view-dialog.tsx';

function show(query = '$', mayChange = true) {
  const onClose = vi.fn();
  renderAs(
    { mayChange },
    <SaveAsViewDialog template={TEMPLATE} query={query} providerTitle="Gmail" onClose={onClose} />,
  );
  return onClose;
}
const save = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Save' });
const pause = () => new Promise((resolve) => setTimeout(resolve, 50));

describe('SaveAsViewDialog', () => {
  // @covers 4.save-view-enabled
  it('enables Save until an edit leaves a field empty, and sends no empty form', async () => {
    const calls = serve(() => ({ status: 201, body: WIRE_VIEW }));
    show();
    await pause();
    expect(save().disabled).toBe(false);
    fireEvent.click(save());
    await pause();
    expect(calls).toEqual([]);
    fireEvent.change(screen.getByLabelText('Name'), { target: { value: 'Mine' } });
    await waitFor(() => expect(save().disabled).toBe(true));
    fireEvent.change(screen.getByLabelText('Description'), { target: { value: 'What it is' } });
    await waitFor(() => expect(save().disabled).toBe(false));
  });

  it('keeps Save enabled after a blur without edits, and marks both fields on click', async () => {
    const calls = serve(() => ({ status: 201, body: WIRE_VIEW }));
    show();
    fireEvent.blur(screen.getByLabelText('Name'));
    expect(await screen.findAllByText('Required')).toHaveLength(1);
    expect(save().disabled).toBe(false);
    fireEvent.click(save());
    await waitFor(() => expect(screen.getAllByText('Required')).toHaveLength(2));
    expect(save().disabled).toBe(false);
    expect(calls).toEqual([]);
  });

  it('keeps the focus in the text field when Save is pressed', () => {
    show();
    expect(fireEvent.mouseDown(save())).toBe(false);
  });

  it.each([
    ['an expression', '', TEMPLATE, /write an expression/],
    ['a template', '$', null, /choose a template/],
  ])('says what to do first without %s', (_, query, chosen, words) => {
    renderAs(
      { mayChange: true },
      <SaveAsViewDialog
        template={chosen ?? undefined}
        query={query}
        providerTitle="Gmail"
        onClose={() => {}}
      />,
    );
    expect(screen.getByRole('note').textContent).toMatch(words);
  });

  // @covers 5.save-view-boxes 5.errors-show-touched
  it('shows errors of touched fields only, and limits the length of both fields', async () => {
    show();
    fireEvent.blur(screen.getByLabelText('Description'));
    expect(await screen.findAllByText('Required')).toHaveLength(1);
    expect(screen.getByLabelText('Name')).toHaveProperty('maxLength', 50);
    expect(screen.getByLabelText('Description')).toHaveProperty('maxLength', 300);
  });

  // @covers 7.save-view-templatekey 8.custom-view-created
  it('sends the template without basedOn', async () => {
    const calls = serve(() => ({ status: 201, body: WIRE_VIEW }));

    const onClose = show('$count($)');
    fireEvent.change(screen.getByLabelText('Name'), { target: { value: 'Mine' } });
    fireEvent.change(screen.getByLabelText('Description'), { target: { value: 'What it is' } });
    await waitFor(() => expect(save().disabled).toBe(false));
    fireEvent.click(save());

    expect(await screen.findByText('Custom view created successfully')).toBeTruthy();
    expect(calls[0]).toEqual({
      method: 'POST',
      url: '/api/data/views',
      body: {
        templateKey: 'by-sender',
        providerId: 'google',
        entityLabel: 'gmail-messages',
        jsonNataQuery: '$count($)',
        title: 'Mine',
        description: 'What it is',
      },
    });
    expect(onClose).toHaveBeenCalled();
  });

  // @covers 4.save-view-does
  it('sends nothing without a query', async () => {
    const calls = serve(() => ({ body: WIRE_VIEW }));
    show('');
    fireEvent.change(screen.getByLabelText('Name'), { target: { value: 'Mine' } });
    fireEvent.change(screen.getByLabelText('Description'), { target: { value: 'What it is' } });
    await waitFor(() => expect(save().disabled).toBe(false));
    fireEvent.click(save());
    await pause();
    expect(calls).toEqual([]);
  });

  async function fill() {
    fireEvent.change(screen.getByLabelText('Name'), { target: { value: 'Mine' } });
    fireEvent.change(screen.getByLabelText('Description'), { target: { value: 'What it is' } });
  }

  // @covers 5.save-view-says
  it.each([
    ['has more than 1,500 characters', `$${'x'.repeat(1500)}`, 'Must be 1500 characters or less'],
    ['does not parse', '$count($', /^Expected "\)"/],
    [
      'has an unsupported regular expression',
      '$match("a", /(a)\\1/)',
      /^This regular expression is not supported: /,
    ],
  ])('says at the field that the expression %s, and saves nothing', async (_name, query, message) => {
    const calls = serve(() => ({ status: 201, body: WIRE_VIEW }));
    show(query);
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toMatch(message);
    expect(alert.id).toBe(screen.getByLabelText('Query').getAttribute('aria-describedby'));
    await fill();
    await pause();
    expect(save().disabled).toBe(true);
    fireEvent.submit(save().form as HTMLFormElement);
    await pause();
    expect(calls).toEqual([]);
  });

  it('accepts an expression of 1,500 characters', async () => {
    const calls = serve(() => ({ status: 201, body: WIRE_VIEW }));
    show(`$${'x'.repeat(1499)}`);
    await fill();
    await waitFor(() => expect(save().disabled).toBe(false));
    fireEvent.click(save());
    expect(await screen.findByText('Custom view created successfully')).toBeTruthy();
    expect(calls).toHaveLength(1);
  });

  // @covers 8.creating-view-unsuccessful
  it("shows the server's error about the expression at the field", async () => {
    const error = { code: 'validation-failed', message: 'Wrong.', fields: { jsonNataQuery: 'Too clever' } };
    serve(() => ({ status: 422, body: { error } }));
    show();
    await fill();
    await waitFor(() => expect(save().disabled).toBe(false));
    fireEvent.click(save());
    expect(await screen.findByText('Too clever')).toBeTruthy();
    expect(await screen.findByText('Creating view was unsuccessful')).toBeTruthy();
  });

  // @covers 5.save-view-says
  it('shows why the server refuses a regular expression, and keeps the typed texts', async () => {
    const message = 'This regular expression is not supported: /a+/';
    serve(() => ({ status: 422, body: { error: { code: 'expression-invalid', message } } }));
    const onClose = show('$match("a", /a+/)');
    await fill();
    await waitFor(() => expect(save().disabled).toBe(false));
    fireEvent.click(save());

    const query = screen.getByLabelText('Query');
    await waitFor(() => expect(query.getAttribute('aria-describedby')).not.toBeNull());
    const alert = document.getElementById(query.getAttribute('aria-describedby') ?? '');
    expect(alert?.textContent).toBe(message);
    expect(query.textContent).toBe('$match("a", /a+/)');
    expect(screen.getByLabelText('Name')).toHaveProperty('value', 'Mine');
    expect(screen.getByLabelText('Description')).toHaveProperty('value', 'What it is');
    expect(onClose).not.toHaveBeenCalled();
  });

  it('disables Save on a plan that does not allow changes', () => {
    show('$', false);
    expect(save().disabled).toBe(true);
  });
});
