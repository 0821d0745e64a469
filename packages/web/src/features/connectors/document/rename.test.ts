import { describe, expect, it } from 'vitest';
import {
  findMentions,
  freeKey,
  freeName,
  renameAddedField,
  renameColumn,
  renameConnectField,
  renameEntity,
  renameKey,
  renameMeasure,
  renameMember,
} from './rename.ts';

describe('names', () => {
  it('renames a member in its position', () => {
    expect(Object.keys(renameMember({ a: 1, b: 2, c: 3 }, 'b', 'd'))).toEqual(['a', 'd', 'c']);
  });

  it('finds a name that is free', () => {
    expect([freeName('a', []), freeName('a', ['a', 'a2'])]).toEqual(['a', 'a3']);
  });

  it('finds a key that is free and at most 31 characters long', () => {
    const long = `${'x'.repeat(26)}-items`;
    const first = freeKey(long, []);
    const second = freeKey(long, [first]);
    expect([first, second]).toEqual([`${'x'.repeat(26)}-item`, `${'x'.repeat(26)}-it-2`]);
    expect(freeKey(`${'x'.repeat(30)}-all`, [])).toBe('x'.repeat(30));
  });
});

describe('renameKey', () => {
  it('renames the key, and the ids and template keys that begin with it', () => {
    const text = JSON.stringify({
      key: 'todo',
      entities: [
        {
          id: 'todo-tasks',
          parent: 'todo-projects',
          templates: [{ key: 'todo-tasks-all', title: 'todo-x' }],
        },
        { id: 'other' },
      ],
    });
    expect(JSON.parse(renameKey(text, 'mine'))).toEqual({
      key: 'mine',
      entities: [
        {
          id: 'mine-tasks',
          parent: 'mine-projects',
          templates: [{ key: 'mine-tasks-all', title: 'todo-x' }],
        },
        { id: 'other' },
      ],
    });
  });

  it('keeps long keys unique within 31 characters, and parents with their entities', () => {
    const entity = (id: string, parent?: string) => ({
      id,
      parent,
      templates: [{ key: `${id}-newest-first` }, { key: `${id}-newest-last` }],
    });
    const entities = [
      entity('my-gitlab-merge-requests'),
      entity('my-gitlab-merge-trains', 'my-gitlab-merge-requests'),
    ];
    const key = 'our-own-gitlab-of-berlin-x';
    const renamed = JSON.parse(renameKey(JSON.stringify({ key: 'my-gitlab', entities }), key)) as {
      entities: typeof entities;
    };
    const ids = renamed.entities.map(({ id }) => id);
    const templates = renamed.entities.flatMap((one) => one.templates.map((template) => template.key));
    expect(renamed.entities[1]?.parent).toBe(ids[0]);
    for (const names of [ids, templates]) {
      expect(new Set(names).size).toBe(names.length);
      for (const name of names) expect(name).toMatch(/^our-own-gitlab-of-berlin-x-[a-z0-9-]{0,4}$/);
    }
  });
});

const COLUMNS = { type: 'text', value: 'record.x' };
const document = {
  authentication: { kind: 'basic', user: 'user' },
  connect: { fields: [{ name: 'user' }, { name: 'site' }] },
  baseUrl: 'https://{config.site}.example.com',
  entities: [
    {
      id: 'desk-tickets',
      sortedBy: 'x',
      titleColumn: 'x',
      incremental: { column: 'x', lookBack: 0 },
      add: { x: 'parent.x' },
      date: 'record.x.at',
      columns: { x: { ...COLUMNS, value: 'record.x & record.xy' }, y: COLUMNS },
      reading: {
        body: 'x',
        address: 'x.url',
        person: 'x',
        labels: 'x',
        facts: [{ title: 'x', field: 'xy' }],
      },
      templates: [
        { kind: 'records', key: 'x', columns: ['x', 'y'] },
        {
          kind: 'rows',
          key: 'x',
          columns: ['y', 'x'],
          where: [{ column: 'x', is: 'equal', value: 'x' }],
          orderBy: [{ by: 'x' }],
        },
        {
          kind: 'groups',
          by: 'x',
          measures: [
            { name: 'count', of: 'count' },
            { name: 'y', of: 'sum', column: 'x' },
          ],
          orderBy: [{ by: 'x' }, { by: 'y' }],
        },
      ],
    },
    { id: 'desk-notes', parent: 'desk-tickets', columns: { x: COLUMNS }, titleColumn: 'x', date: 'parent.x' },
  ],
};
const ENTITY = ['entities', 0];

