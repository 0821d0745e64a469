import { fireEvent, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { renderAs } from '../../test-support/render.tsx';
import { CopyButton } from './copy-button.tsx';
import { Dialog } from './dialog.tsx';

/** Replaces the browser's copy command. @returns the copied texts so far */
function takeCopies(isAllowed: boolean): string[] {
  const copied: string[] = [];
  document.execCommand = (command) => {
    const box = document.activeElement;
    if (command === 'copy' && box instanceof HTMLTextAreaElement)
      copied.push(box.value.slice(box.selectionStart, box.selectionEnd));
    return isAllowed;
  };
  return copied;
}
const setClipboard = (clipboard: unknown) =>
  Object.defineProperty(navigator, 'clipboard', { value: clipboard, configurable: true });
const press = async () => fireEvent.click(await screen.findByRole('button', { name: 'Copy' }));
const FORBIDDEN = /^The browser does not let this page copy\./;

afterEach(() => {
  setClipboard(undefined);
  Reflect.deleteProperty(document, 'execCommand');
});

// @covers 2.copying-works-over
describe('CopyButton', () => {
  it('copies through the Clipboard API where it is available', async () => {
    const writeText = vi.fn(async () => {});
    setClipboard({ writeText });
    renderAs({ mayChange: true }, <CopyButton text="abc" />);
    await press();
    expect(await screen.findByRole('button', { name: 'Copied' })).toBeTruthy();
    expect(writeText).toHaveBeenCalledWith('abc');
  });

  it.each([
    ['is missing, as over plain HTTP', undefined],
    ['is refused', { writeText: () => Promise.reject(new DOMException('no', 'NotAllowedError')) }],
  ])('copies a selection where the Clipboard API %s', async (_name, clipboard) => {
    setClipboard(clipboard);
    const copied = takeCopies(true);
    renderAs(
      { mayChange: true },
      <Dialog open title="Code" onClose={() => {}}>
        <CopyButton text={() => 'abc\ndef'} />
      </Dialog>,
    );
    await press();
    expect(await screen.findByRole('button', { name: 'Copied' })).toBeTruthy();
    expect(copied).toEqual(['abc\ndef']);
    expect(document.querySelector('textarea')).toBeNull();
  });

  it('says what to do when the browser forbids both', async () => {
    takeCopies(false);
    renderAs({ mayChange: true }, <CopyButton text="abc" />);
    await press();
    expect(await screen.findByText(FORBIDDEN)).toBeTruthy();
    expect(screen.getByRole('button', { name: 'Copy' })).toBeTruthy();
  });
});
