import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import ts from 'typescript';

/** A test, or group of tests, that a comment `@covers <id>` above it marks as the proof of a requirement. */
export interface TaggedTest {
  /** From the repository's root. */
  file: string;
  /** As it is in the source: a table of tests has `%s` or `${…}` for the values of a case. */
  title: string;
  tags: Tag[];
}

/** `@covers <id>` names a requirement, `@covers <id> (<case>)` one case of a table of tests as its proof. */
export interface Tag {
  id: string;
  case?: string;
}

const TAG_LINE = /@covers ([^\n]*)/g;
const CASE = /^(\S+) \((.*)\)$/;

function tagsOf(comment: string): Tag[] {
  return [...comment.matchAll(TAG_LINE)].flatMap(([, text = '']) => {
    const [, id, name] = CASE.exec(text.trim()) ?? [];
    if (id !== undefined && name !== undefined) return [{ id, case: name }];
    return text
      .trim()
      .split(/\s+/)
      .map((one) => ({ id: one }));
  });
}

/** Reads the title of a call of `test`, `it` or `describe`, also of `test.each(…)(title)`; undefined for other calls. */
export function titleOf(node: ts.Node): string | undefined {
  if (!ts.isCallExpression(node)) return undefined;
  let callee: ts.Expression = node.expression;
  while (ts.isPropertyAccessExpression(callee) || ts.isCallExpression(callee)) callee = callee.expression;
  if (!ts.isIdentifier(callee) || !/^(test|it|describe)$/.test(callee.text)) return undefined;
  const [title] = node.arguments;
  if (title === undefined) return undefined;
  if (ts.isStringLiteralLike(title)) return title.text;
  return ts.isTemplateExpression(title) ? title.getText().slice(1, -1) : undefined;
}

/** Lists the tagged tests of one file. @throws Error for a tag that is not directly above a test */
export function taggedTestsOf(file: string, source: string): TaggedTest[] {
  const found: TaggedTest[] = [];
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  const visit = (node: ts.Node): void => {
    if (ts.isExpressionStatement(node)) {
      const title = titleOf(node.expression);
      const comments = ts.getLeadingCommentRanges(source, node.getFullStart()) ?? [];
      const tags = comments.flatMap(({ pos, end }) => tagsOf(source.slice(pos, end)));
      if (title !== undefined && tags.length > 0) found.push({ file, title, tags });
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  const written = tagsOf(source).length;
  const read = found.reduce((sum, { tags }) => sum + tags.length, 0);
  if (read !== written) throw new Error(`${file}: ${written - read} tags are not directly above a test`);
  return found;
}

/** Lists the tagged tests of the repository. */
export function readTaggedTests(): TaggedTest[] {
  const files = execFileSync('git', ['grep', '--untracked', '-l', '@covers ', '--', 'packages', 'e2e'], {
    encoding: 'utf8',
  })
    .trim()
    .split('\n');
  return files.flatMap((file) => taggedTestsOf(file, readFileSync(file, 'utf8')));
}
