import { Native } from '../runtime/callable.ts';
import { compileSignature } from '../runtime/signature.ts';
import { aggregates } from './aggregates.ts';
import { arrays } from './arrays.ts';
import type { Builtin } from './builtin.ts';
import { dates } from './dates.ts';
import { encoding } from './encoding.ts';
import { evaluation } from './eval.ts';
import { higherOrder } from './higher-order.ts';
import { matching } from './matching.ts';
import { numbers } from './numbers.ts';
import { objects } from './objects.ts';
import { strings } from './strings.ts';

const ALL: readonly Builtin[] = [
  ...aggregates,
  ...strings,
  ...matching,
  ...encoding,
  ...numbers,
  ...objects,
  ...arrays,
  ...higherOrder,
  ...dates,
  ...evaluation,
];

const NATIVES: ReadonlyMap<string, Native> = new Map(
  ALL.map(({ name, arity, signature, body, quick }) => [
    name,
    new Native(arity, compileSignature(signature), body, quick),
  ]),
);

/** Returns the built-in function of this name (without the `$`). */
export function builtin(name: string): Native | undefined {
  return NATIVES.get(name);
}

/** Information about a built-in function for an editor. */
export interface FunctionInfo {
  /** Name without the `$`. */
  readonly name: string;
  /** Signature in JSONata's notation, such as `<s-nn?:s>`. */
  readonly signature: string;
  readonly summary: string;
}

/** All built-in functions, for completion and hover. */
export const FUNCTIONS: readonly FunctionInfo[] = ALL.map(({ name, signature, summary }) => ({
  name,
  signature,
  summary,
})).sort((a, b) => (a.name < b.name ? -1 : 1));
