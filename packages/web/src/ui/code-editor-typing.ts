import type { Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';

/**
 * Lets the editor, not the browser, insert text that is typed over a selection. Chromium would keep the look of the
 * replaced text in a style attribute, which the page's Content-Security-Policy forbids and reports.
 */
export const TYPING_OVER_SELECTION: Extension = EditorView.domEventHandlers({
  beforeinput(event, view) {
    const { main } = view.state.selection;
    if (event.inputType !== 'insertText' || event.data === null || view.composing || main.empty) return false;
    event.preventDefault();
    const text = event.data;
    const insert = () => view.state.update(view.state.replaceSelection(text), { userEvent: 'input.type' });
    const isHandled = view.state
      .facet(EditorView.inputHandler)
      .some((handle) => handle(view, main.from, main.to, text, insert));
    if (!isHandled) view.dispatch(insert());
    return true;
  },
});
