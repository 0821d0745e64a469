import { AXES, type Axis, type ServiceShape, TOKEN_KINDS } from './shape.ts';

const NAMES = Object.keys(AXES) as Axis[];

/** Returns the pairs of choices of a shape, as texts. */
export function pairsOf(shape: Pick<ServiceShape, Axis>): string[] {
  return NAMES.flatMap((one, at) =>
    NAMES.slice(at + 1).map((other) => `${one} ${shape[one]} + ${other} ${shape[other]}`),
  );
}

/** Returns all combinations of choices. */
function allShapes(): Pick<ServiceShape, Axis>[] {
  return NAMES.reduce<object[]>(
    (shapes, axis) => shapes.flatMap((shape) => AXES[axis].map((choice) => ({ ...shape, [axis]: choice }))),
    [{}],
  ) as Pick<ServiceShape, Axis>[];
}

/** Seed for which 40 shapes have all pairs. */
const SEED = 24;

/**
 * Returns 40 shapes in which each pair of choices occurs: for each pagination and authentication the one with most new pairs,
 * one of them by the seed if several have as many.
 */
export function generateShapes(seed = SEED): ServiceShape[] {
  const covered = new Set<string>();
  const all = allShapes();
  const shapes: ServiceShape[] = [];
  let state = seed;
  for (const pagination of AXES.pagination)
    for (const authentication of AXES.authentication) {
      const candidates = all
        .filter((shape) => shape.pagination === pagination && shape.authentication === authentication)
        .map((shape) => ({ shape, news: pairsOf(shape).filter((pair) => !covered.has(pair)).length }));
      const most = Math.max(...candidates.map(({ news }) => news));
      const best = candidates.filter(({ news }) => news === most);
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      const { shape } = best[(state >>> 16) % best.length] as (typeof best)[number];
      for (const pair of pairsOf(shape)) covered.add(pair);
      shapes.push({ ...shape, isCounted: shapes.length % 3 !== 0 });
    }
  return shapes;
}

/** Returns 8 of the shapes, in which each choice occurs: for each pagination the one with most new choices. */
export function fewShapes(shapes: readonly ServiceShape[] = generateShapes()): ServiceShape[] {
  const seen = new Set<string>();
  const choicesOf = (shape: ServiceShape) => NAMES.map((axis) => `${axis} ${shape[axis]}`);
  return AXES.pagination.map((pagination) => {
    const newChoices = (shape: ServiceShape) => choicesOf(shape).filter((choice) => !seen.has(choice)).length;
    const best = shapes
      .filter((shape) => shape.pagination === pagination)
      .reduce((found, shape) => (newChoices(shape) > newChoices(found) ? shape : found));
    for (const choice of choicesOf(best)) seen.add(choice);
    return best;
  });
}

/** Returns 8 shapes more, one for each pagination, of services that issue tokens. */
export function tokenShapes(): ServiceShape[] {
  const size = AXES.authentication.length;
  const shapes = generateShapes();
  return AXES.pagination.map((_, index) => {
    const shape = shapes[index * size + (index % size)] as ServiceShape;
    return {
      ...shape,
      authentication: TOKEN_KINDS[index % TOKEN_KINDS.length] as (typeof TOKEN_KINDS)[number],
    };
  });
}
