import { configure } from '@testing-library/react';
import { config } from 'zod';

config({ jitless: true });
// Tests normally finish at once; a busy machine needs a longer timeout.
configure({ asyncUtilTimeout: 20_000 });

// Radix measures and scrolls elements; jsdom supports neither.
class SilentResizeObserver implements ResizeObserver {
  observe() {}
  unobserve() {}
  disconnect() {}
}
globalThis.ResizeObserver ??= SilentResizeObserver;
Element.prototype.scrollIntoView ??= () => {};
Element.prototype.hasPointerCapture ??= () => false;
window.matchMedia ??= (media: string) =>
  Object.assign(new EventTarget(), {
    media,
    matches: false,
    onchange: null,
    addListener() {},
    removeListener() {},
  });
