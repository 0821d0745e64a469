import type { Provider as WireProvider } from '@datadeck/contract';
import { screen } from '@testing-library/react';
import type { ReactNode } from 'react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { provider } from '../../test-support/pages.tsx';
import { renderAs, serve } from '../../test-support/render.tsx';
import { TEMPLATE } from '../../test-support/template.ts';
import { VIEW } from '../../test-support/view.ts';
import { toProvider } from '../api/models.ts';
import { AlertForm } from '../features/alerts/alert-form.tsx';
import { ParameterFields } from '../features/expressions/parameter-fields.tsx';
import { WebhookDialog } from '../features/notifications/webhook-dialog.tsx';
import { SaveQueryDialog } from '../features/queries/save-query-dialog.tsx';
import { NewTokenDialog } from '../features/tokens/new-token-dialog.tsx';
import { CategoryFormDialog } from '../features/views/category-form-dialog.tsx';
import { CreateViewDialog } from '../features/views/create-view-dialog.tsx';
import { SaveAsViewDialog } from '../features/views/save-as-view-dialog.tsx';
import { UpdateViewDialog } from '../features/views/update-view-dialog.tsx';
import { renderExpression } from '../features/views/view-expression.tsx';

const close = () => {};
const PARAMETER = { name: 'since', type: 'date', text: '' } as const;
const { title } = toProvider(provider as WireProvider);
const FORMS: [name: string, form: ReactNode, required: string[]][] = [
  ['Save Query', <SaveQueryDialog key="q" query="$" onClose={close} />, ['Title']],
  ['New Category', <CategoryFormDialog key="c" onClose={close} />, ['Title']],
  [
    'Save as View',
    <SaveAsViewDialog key="s" template={TEMPLATE} query="$" providerTitle={title} onClose={close} />,
    ['Name', 'Description'],
  ],
  [
    'New View',
    <CreateViewDialog
      key="n"
      provider={{ value: 'google', label: title }}
      entity={{ value: 'gmail-messages', label: 'Messages' }}
      selected={VIEW}
      renderExpression={renderExpression}
      onClose={close}
      onCreated={close}
    />,
    ['Based On', 'Title', 'Description', 'Query'],
  ],
  [
    'Update',
    <UpdateViewDialog key="u" view={VIEW} isSearchable renderExpression={renderExpression} onClose={close} />,
    ['Title', 'Description', 'Query'],
  ],
  ['Parameters', <ParameterFields key="p" drafts={[PARAMETER]} onChange={close} />, ['Name']],
  ['Webhook', <WebhookDialog key="w" onClose={close} />, ['Address']],
  [
    'Watch',
    <AlertForm
      key="a"
      id="alert"
      alert={undefined}
      parameters={undefined}
      emailAddress={null}
      failure={undefined}
      onSave={close}
      onDirty={close}
    />,
    ['Notify me when(required)', 'Deliver to(required)'],
  ],
  [
    'New token',
    <NewTokenDialog
      key="t"
      views={[]}
      load={{ isLoading: false, isFetching: false, refetch: close }}
      onClose={close}
    />,
    ['Name'],
  ],
];

/** A worker that never answers: the result of an expression does not matter here. */
class IdleWorker extends EventTarget {
  postMessage(): void {}
  terminate(): void {}
}

beforeEach(() => {
  vi.stubGlobal('Worker', IdleWorker);
});

// @covers 5.required-marks
describe('forms', () => {
  it.each(FORMS)('mark the required fields of %s', async (_, form, required) => {
    serve(({ url }) => ({
      body: url.includes('/webhook')
        ? { url: '', format: 'json', last: null, email: false, emailAddress: null }
        : url.includes('/aggreg')
          ? { results: [], count: 0, isArray: true }
          : [],
    }));
    renderAs({ mayChange: true }, form);
    const marks = await screen.findAllByTitle('Required');
    expect(marks.map((mark) => mark.parentElement?.textContent?.replace('*', ''))).toEqual(required);
  });
});
