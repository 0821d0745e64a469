import { type Builtin, unlessMissing } from './builtin.ts';
import { formatDate } from './format-date.ts';
import { parseDate } from './parse-date.ts';

type Text = string | undefined;

export const dates: readonly Builtin[] = [
  {
    name: 'now',
    signature: '<s?s?:s>',
    summary: 'Returns the time of this evaluation, in ISO 8601 or by a picture and time zone.',
    arity: 2,
    body: ([picture, zone], { frame: { run } }) =>
      formatDate(run.timestamp, { picture: picture as Text, zone: zone as Text, budget: run.budget }),
  },
  {
    name: 'millis',
    signature: '<:n>',
    summary: 'Returns the time of this evaluation in milliseconds since 1970 UTC.',
    arity: 0,
    body: (_, { frame }) => frame.run.timestamp,
  },
  {
    name: 'fromMillis',
    signature: '<n-s?s?:s>',
    summary: 'Formats milliseconds since 1970 UTC as a date, in ISO 8601 or by a picture and time zone.',
    arity: 3,
    body: unlessMissing<number>((millis, [, picture, zone], { frame: { run } }) =>
      formatDate(millis, { picture: picture as Text, zone: zone as Text, budget: run.budget }),
    ),
  },
  {
    name: 'toMillis',
    signature: '<s-s?:n>',
    summary: 'Parses a date, in ISO 8601 or by a picture, to milliseconds since 1970 UTC.',
    arity: 2,
    body: unlessMissing<string>((text, [, picture], { frame: { run } }) =>
      parseDate(text, { picture: picture as Text, now: run.timestamp, budget: run.budget }),
    ),
  },
];
