import type { ConnectField } from '@datadeck/contract';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { ACCOUNT, PROVIDER } from '../../../test-support/objects.ts';
import { renderAs, serve } from '../../../test-support/render.tsx';
import { leaveFor } from '../../api/leave.ts';
import type { Provider } from '../../api/models.ts';
import { ConnectDialog } from './connect-dialog.tsx';
import { ProviderCard } from './provider-card.tsx';

vi.mock('../../api/leave.ts');

const field: ConnectField = {
  name: 'host',
  label: 'Server',
  type: 'text',
  required: true,
  defaultValue: '',
  pattern: '[a-z.]+',
  placeholder: '',
  errorText: 'Please enter a valid server',
  tip: '',
  options: [],
};
const provider: Provider = {
  ...PROVIDER,
  key: 'store',
  title: 'Store',
  form: {
    action: 'Enter a password',
    replaceAction: 'Change password',
    intro: [],
    links: [],
    presetLabel: '',
    presets: [],
    leftBehind: null,
    fields: [
      field,
      { ...field, name: 'password', label: 'Password', type: 'password', pattern: '', errorText: '' },
    ],
  },
};

const box = (label: string) => screen.getByLabelText(label);
const submit = () => screen.getByRole('button', { name: 'Connect' });

function openDialog() {
  renderAs({ mayChange: true }, <ProviderCard provider={provider} isSignInProvider={false} />);
  fireEvent.click(screen.getByRole('button', { name: 'Connect Store' }));
}

function type(label: string, value: string) {
  fireEvent.change(box(label), { target: { value } });
  fireEvent.blur(box(label));
}

describe('ConnectDialog', () => {
  it('validates its fields and sends their values instead of leaving the page', async () => {
    const calls = serve(() => ({ body: { ok: true, account: 'ada', isKnown: false } }));
    openDialog();
    expect(leaveFor).not.toHaveBeenCalled();
    expect(submit()).toHaveProperty('disabled', true);
    expect(box('Password')).toHaveProperty('type', 'password');

    type('Server', 'NOT A HOST');
    expect(await screen.findByText('Please enter a valid server')).toBeTruthy();

    type('Server', ' mail.example.org ');
    type('Password', ' se cret ');
    await waitFor(() => expect(submit()).toHaveProperty('disabled', false));
    fireEvent.click(submit());
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());

    expect(calls[0]).toEqual({
      method: 'POST',
      url: '/api/integrations/connections/store',
      body: { values: { host: 'mail.example.org', password: ' se cret ' } },
    });
  });

  it("shows the server's error at its field, and keeps the typed values", async () => {
    const fields = { password: 'The server refused the user name or the password.' };
    serve(() => ({
      status: 422,
      body: { error: { code: 'validation-failed', message: fields.password, fields } },
    }));
    openDialog();
    type('Server', 'mail.example.org');
    type('Password', 'wrong');
    await waitFor(() => expect(submit()).toHaveProperty('disabled', false));
    fireEvent.click(submit());
    expect(await screen.findByText(fields.password)).toBeTruthy();
    expect(box('Password').getAttribute('aria-invalid')).toBe('true');
    expect(box('Server')).toHaveProperty('value', 'mail.example.org');
    expect(submit(), 'it may be tried again').toHaveProperty('disabled', false);
  });

  it('shows an error that belongs to no field', async () => {
    const message = 'The server could not be reached. Try again later.';
    serve(() => ({ status: 502, body: { error: { code: 'provider-unavailable', message } } }));
    openDialog();
    type('Server', 'mail.example.org');
    type('Password', 'right');
    await waitFor(() => expect(submit()).toHaveProperty('disabled', false));
    fireEvent.click(submit());
    expect((await screen.findByRole('alert')).textContent).toBe(message);
  });

  it('fills in the fields of a chosen preset, and shows its note and link', async () => {
    const preset = {
      label: 'Postbox',
      values: { host: 'mail.postbox.example' },
      note: 'It needs an app password.',
      link: { label: 'Create an app password', url: 'https://postbox.example/passwords' },
    };
    const form = provider.form && { ...provider.form, presetLabel: 'Mail provider', presets: [preset] };
    renderAs(
      { mayChange: true },
      <ProviderCard provider={{ ...provider, ...(form && { form }) }} isSignInProvider={false} />,
    );
    fireEvent.click(screen.getByRole('button', { name: 'Connect Store' }));
    fireEvent.keyDown(await screen.findByLabelText('Mail provider'), { key: 'ArrowDown' });
    fireEvent.click(await screen.findByRole('option', { name: 'Postbox' }));
    expect(box('Server')).toHaveProperty('value', 'mail.postbox.example');
    expect(screen.getByText(/It needs an app password/)).toBeTruthy();
    expect(screen.getByRole('link', { name: 'Create an app password' }).getAttribute('href')).toBe(
      'https://postbox.example/passwords',
    );
  });

  it('says that another account was connected already, and starts without the name of the first', async () => {
    serve(() => ({ body: { ok: true, account: 'ada', isKnown: true } }));
    const named = { ...field, name: 'user', label: 'User', pattern: '', defaultValue: 'ada' };
    const form = provider.form && { ...provider.form, fields: [{ ...field, defaultValue: 'a.b' }, named] };
    renderAs(
      { mayChange: true },
      <ConnectDialog
        isAddition
        provider={{ ...provider, accounts: [ACCOUNT], ...(form && { form }) }}
        onClose={() => {}}
      />,
    );
    expect(box('Server')).toHaveProperty('value', 'a.b');
    expect(box('User')).toHaveProperty('value', '');
    type('User', 'Ada');
    await waitFor(() => expect(submit()).toHaveProperty('disabled', false));
    fireEvent.click(submit());
    expect(await screen.findByText('ada is connected already. Its access was renewed.')).toBeTruthy();
  });
});
