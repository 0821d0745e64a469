import {
  type DocumentNode,
  type FragmentDefinitionNode,
  type GraphQLCompositeType,
  type GraphQLSchema,
  getNamedType,
  isCompositeType,
  isInterfaceType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type ValueNode,
} from 'graphql';

/** What a query costs before it is executed. */
export interface QueryCost {
  points: number;
  /** Most records that it can return. */
  nodes: number;
}

/**
 * Computes the cost of a valid query as GitHub does: one request for each connection and each of its parents, divided by 100
 * and rounded, at least one point. See docs.github.com/graphql/overview/rate-limits-and-query-limits-for-the-graphql-api.
 */
export function queryCost(
  schema: GraphQLSchema,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Record<string, unknown>,
): QueryCost {
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions)
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  const total = { requests: 0, nodes: 0 };
  const visit = (set: SelectionSetNode, type: GraphQLCompositeType, parents: number): void => {
    for (const selection of set.selections) {
      if (selection.kind === Kind.FRAGMENT_SPREAD) {
        const fragment = fragments.get(selection.name.value);
        const on = fragment && schema.getType(fragment.typeCondition.name.value);
        if (isCompositeType(on)) visit(fragment?.selectionSet ?? set, on, parents);
      } else if (selection.kind === Kind.INLINE_FRAGMENT) {
        const on = selection.typeCondition ? schema.getType(selection.typeCondition.name.value) : type;
        if (isCompositeType(on)) visit(selection.selectionSet, on, parents);
      } else {
        const fields = isObjectType(type) || isInterfaceType(type) ? type.getFields() : {};
        const result = getNamedType(fields[selection.name.value]?.type);
        if (!isCompositeType(result) || !selection.selectionSet) continue;
        if (!result.name.endsWith('Connection')) {
          visit(selection.selectionSet, result, parents);
          continue;
        }
        const size = sizeOf(selection.arguments ?? [], variables);
        total.requests += parents;
        total.nodes += parents * size;
        visit(selection.selectionSet, result, parents * size);
      }
    }
  };
  const root = schema.getRootType(operation.operation);
  if (root) visit(operation.selectionSet, root, 1);
  return { points: Math.max(1, Math.round(total.requests / 100)), nodes: total.nodes };
}

function sizeOf(
  given: readonly { name: { value: string }; value: ValueNode }[],
  variables: Record<string, unknown>,
): number {
  const value = given.find(({ name }) => name.value === 'first' || name.value === 'last')?.value;
  if (value?.kind === Kind.INT) return Number(value.value);
  const size = value?.kind === Kind.VARIABLE ? variables[value.name.value] : 0;
  return typeof size === 'number' ? size : 0;
}
