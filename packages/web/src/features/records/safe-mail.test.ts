import { describe, expect, it } from 'vitest';
import { makeMailSafe } from './safe-mail.ts';

function bodyOf(html: string) {
  const { document, blocked } = makeMailSafe(html, 'nonce');
  const parsed = new DOMParser().parseFromString(document, 'text/html');
  return {
    body: parsed.body.innerHTML.trim(),
    style: parsed.querySelector('style')?.textContent ?? '',
    blocked,
  };
}

describe('makeMailSafe', () => {
  it.each([
    ['<p>Hi<script>alert(1)</script></p>', '<p>Hi</p>'],
    ['<p onclick="alert(1)">Hi</p>', '<p>Hi</p>'],
    ['<style>p { color: red }</style><p>Hi</p>', '<p>Hi</p>'],
    ['<style>p { color: red }', ''],
    ['<form action="https://x.example"><input name="p"><p>Hi</p></form>', '<p>Hi</p>'],
    ['<iframe src="https://x.example"></iframe><object data="x"></object><p>Hi</p>', '<p>Hi</p>'],
    [
      '<meta http-equiv="refresh" content="0"><base href="https://x.example"><p id="a" name="b">Hi</p>',
      '<p>Hi</p>',
    ],
    ['<svg onload=alert(1)><circle/></svg><p>Hi</p>', '<p>Hi</p>'],
    ['<p>style="color:red" onclick=x</p>', '<p>style="color:red" onclick=x</p>'],
    ['<td bgcolor="#ff0000" width="20">Hi', 'Hi'],
  ])('keeps of %s nothing that runs, asks or loads', (html, expected) => {
    expect(bodyOf(html).body).toBe(expected);
  });

  it('lets links open in a new tab, and removes other addresses', () => {
    const attributes = 'target="_blank" rel="noopener noreferrer"';
    expect(bodyOf('<a href="https://x.example/?a=1">x</a>').body).toBe(
      `<a href="https://x.example/?a=1" ${attributes}>x</a>`,
    );
    for (const href of [
      'javascript:alert(1)',
      '/dashboard',
      'dashboard',
      '#a',
      'data:text/html,x',
      'ftp://x',
    ])
      expect(bodyOf(`<a href="${href}">x</a>`).body).not.toContain('href');
  });

  it('replaces remote images by their alternative texts and counts what is blocked', () => {
    const { body, blocked } = bodyOf(
      '<img src="https://x.example/pixel.png"><img src="//x.example/a.png" alt="A parcel"><img src="cid:1">' +
        '<img src="data:image/png;base64,AAAA" srcset="https://x.example/2.png 2x" width="5">',
    );
    expect(body).toBe('[A parcel]<img src="data:image/png;base64,AAAA" width="5">');
    expect(blocked).toBe(3);
  });

  it('moves style attributes into rules, and counts backgrounds that the server left out', () => {
    const { body, style, blocked } = bodyOf(
      `<p style="color: red">a</p><p style="color: red">b</p>` +
        `<p style="color: blue" data-blocked="">c</p><p style="color:">d</p>`,
    );
    expect(body).toBe('<p class="m0">a</p><p class="m0">b</p><p class="m1">c</p><p>d</p>');
    expect(style).toContain('.m0 { color: red; }');
    expect(blocked).toBe(1);
  });

  it('does not let a style end its element', () => {
    const { document } = makeMailSafe(
      `<p style="font-family: '</style><script>alert(1)</script>'">a</p>`,
      'nonce',
    );
    expect(document).not.toContain('<script>');
    expect(document.match(/<\/style/g)).toHaveLength(1);
  });

  it('allows the frame to load nothing', () => {
    expect(makeMailSafe('', 'n').document).toContain(
      `content="default-src 'none'; style-src 'unsafe-inline'; img-src data:"`,
    );
  });
});
