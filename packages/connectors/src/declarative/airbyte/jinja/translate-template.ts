import { type Code, call, code, joinedLiteral, literal, operand } from './code.ts';
import { type JinjaNode, parseTemplate } from './parse-template.ts';
import { withHelpers } from './python-functions.ts';
import { ExpressionTranslator, type Variables } from './translate-expression.ts';
import { UntranslatableError } from './untranslatable-error.ts';
import { printable, textOf, truthOf } from './values.ts';

/** What a template means, in JSONata. */
export interface TranslatedTemplate {
  /** Yields the text that the template prints. */
  text: string;
  /** Yields whether it prints anything but an empty text, or its value is true where it is one expression. */
  truth: string;
  /** Yields its value: that of its only expression, else its text. */
  value: string;
  /** The text of a template without expressions. */
  constant?: string;
}

/** Longest source of a text that a variable carries along. */
const MAX_TEXT = 400;

/** Translates the statements of a template to the text that they print. */
class TemplateTranslator {
  #count = 0;

  /** Returns the text of some statements. Variables that they set are known to those after them. */
  text(nodes: readonly JinjaNode[], translator: ExpressionTranslator): Code {
    const parts: Code[] = [];
    for (const [index, node] of nodes.entries()) {
      if (node.type === 'Set') {
        const rest = this.#set(node, nodes.slice(index + 1), translator);
        return this.#joined([...parts, rest]);
      }
      const part = this.#part(node, translator);
      if (part.constant !== '') parts.push(part);
    }
    return this.#joined(parts);
  }

  #joined(parts: readonly Code[]): Code {
    const [first, ...others] = parts;
    if (!first) return literal('');
    const texts = parts.map(({ constant }) => constant).filter((constant) => typeof constant === 'string');
    if (texts.length === parts.length) return joinedLiteral(texts);
    return others.length === 0 ? first : code(parts.map(operand).join(' & '), 'text');
  }

  #part(node: JinjaNode, translator: ExpressionTranslator): Code {
    switch (node.type) {
      case 'Comment':
        return literal('');
      case 'If': {
        const test = truthOf(translator.translate(node.test as JinjaNode));
        const [then, otherwise] = [node.body, node.alternate].map((body) =>
          this.text(body as JinjaNode[], translator),
        ) as [Code, Code];
        return code(`${operand(test)} ? ${operand(then)} : ${operand(otherwise)}`, 'text');
      }
      case 'For':
        return this.#loop(node, translator);
      default:
        return textOf(translator.translate(node));
    }
  }

  #name(): string {
    return `$v${++this.#count}`;
  }

  #set(
    { assignee, value, body }: JinjaNode,
    rest: readonly JinjaNode[],
    translator: ExpressionTranslator,
  ): Code {
    const { type, value: name } = assignee as JinjaNode;
    if (type !== 'Identifier') throw new UntranslatableError('several variables that are set at once');
    const given = value
      ? translator.translate(value as JinjaNode)
      : this.text(body as JinjaNode[], translator);
    if (given.constant !== undefined || given.duration)
      return this.text(rest, translator.with(String(name), given));
    const variable = this.#name();
    // A longer text would be repeated wherever the variable is read.
    const { truth: _, text: own, ...others } = given;
    const known: Code = {
      ...others,
      source: variable,
      isSimple: true,
      ...(own !== undefined && own.length < MAX_TEXT && { text: own }),
    };
    const text = this.text(rest, translator.with(String(name), known));
    return call(`(${variable} := ${given.source}; ${text.source})`, 'text');
  }

  #loop({ loopvar, iterable, body, defaultBlock }: JinjaNode, translator: ExpressionTranslator): Code {
    const { type, value: name } = loopvar as JinjaNode;
    if ((defaultBlock as unknown[]).length > 0) throw new UntranslatableError('a loop with “else”');
    const owner = ownerOfPairs(iterable as JinjaNode);
    if (owner && type === 'TupleLiteral')
      return this.#loopOverPairs((loopvar as JinjaNode).value as JinjaNode[], owner, body, translator);
    if (type !== 'Identifier') throw new UntranslatableError('a loop with several variables');
    const list = translator.translate(iterable as JinjaNode);
    const variable = this.#name();
    const item = call(variable, list.itemType ?? 'any');
    const text = this.text(body as JinjaNode[], translator.with(String(name), item));
    return call(`$join($map(${list.source}, function(${variable}){ ${text.source} }), "")`, 'text');
  }

  #loopOverPairs(
    names: readonly JinjaNode[],
    owner: JinjaNode,
    body: unknown,
    translator: ExpressionTranslator,
  ): Code {
    const [name, value] = names;
    if (names.length !== 2 || name?.type !== 'Identifier' || value?.type !== 'Identifier')
      throw new UntranslatableError('a loop with several variables');
    const [object, key] = [this.#name(), this.#name()];
    const inner = translator
      .with(String(name.value), call(key, 'text'))
      .with(String(value.value), call(`$lookup(${object}, ${key})`, 'any'));
    const text = this.text(body as JinjaNode[], inner);
    return call(
      `(${object} := ${translator.translate(owner).source}; $join($map($keys(${object}), function(${key}){ ${text.source} }), ""))`,
      'text',
    );
  }
}

/** Returns the object of `object.items()`. */
function ownerOfPairs({ type, callee, args }: JinjaNode): JinjaNode | undefined {
  const { computed, object, property } = (callee ?? {}) as Partial<JinjaNode>;
  const isItems = type === 'CallExpression' && computed === false && (args as unknown[]).length === 0;
  return isItems && (property as JinjaNode).value === 'items' ? (object as JinjaNode) : undefined;
}

/** Whether a statement changes the variables of those after it. */
function isSimple({ type }: JinjaNode): boolean {
  return type !== 'If' && type !== 'For' && type !== 'Set' && type !== 'Comment';
}

/**
 * Translates a template of Jinja to JSONata.
 * @throws UntranslatableError that says what has no translation
 */
export function translateTemplate(template: string, variables: Variables): TranslatedTemplate {
  const nodes = parseTemplate(template);
  const translator = new ExpressionTranslator(variables);
  const [only] = nodes;
  const text = new TemplateTranslator().text(nodes, translator);
  const single = nodes.length === 1 && only && isSimple(only) ? translator.translate(only) : text;
  return {
    text: withHelpers(text.source),
    truth: withHelpers(truthOf(single).source),
    value: withHelpers(printable(single).source),
    ...(typeof text.constant === 'string' && { constant: text.constant }),
  };
}
