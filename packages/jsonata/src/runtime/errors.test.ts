import { describe, expect, it } from 'vitest';
import { asJsonataError } from './errors.ts';

describe('asJsonataError', () => {
  it.each([
    ['V8', new RangeError('Maximum call stack size exceeded')],
    ['WebKit', new RangeError('Maximum call stack size exceeded.')],
    ['a regular expression of V8', new SyntaxError('Invalid regular expression: /(/: Stack overflow')],
    ['Firefox', Object.assign(new Error('too much recursion'), { name: 'InternalError' })],
  ])('turns an exhausted call stack in %s into the limit of depth', (_, thrown) => {
    expect(asJsonataError(thrown).code).toBe('D1011');
  });

  it('keeps the message of any other error', () => {
    expect(asJsonataError(new Error('too much recursion'))).toMatchObject({
      code: 'L1000',
      message: expect.stringContaining('too much recursion'),
    });
  });
});
