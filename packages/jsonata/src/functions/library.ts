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

/** The built-in function of that name (without the `$`). */
export function builtin(name: string): Native | undefined {
  return NATIVES.get(name);
}

/** What an editor needs to know about a built-in function. */
export interface FunctionInfo {
  /** Without the `$`. */
  readonly name: string;
  /** In the notation of JSONata, such as `<s-nn?:s>`. */
  readonly signature: string;
  readonly summary: string;
}

/** Every built-in function, by name, for completion and hover. */
export const FUNCTIONS: readonly FunctionInfo[] = ALL.map(({ name, signature, summary }) => ({
  name,
  signature,
  summary,
})).sort((a, b) => (a.name < b.name ? -1 : 1));
