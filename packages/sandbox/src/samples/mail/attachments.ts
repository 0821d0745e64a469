import { crc32, deflateSync } from 'node:zlib';
import type { Attachment } from './mail-draft.ts';

/** Returns a table as a CSV file. */
export function csvFile(name: string, rows: readonly (readonly (string | number)[])[]): Attachment {
  return {
    name,
    type: `text/csv; name="${name}"`,
    make: () => Buffer.from(`${rows.map((row) => row.join(',')).join('\r\n')}\r\n`),
  };
}

/** Returns a small but valid one-page PDF with the lines. */
export function pdfFile(name: string, lines: readonly string[]): Attachment {
  return { name, type: 'application/pdf', make: () => makePdf(lines) };
}

/** Returns an invitation (RFC 5545). */
export function inviteFile(summary: string, start: number): Attachment {
  const stamp = (time: number) => new Date(time).toISOString().replace(/[-:]|\.\d+/g, '');
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Datadeck//Sandbox//EN',
    'METHOD:REQUEST',
    'BEGIN:VEVENT',
    `UID:${stamp(start)}@sandbox.example`,
    `DTSTAMP:${stamp(start - 86_400_000)}`,
    `DTSTART:${stamp(start)}`,
    `DTEND:${stamp(start + 3_600_000)}`,
    `SUMMARY:${summary}`,
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ];
  return {
    name: 'invite.ics',
    type: 'text/calendar; charset=UTF-8; method=REQUEST; name="invite.ics"',
    make: () => Buffer.from(lines.join('\r\n')),
  };
}

/** Returns a picture: a gradient of the given colour. */
export function pictureFile(name: string, colour: readonly [number, number, number]): Attachment {
  return { name, type: 'image/png', make: () => makePng(colour) };
}

function makePdf(lines: readonly string[]): Buffer {
  const text = lines
    .map((line, index) => `BT /F1 12 Tf 60 ${760 - index * 18} Td (${line.replace(/[()\\]/g, '\\$&')}) Tj ET`)
    .join('\n');
  const objects = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    '<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>',
    `<< /Length ${text.length} >>\nstream\n${text}\nendstream`,
    '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>',
  ];
  let out = '%PDF-1.4\n';
  const offsets = objects.map((object, index) => {
    const at = out.length;
    out += `${index + 1} 0 obj\n${object}\nendobj\n`;
    return at;
  });
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  return Buffer.from(
    `${out}xref\n0 6\n0000000000 65535 f \n${table}trailer << /Size 6 /Root 1 0 R >>\nstartxref\n${out.length}\n%%EOF\n`,
    'latin1',
  );
}

function makePng([red, green, blue]: readonly [number, number, number]): Buffer {
  const size = 48;
  const rows = Array.from({ length: size }, (_, y) => {
    const row = Array.from({ length: size }, (_unused, x) =>
      [red, green, blue].map((value) => Math.max(0, value - x - y)),
    );
    return Buffer.from([0, ...row.flat()]);
  });
  const header = Buffer.alloc(13);
  header.writeUInt32BE(size, 0);
  header.writeUInt32BE(size, 4);
  header.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([
    signature,
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(Buffer.concat(rows))),
    pngChunk('IEND', Buffer.alloc(0)),
  ]);
}

function pngChunk(name: string, content: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name), content]);
  const out = Buffer.alloc(body.length + 8);
  out.writeUInt32BE(content.length, 0);
  body.copy(out, 4);
  out.writeUInt32BE(crc32(body), body.length + 4);
  return out;
}
