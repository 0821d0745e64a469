import { pick, type Random } from './random-records.ts';

/** Fields by entity, with values for comparisons. */
const FIELDS: Readonly<Record<string, readonly (readonly [path: string, ...values: string[]])[]>> = {
  'gh-pulls': [
    ['number', '3', '20', '0', '"3"'],
    ['title', '"Fix bug"', '"10"', '""', '"Größe"', '5'],
    ['state', '"open"', '"closed"', '"merged"', 'null'],
    ['draft', 'true', 'false'],
    ['user.login', '"ada"', '"ghost"', '3'],
    ['labels.name', '"bug"', '"docs"'],
    ['created_at', '"2024-06-01"', '"2025-01-01T00:00:00Z"', '"é"'],
    ['updated_at', '"2024-06-01"', '2024'],
    ['merged_at', 'null', '"2024-06-01"'],
    ['additions', '1', '2.5', '1000', '-1'],
    ['nothing', '1'],
  ],
  'gmail-messages': [
    ['id', '"m3"', '"m10"'],
    ['subject', '"Fix bug"', '""', '"Größe"'],
    ['threadId', '"t1"', '""'],
    ['from.name', '"Ada"', '""'],
    ['from.address', '"ada@example.org"'],
    ['size', '10', '0', '"10"'],
    ['labelIds', '"INBOX"', '"UNREAD"'],
    ['date', '"2024-06-01"', '"1970-01-01T00:00:00.000Z"', '5'],
  ],
};

const UNKNOWN = [
  '$number(size) > 3',
  '$length(title) > 4',
  'labels[0].name = "bug"',
  '$not(draft)',
  'number + 1 > 5',
  '$uppercase(subject) = "HELLO"',
  'labels',
  '(number)',
];

function leaf(random: Random, entity: string): string {
  const [path, ...values] = pick(random, FIELDS[entity] ?? []);
  const value = pick(random, values);
  switch (Math.floor(random() * 12)) {
    case 0:
    case 1:
    case 2:
      return `${path} = ${value}`;
    case 3:
      return `${path} != ${value}`;
    case 4:
    case 5:
    case 6:
      return `${path} ${pick(random, ['<', '<=', '>', '>='])} ${value}`;
    case 7:
      return `$contains(${path}, ${pick(random, ['"bug"', '"o"', '"ö"', '""'])})`;
    case 8:
      return `$exists(${path})`;
    case 9:
      return `${value} in ${path}`;
    case 10:
      return `${path} in [${values.join(', ')}]`;
    default:
      return `${value} ${pick(random, ['=', '<', '>=', '!='])} ${path}`;
  }
}

function predicate(random: Random, entity: string, depth = 2): string {
  const chance = random();
  if (depth === 0 || chance < 0.4) return random() < 0.12 ? pick(random, UNKNOWN) : leaf(random, entity);
  const sides = [predicate(random, entity, depth - 1), predicate(random, entity, depth - 1)];
  return chance < 0.75 ? `(${sides.join(' and ')})` : `(${sides.join(' or ')})`;
}

/** Returns a random query, typical or unusual, whose outcome must not change when its condition is pushed down. */
export function randomQuery(random: Random, entity: string): string {
  const p = predicate(random, entity);
  const q = predicate(random, entity, 1);
  const key = pick(
    random,
    entity === 'gh-pulls' ? ['number', 'created_at', 'updated_at', 'title'] : ['date', 'size', 'subject'],
  );
  const last = Math.floor(random() * 8);
  return pick(random, [
    `$[${p}]`,
    `$[${p}].id`,
    `$[${p}][${q}].id`,
    `$[${p}][0].id`,
    `$[${p}][-1]`,
    `$count($[${p}])`,
    `$count($)`,
    `$sum($[${p}].size)`,
    `$[${p}]^(>${key}).id`,
    `$[${p}]{$string(id): $count($)}`,
    `{"a": $count($[${p}]), "b": $[${q}].id}`,
    `[$count($[${p}]), $[${q}].id]`,
    `($x := $[${p}]; $count($x) > 2 ? $x.id : "few")`,
    `$map($[${p}], function($r){ $r.id })`,
    `$$[${p}].id`,
    `$[${p}] ~> $count()`,
    `$^(${key})[${last}].id`,
    `$^(>${key})[[0..${last}]].id`,
    `$^(${key})[[${last}..${last + 3}]].{"k": ${key}}`,
    `$[${p}].id[0]`,
    `$append($[${p}].id, $[${q}].id)`,
    `$[${p}].{"all": $count($$), "id": id}`,
    `$[${p}] = $[${q}]`,
    `$filter($, function($r){ $r.id = "m1" })`,
  ]);
}