/** Returns the paths at which two documents differ. */
function changes(before: unknown, after: unknown, path = ''): string[] {
  if (typeof before !== 'object' || typeof after !== 'object' || before === null || after === null)
    return before === after ? [] : [path];
  const names = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...names].flatMap((name) =>
    changes(
      (before as Record<string, unknown>)[name],
      (after as Record<string, unknown>)[name],
      path === '' ? name : `${path}.${name}`,
    ),
  );
}

describe('renaming what other parts of the document name', () => {
  it('renames a column with all that names it, and nothing that is no column', () => {
    const at = (rest: string) => `entities.0.${rest}`;
    expect(changes(document, renameColumn(document, ENTITY, 'x', 'z')).sort()).toEqual(
      [
        ...['columns.x', 'columns.z', 'incremental.column', 'reading.labels', 'reading.person', 'sortedBy'],
        ...['templates.1.columns.1', 'templates.1.orderBy.0.by', 'templates.1.where.0.column'],
        ...['templates.2.by', 'templates.2.measures.1.column', 'templates.2.orderBy.0.by', 'titleColumn'],
      ].map(at),
    );
  });

  it('leaves the order by a measure that has the name of a column', () => {
    expect(changes(document, renameColumn(document, ENTITY, 'y', 'z'))).not.toContain(
      'entities.0.templates.2.orderBy.1.by',
    );
  });

  it('renames a measure where rows are ordered by it', () => {
    expect(changes(document, renameMeasure(document, [...ENTITY, 'templates', 2], 1, 'sum'))).toEqual([
      'entities.0.templates.2.measures.1.name',
      'entities.0.templates.2.orderBy.1.by',
    ]);
  });

  it('renames an entity where it is a parent', () => {
    expect(changes(document, renameEntity(document, ENTITY, 'desk-cases'))).toEqual([
      'entities.0.id',
      'entities.1.parent',
    ]);
  });

  it('renames the field of the connect form that the sign-in names', () => {
    expect(changes(document, renameConnectField(document, ['connect', 'fields', 0], 'login'))).toEqual([
      'authentication.user',
      'connect.fields.0.name',
    ]);
  });

  it('renames the field of the connect form in the texts of the sign-in', () => {
    const texts = {
      connect: { fields: [{ name: 'key' }] },
      authentication: {
        value: '{key}/{keys}/key',
        userText: '{key}',
        tokenParts: [{ value: 'a' }, { value: '{key}' }],
      },
    };
    const renamed = renameConnectField(texts, ['connect', 'fields', 0], 'id');
    expect(renamed).toMatchObject({
      authentication: {
        value: '{id}/{keys}/key',
        userText: '{id}',
        tokenParts: [{ value: 'a' }, { value: '{id}' }],
      },
    });
  });

  it('renames an added field where reading and whole records name it', () => {
    expect(changes(document, renameAddedField(document, ENTITY, 'x', 'z')).sort()).toEqual([
      'entities.0.add.x',
      'entities.0.add.z',
      'entities.0.reading.address',
      'entities.0.reading.body',
      'entities.0.templates.0.columns.0',
    ]);
  });

  it('changes nothing where a former name is empty', () => {
    const unnamed = { entities: [{ id: '' }, { id: 'a', parent: '' }] };
    expect(changes(unnamed, renameEntity(unnamed, ENTITY, 'b'))).toEqual(['entities.0.id']);
  });
});

describe('findMentions', () => {
  it.each([
    [[], 'config.site', ['baseUrl']],
    [ENTITY, 'record.x', ['entities.0.date', 'entities.0.columns.x.value', 'entities.0.columns.y.value']],
    [['entities', 1], 'parent.x', ['entities.1.date']],
    [ENTITY, 'record.xy', ['entities.0.columns.x.value']],
    [ENTITY, 'ecord.x', []],
  ])('below %j finds %s', (path, name, found) => {
    expect(findMentions(document, path, name)).toEqual(found);
  });
});
