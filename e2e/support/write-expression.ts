import type { Locator } from '@playwright/test';

/** Writes an expression into an editor as a person does: the whole former text is replaced by keyboard. */
export async function writeExpression(editor: Locator, expression: string): Promise<void> {
  await editor.click();
  const { keyboard } = editor.page();
  await keyboard.press('Control+a');
  await keyboard.insertText(expression);
}
