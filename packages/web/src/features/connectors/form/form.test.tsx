import { fireEvent, screen, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { DOCUMENT, detail, openConnectors } from '../../../../test-support/connectors.tsx';
import type { DocumentEditorProps } from '../document/document-editor.tsx';

vi.mock('../document/document-editor.tsx', () => ({
  default: ({ text }: DocumentEditorProps) => <textarea aria-label="Document" readOnly value={text} />,
}));

type Entity = Record<string, unknown>;
type Document = Record<string, unknown> & { entities: Entity[] };

const read = () => JSON.parse(screen.getByLabelText<HTMLTextAreaElement>('Document').value) as Document;
const entity = (index = 0) => read().entities[index] ?? {};
const box = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
const enter = (label: string, value: string) => fireEvent.change(box(label), { target: { value } });
const rename = (label: string, value: string) => {
  enter(label, value);
  fireEvent.blur(box(label));
};

async function show(document: unknown = DOCUMENT) {
  openConnectors('/desk', {
    'GET /desk': { body: { ...detail, document: JSON.stringify(document, null, 2) } },
  });
  await screen.findByLabelText('Document');
}

const withEntity = (changes: Entity) => ({
  ...DOCUMENT,
  entities: [{ ...DOCUMENT.entities[0], ...changes }],
});

describe('secrets beside the first one', () => {
  it('are fields of the form that the authentication names, also after they are renamed', async () => {
    await show();
    enter('Authentication', 'refresh-token');
    const { authentication, connect } = read();
    expect(authentication).toMatchObject({ client: 'client', clientSecret: 'clientSecret' });
    expect(connect).toMatchObject({
      fields: [{ name: 'client' }, { name: 'clientSecret', hidden: true }],
    });
    const field = within(screen.getByRole('group', { name: 'Field clientSecret' }));
    fireEvent.change(field.getByLabelText('Name'), { target: { value: 'word' } });
    fireEvent.blur(field.getByLabelText('Name'));
    expect(read().authentication).toMatchObject({ clientSecret: 'word' });
    fireEvent.click(
      within(screen.getByRole('group', { name: 'Field word' })).getByRole('switch', { name: /^Secret/ }),
    );
    expect(read()).not.toHaveProperty('connect.fields.1.hidden');
  });

  it('are further keys of an API key, and go with it', async () => {
    await show();
    enter('Authentication', 'api-key');
    fireEvent.click(screen.getByRole('button', { name: 'Add key' }));
    fireEvent.click(screen.getAllByRole('button', { name: 'Add field', hidden: true })[0] as HTMLElement);
    const name = within(screen.getByRole('group', { name: 'Field site' })).getByLabelText('Name');
    fireEvent.change(name, { target: { value: 'appKey' } });
    fireEvent.blur(name);
    const field = within(screen.getByRole('group', { name: 'Field appKey' }));
    fireEvent.click(field.getByRole('switch', { name: /^Secret/ }));
    expect(read()).toMatchObject({
      authentication: { others: [{ in: 'header', name: 'X-App-Key', field: 'appKey' }] },
      connect: { fields: [{ name: 'appKey', hidden: true }] },
    });
    enter('Authentication', 'bearer');
    expect(read()).not.toHaveProperty('connect.fields');
  });
});

describe('choices that are left', () => {
  it.each([
    'none',
    'bearer',
    'api-key',
    'basic',
    'oauth-code',
    'session-token',
    'client-credentials',
    'refresh-token',
  ])('have what was entered for the sign-in of basic after %s', async (other) => {
    await show();
    enter('Authentication', 'basic');
    const field = within(screen.getByRole('group', { name: 'Field user' })).getByLabelText('Name');
    fireEvent.change(field, { target: { value: 'login' } });
    fireEvent.blur(field);
    enter('Label of the secret', 'Passphrase');
    const { authentication, connect } = read();
    expect(authentication).toEqual({ kind: 'basic', user: 'login' });
    enter('Authentication', other);
    enter('Authentication', 'basic');
    expect(read()).toMatchObject({ authentication, connect });
    expect(read()).not.toHaveProperty('identity');
  });

  it('have no user for a secret that is sent as the user', async () => {
    await show();
    enter('Authentication', 'basic');
    enter('Field with the user', '');
    expect(read().authentication).toEqual({ kind: 'basic' });
    enter('Authentication', 'none');
    enter('Authentication', 'basic');
    expect(read().authentication).toEqual({ kind: 'basic' });
  });

  it.each(['', 'page', 'offset', 'cursor', 'link', 'address'])(
    'have what was entered for pages by cursor after %j',
    async (other) => {
      await show();
      enter('Pagination', 'cursor');
      enter('Parameter of the page', 'after');
      enter('Next cursor', 'response.meta.after');
      const { pagination } = entity();
      enter('Pagination', other);
      enter('Pagination', 'cursor');
      expect(entity().pagination).toEqual(pagination);
    },
  );

  it('have the parameter of incremental runs, also after everything was read in each run', async () => {
    const incremental = {
      column: 'at',
      parameter: { in: 'query', name: 'since', value: 'cursor' },
      lookBack: 5,
    };
    await show(withEntity({ columns: { at: { type: 'time', value: 'record.at' } }, incremental }));
    enter('Asks for changes', '');
    expect(entity().incremental).not.toHaveProperty('parameter');
    enter('Asks for changes', 'query');
    expect(entity().incremental).toEqual(incremental);
    enter('Later runs read what changed by', '');
    expect(entity()).not.toHaveProperty('incremental');
    enter('Later runs read what changed by', 'at');
    expect(entity().incremental).toEqual(incremental);
  });

  it('are not those of another entity that moves to the position of a removed one', async () => {
    const [first] = DOCUMENT.entities;
    const pagination = { kind: 'cursor', in: 'body', parameter: 'mine', next: 'response.mine' };
    await show({
      ...DOCUMENT,
      entities: [
        { ...first, pagination },
        { ...first, id: 'desk-b', title: 'B' },
      ],
    });
    for (const section of document.querySelectorAll('details')) section.open = true;
    await vi.waitFor(() => expect(screen.getAllByLabelText('Pagination')).toHaveLength(2));
    const [paging] = screen.getAllByLabelText('Pagination');
    if (paging) fireEvent.change(paging, { target: { value: 'link' } });
    const [remove] = screen.getAllByRole('button', { name: 'Remove entity', hidden: true });
    if (remove) fireEvent.click(remove);
    fireEvent.click(await screen.findByRole('button', { name: 'Confirm' }));
    await vi.waitFor(() => expect(read().entities).toHaveLength(1));
    enter('Pagination', 'cursor');
    expect(entity().pagination).toMatchObject({ parameter: 'cursor' });
  });
});

describe('expressions', () => {
  it('keep their line breaks', async () => {
    const lines = 'response.items[\n  state = "open"\n]';
    await show(withEntity({ records: lines, columns: { subject: { type: 'text', value: lines } } }));
    for (const label of ['Records', 'Column subject: expression']) {
      expect(box(label).value).toBe(lines);
      enter(label, `${box(label).value}.x`);
    }
    expect(entity()).toMatchObject({ records: `${lines}.x`, columns: { subject: { value: `${lines}.x` } } });
    expect(box('Records').getAttribute('rows')).toBe('3');
  });

  it('keep the line breaks of a text that has one line as a rule', async () => {
    await show(withEntity({ description: 'One\nTwo' }));
    const [, description] = screen.getAllByLabelText<HTMLTextAreaElement>('Description');
    expect(description?.value).toBe('One\nTwo');
  });
});

describe('sentences above the connect form', () => {
  it('are lines of one box, and none moves into the place of another', async () => {
    await show({ ...DOCUMENT, connect: { ...DOCUMENT.connect, intro: ['One.', 'Two.'] } });
    const label = 'How to get access';
    expect(box(label).value).toBe('One.\nTwo.');
    enter(label, 'One.\nTwo.\n');
    expect(box(label).value).toBe('One.\nTwo.\n');
    enter(label, 'One.\nTwo.\nThree.');
    expect(read().connect).toMatchObject({ intro: ['One.', 'Two.', 'Three.'] });
    enter(label, '');
    expect(read().connect).not.toHaveProperty('intro');
  });
});

describe('names', () => {
  it('are changed where the document refers to them', async () => {
    await show();
    rename('Column subject: name', 'topic');
    expect(entity()).toMatchObject({ titleColumn: 'topic', columns: { topic: { type: 'text' } } });
    rename('Id', 'desk-cases');
    expect(entity().id).toBe('desk-cases');
  });

  it('say in which expressions they are left, until these are corrected', async () => {
    await show(withEntity({ request: { path: '/queues/{settings.queue}' } }));
    fireEvent.click(screen.getByText('Settings'));
    const [, name] = screen.getAllByLabelText<HTMLInputElement>('Name');
    const field = within(screen.getByRole('group', { name: 'Field queue' })).getByLabelText('Name');
    expect(name === undefined).toBe(true);
    fireEvent.change(field, { target: { value: 'team' } });
    fireEvent.blur(field);
    const sentence = /Expressions still use settings\.queue\. Change it in entities\.0\.request\.path\./;
    expect(screen.getByText(sentence)).toBeTruthy();
    enter('Path', '/queues/{settings.team}');
    expect(screen.queryByText(sentence)).toBeNull();
  });
});

describe('templates', () => {
  const columns = {
    state: { type: 'text', value: 'record.state' },
    points: { type: 'integer', value: 'record.points' },
    closed_at: { type: 'time', value: 'record.closed_at' },
  };
  const template = () => (entity().templates as Entity[])[1] ?? {};
  const press = (name: string) => fireEvent.click(screen.getByRole('button', { name, hidden: true }));
  const group = (name: string) => within(screen.getByRole('group', { name, hidden: true }));
  const choose = (part: string, label: string, value: string) =>
    fireEvent.change(group(part).getByLabelText(label), { target: { value } });

  it('are made of groups, conditions and measures in the form', async () => {
    await show(withEntity({ columns, titleColumn: 'state' }));
    press('Add template');
    const one = screen.getAllByRole('group', { name: 'Template New template', hidden: true })[0];
    expect(one).toBeTruthy();
    choose('Template New template', 'Shows', 'groups');
    choose('Template New template', 'One row for each', 'closed_at');
    choose('Template New template', 'Grouped by', 'month');
    press('Add condition');
    choose('Condition state', 'Column', 'closed_at');
    choose('Condition closed_at', 'Condition', 'within-days');
    choose('Condition closed_at', 'Value', '90');
    press('Add measure');
    choose('Measure count2', 'Computes', 'sum');
    choose('Measure count2', 'Of the column', 'points');
    fireEvent.click(screen.getByRole('switch', { name: 'Greatest first', hidden: true }));
    expect(template()).toEqual({
      key: 'desk-tickets-rows',
      kind: 'groups',
      title: 'New template',
      description: 'Chosen columns, the newest first.',
      by: 'closed_at',
      per: 'month',
      where: [{ column: 'closed_at', is: 'within-days', value: 90 }],
      measures: [
        { name: 'count', of: 'count' },
        { name: 'count2', of: 'sum', column: 'points' },
      ],
      orderBy: [{ by: 'count' }],
    });
    choose('Template New template', 'Shows', 'rows');
    expect(template()).toMatchObject({
      columns: ['state', 'points', 'closed_at'],
      where: [{ column: 'closed_at' }],
    });
    choose('Template New template', 'Shows', 'groups');
    expect(template()).toMatchObject({ per: 'month', measures: [{}, { column: 'points' }] });
  });

  it('compare with a value of the type of the column', async () => {
    await show(withEntity({ columns, titleColumn: 'state' }));
    press('Add template');
    press('Add condition');
    choose('Condition state', 'Condition', 'equal');
    choose('Condition state', 'Value', '5');
    expect(template().where).toEqual([{ column: 'state', is: 'equal', value: '5' }]);
    choose('Condition state', 'Column', 'points');
    choose('Condition points', 'Value', '1.0');
    choose('Condition points', 'Value', '1.05');
    expect(template().where).toEqual([{ column: 'points', is: 'equal', value: 1.05 }]);
    choose('Condition points', 'Condition', 'unset');
    expect(template().where).toEqual([{ column: 'points', is: 'unset' }]);
  });
});
