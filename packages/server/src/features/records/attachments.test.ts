import { describe, expect, it } from 'vitest';
import { attachmentError } from './attachments.ts';

describe('the error of a file that cannot be had', () => {
  it('blames the size of a file for that of the file alone', () => {
    const texts = (['record-gone', 'attachment-gone', 'too-large', 'mail-too-large'] as const).map(
      (problem) => attachmentError(problem, 'Gmail').message,
    );
    expect(new Set(texts).size).toBe(4);
    expect(texts.map((text) => text.includes('This file is larger than 25 MB'))).toEqual([
      false,
      false,
      true,
      false,
    ]);
    expect(attachmentError('mail-too-large', 'Gmail').code).toBe('attachment-too-large');
  });
});
