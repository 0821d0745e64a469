import { describe, expect, it } from 'vitest';
import { safeStyle } from './style.ts';

const cssOf = (style: string) => safeStyle(style).css;

describe('safeStyle', () => {
  it.each([
    ['Color : RED ; margin: 0  auto', 'color:RED;margin:0 auto'],
    ['font: bold 14px/1.5 Arial, \'Helvetica Neue\', "Segoe UI", sans-serif', undefined],
    ['width:100% !important', 'width:100%!important'],
    ['background:#fff;border:1px solid rgb(1, 2, 3)', undefined],
    ['color:rgba(0,0,0,.5);line-height:1.6666666666666667', undefined],
    ['margin:-1.5em +2px .5ex 0', undefined],
    ['mso-line-height-rule:exactly;color:red', 'color:red'],
  ])('keeps %s', (style, expected) => {
    expect(cssOf(style)).toBe(expected ?? style.replaceAll(/([:;]) /g, '$1'));
  });

  it.each([
    'position:fixed',
    'animation:x 1s infinite',
    'transform:scale(9)',
    'filter:blur(9px)',
    'behavior:none',
    '-moz-binding:none',
    'content:"x"',
    'width:99999px',
    'width:1e9px',
    'width:calc(1px * 9999)',
    'width:expression(alert(1))',
    'color:var(--x)',
    'color:red}body{color:blue',
    'color:/* x */red',
    'color:red<',
    'font-family:"</style>"',
    'font-family:"a',
    'color:',
    ':red',
    'color',
  ])('drops %s', (style) => {
    expect(cssOf(style)).toBe('');
  });

  const LOADS = [
    'url(//x.example/a)',
    'image-set("a" 1x)',
    'src("a")',
    'cross-fade(url(a),url(b))',
    'image(a)',
  ];
  /** Writes one character of a text as CSS escapes may write it. */
  function* escaped(text: string): Generator<string> {
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at).toString(16);
      for (const written of [`\\${code} `, `\\${code.padStart(6, '0')}`, `\\${text[at]}`, `/**/${text[at]}`])
        yield text.slice(0, at) + written + text.slice(at + 1);
    }
  }

  it('drops what loads, with an escape or a comment at every position', () => {
    const properties = [
      'background',
      'background-image',
      'list-style',
      'list-style-type',
      'border',
      'font-family',
    ];
    for (const property of properties) {
      for (const load of LOADS) {
        for (const value of [load, load.toUpperCase(), `red ${load}`, ...escaped(load)])
          expect(cssOf(`${property}:${value};color:red`), value).toMatch(
            /^(?:[a-z-]+:[^(\\/:]*;)?color:red$/,
          );
        for (const name of escaped(property)) expect(cssOf(`${name}:${load}`)).not.toContain('(');
      }
    }
  });

  it('reports images of backgrounds', () => {
    expect(safeStyle('background:#fff url(https://x.example/a.png)')).toEqual({ css: '', isBlocked: true });
    expect(safeStyle('background-image:none').isBlocked).toBe(false);
  });

  it('bounds the length and number of declarations', () => {
    expect(cssOf('color:red;'.repeat(100_000)).length).toBeLessThan(600);
    expect(cssOf(`font-family:${'a'.repeat(100_000)}`)).toBe('');
  });
});
