import { describe, expect, it } from 'vitest';
import { messageRecord } from './mail-record.ts';

type Part = Record<string, unknown>;
const encoded = (text: string) => Buffer.from(text).toString('base64url');
const leaf = (mimeType: string, text: string, more: Part = {}): Part => ({
  mimeType,
  filename: '',
  body: { size: text.length, data: encoded(text) },
  ...more,
});
const multi = (mimeType: string, ...parts: Part[]): Part => ({
  mimeType,
  filename: '',
  body: { size: 0 },
  parts,
});
const read = (payload: Part) => messageRecord({ id: 'm1', payload }).data as Record<string, unknown>;
const namesIn = (data: Record<string, unknown>) =>
  (data.attachments as { filename: string }[]).map(({ filename }) => filename);

describe('messageRecord of a Gmail message', () => {
  it.each([900, 5000, 100_000])('reads a message with parts nested %i deep', (depth) => {
    let payload = leaf('text/plain', 'deep');
    for (let level = 0; level < depth; level++) payload = { mimeType: 'multipart/mixed', parts: [payload] };
    const first = leaf('text/plain', 'shallow');
    expect(read({ mimeType: 'multipart/mixed', parts: [first, payload] })).toMatchObject({ text: 'shallow' });
  });

  it('reads a message with a hundred thousand parts, headers and addresses', () => {
    const many = <T>(item: T) => Array.from({ length: 100_000 }, () => item);
    const data = read({
      mimeType: 'multipart/mixed',
      headers: [
        { name: 'To', value: many('a@b.c').join(',') },
        { name: 'Subject', value: 'x'.repeat(1_000_000) },
        ...many({ name: 'X-Odd', value: 'y'.repeat(100) }),
      ],
      parts: [leaf('text/plain', 'Hello'), ...many({ mimeType: 'image/png', filename: 'a.png' })],
    });

    expect(data.text).toBe('Hello');
    expect((data.attachments as unknown[]).length).toBe(1000);
    expect((data.headers as unknown[]).length).toBe(200);
    expect((data.to as unknown[]).length).toBe(1000);
    expect(JSON.stringify(data).length).toBeLessThan(500_000);
  });

  it('ignores the text of attached messages and delivery reports', () => {
    const inner = multi('multipart/mixed', leaf('text/plain', 'inner'), leaf('text/html', '<p>inner'));
    const attached = { ...multi('message/rfc822', inner), filename: 'fwd.eml' };
    const forwarded = read(multi('multipart/mixed', leaf('text/plain', 'outer'), attached));
    expect(forwarded).toMatchObject({ text: 'outer', html: '' });
    expect(namesIn(forwarded)).toEqual(['fwd.eml']);

    const bounce = read(
      multi(
        'multipart/report',
        leaf('text/plain', 'It bounced.'),
        {
          ...multi('message/delivery-status', leaf('text/plain', 'Action: failed')),
          body: { attachmentId: 'a' },
        },
        multi('message/rfc822', leaf('text/plain', 'the lost mail')),
        leaf('text/rfc822-headers', 'Subject: lost'),
      ),
    );
    expect(bounce).toMatchObject({ text: 'It bounced.', attachments: [] });
  });

  it('lists parts with a file name or attachment disposition as attachments', () => {
    const says = { headers: [{ name: 'Content-Disposition', value: 'Attachment; size=3' }] };
    const data = read(
      multi(
        'multipart/mixed',
        multi(
          'multipart/alternative',
          leaf('text/plain', 'a'),
          leaf('text/html', 'b'),
          leaf('text/calendar', 'c'),
        ),
        { mimeType: 'image/png', filename: '', body: { size: 3, attachmentId: 'x' } },
        { mimeType: 'application/pgp-signature', filename: '', body: { size: 3, attachmentId: 'x' } },
        { mimeType: 'application/pdf', filename: '', body: { size: 3, attachmentId: 'x' }, ...says },
        leaf('text/plain', 'a note', { filename: 'note.txt' }),
      ),
    );

    expect(namesIn(data)).toEqual(['', 'note.txt']);
    expect(data).toMatchObject({ text: 'a', html: 'b' });
  });

  it('keeps quotes in an address and a name that equals the address', () => {
    const headers = [
      { name: 'From', value: '"a@b"@c.example' },
      { name: 'To', value: '"bo@b.c" <bo@b.c>' },
    ];
    const { data, columns } = messageRecord({ id: 'm1', payload: { headers } });
    expect(data).toMatchObject({
      from: { name: '', address: '"a@b"@c.example' },
      to: [{ name: 'bo@b.c', address: 'bo@b.c' }],
    });
    expect(columns).toMatchObject({ sender: '"a@b"@c.example', domain: 'c.example' });
  });

  it('cuts a text that is too long at a character boundary', () => {
    const data = read(leaf('text/plain', '€'.repeat(2_000_000)));
    expect(data.truncated).toBe(true);
    expect(data.text).toBe('€'.repeat(256 * 1024));
  });
});
