import { schema } from '@octokit/graphql-schema';
import {
  buildSchema,
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isScalarType,
} from 'graphql';
import { describe, expect, it } from 'vitest';
import { SCHEMA, SCHEMA_TEXT } from './graphql-schema.ts';

// Version 15.26.1 defines two fields of a type twice that the cut does not have.
const PUBLIC = buildSchema(schema.idl, { assumeValidSDL: true });

/** Returns in what a schema differs from the part of the public one that it names. */
function differences(cut: GraphQLSchema): string[] {
  return Object.values(cut.getTypeMap())
    .filter(({ name }) => !name.startsWith('__'))
    .flatMap((type) => typeDifferences(type, PUBLIC.getType(type.name)));
}

function typeDifferences(own: GraphQLNamedType, known: GraphQLNamedType | undefined): string[] {
  const { name } = own;
  if (known?.astNode?.kind !== own.astNode?.kind) return [`${name} is another kind of type`];
  if (isScalarType(own)) return [];
  if (isEnumType(own) && isEnumType(known)) {
    const [names, all] = [own, known].map((type) => type.getValues().map((value) => value.name));
    return JSON.stringify(names) === JSON.stringify(all) ? [] : [`${name} has other values`];
  }
  if (isInputObjectType(own) && isInputObjectType(known)) {
    return Object.values(own.getFields()).flatMap((field) => {
      const other = known.getFields()[field.name];
      return String(other?.type) === String(field.type) ? [] : [`${name}.${field.name}: ${other?.type}`];
    });
  }
  if (!(isObjectType(own) || isInterfaceType(own)) || !(isObjectType(known) || isInterfaceType(known)))
    return [`${name} is another kind of type`];
  const missing = own
    .getInterfaces()
    .filter((each) => !known.getInterfaces().some((other) => other.name === each.name));
  return [
    ...missing.map((each) => `${name} does not implement ${each.name}`),
    ...Object.values(own.getFields()).flatMap((field) =>
      fieldDifferences(`${name}.${field.name}`, field, known.getFields()[field.name]),
    ),
  ];
}

type Field = GraphQLField<unknown, unknown>;

function fieldDifferences(name: string, own: Field, known: Field | undefined): string[] {
  if (String(own.type) !== String(known?.type)) return [`${name}: ${known?.type}`];
  const required = known?.args.filter(
    (each) => each.type.toString().endsWith('!') && each.defaultValue === undefined,
  );
  return [
    ...own.args.flatMap((argument) => {
      const other = known?.args.find((each) => each.name === argument.name);
      const isSame =
        String(other?.type) === String(argument.type) && other?.defaultValue === argument.defaultValue;
      return isSame ? [] : [`${name}(${argument.name}): ${other?.type} = ${other?.defaultValue}`];
    }),
    ...(required ?? [])
      .filter((each) => !own.args.some((argument) => argument.name === each.name))
      .map((each) => `${name} needs ${each.name}`),
  ];
}

describe('cut of the GraphQL schema', () => {
  it('is a part of the public schema, with the same types, arguments and nullability', () => {
    expect(differences(SCHEMA)).toEqual([]);
  });

  it.each([
    ['number: Int!', 'number: Int', 'Issue.number: Int!'],
    [
      '  submittedAt: DateTime\n',
      '  submittedAt: DateTime\n  mood: String\n',
      'PullRequestReview.mood: undefined',
    ],
    ['orderBy: IssueOrder', 'orderBy: [IssueOrder!]', 'Repository.issues(orderBy): IssueOrder = undefined'],
    [
      'followRenames: Boolean = true',
      'followRenames: Boolean',
      'Query.repository(followRenames): Boolean = true',
    ],
    ['  MERGED\n', '', 'PullRequestState has other values'],
    ['type Commit implements Node', 'type Commit implements Actor', 'Commit does not implement Actor'],
  ])('names a difference: %s', (from, to, difference) => {
    expect(SCHEMA_TEXT).toContain(from);
    const changed = buildSchema(SCHEMA_TEXT.replace(from, to), { assumeValid: true });
    expect(differences(changed)).toContain(difference);
  });
});
