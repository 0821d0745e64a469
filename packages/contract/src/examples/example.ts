import type { z } from 'zod';
import type { ENDPOINTS, EndpointName } from '../endpoints.ts';

type ReadonlyDeep<T> = T extends object ? { readonly [K in keyof T]: ReadonlyDeep<T[K]> } : T;
type Input<S> = S extends z.ZodType ? ReadonlyDeep<z.input<S>> : never;

/** A request of an endpoint and its successful answer. `stream`: an answer without a schema, with its media type. */
type ExampleOf<E> = {
  readonly [P in keyof E & ('params' | 'query' | 'body' | 'response')]: Input<E[P]>;
} & (E extends {
  response: z.ZodType;
}
  ? object
  : { readonly stream: { type: string; text: string } });

/** An example with the parts that it has. */
export interface Example {
  params?: Readonly<Record<string, unknown>>;
  query?: Readonly<Record<string, unknown>>;
  body?: unknown;
  response?: unknown;
  stream?: { type: string; text: string };
}

/** Examples of all endpoints. An endpoint that is missing does not compile. */
export type Examples = { readonly [N in EndpointName]: ExampleOf<(typeof ENDPOINTS)[N]> };

/** Declares examples of some endpoints; the function only checks the type of each. */
export function defineExamples<N extends EndpointName>(examples: Pick<Examples, N>): Pick<Examples, N> {
  return examples;
}
