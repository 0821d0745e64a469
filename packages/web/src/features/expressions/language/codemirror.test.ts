import { currentCompletions } from '@codemirror/autocomplete';
import { EditorView } from '@codemirror/view';
import { describe, expect, it, vi } from 'vitest';
import { ENVIRONMENT } from '../../../../test-support/rows.ts';
import { jsonataLanguage } from './codemirror.ts';
import type { TypeEnvironment } from './infer.ts';

/** An editor in which a person types before the rows have loaded. */
function openEditor() {
  let environment: TypeEnvironment = { ...ENVIRONMENT, root: undefined };
  const { extensions, completeAgain } = jsonataLanguage(() => environment);
  const view = new EditorView({ parent: document.body, extensions });
  view.focus();
  return {
    view,
    type(text: string) {
      for (const insert of text)
        view.dispatch({
          changes: { from: view.state.selection.main.head, insert },
          selection: { anchor: view.state.selection.main.head + 1 },
          userEvent: 'input.type',
        });
    },
    load() {
      environment = ENVIRONMENT;
      completeAgain();
    },
    offered: () => currentCompletions(view.state).map(({ label }) => label),
  };
}

describe('completion', () => {
  it.each(['$.', '$.u', '$.us'])('offers the fields of rows that load after %s was typed', async (text) => {
    const { view, type, load, offered } = openEditor();
    type(text);
    // The editor asks a moment after the last key.
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(offered()).not.toContain('user');
    load();
    await vi.waitFor(() => expect(offered()).toContain('user'));
    view.destroy();
  });

  it.each(['$.us = 1', '$.us = ', ''])('offers nothing for %j', async (text) => {
    const { view, type, load, offered } = openEditor();
    type(text);
    await new Promise((resolve) => setTimeout(resolve, 300));
    load();
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(offered()).toEqual([]);
    view.destroy();
  });
});
