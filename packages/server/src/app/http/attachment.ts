/** Encodes a header value (RFC 8187), including the characters '()* that `encodeURIComponent` leaves unchanged. */
function extendedValue(text: string): string {
  const coded = (mark: string) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`;
  return `UTF-8''${encodeURIComponent(text).replaceAll(/['()*]/g, coded)}`;
}

/** Returns the Content-Disposition of a download (RFC 6266), with the file name in ASCII for old clients and in full. */
export function attachment(name: string): string {
  const ascii = name.replaceAll(/[^\x20-\x7e]|["\\/]/g, '_');
  return `attachment; filename="${ascii}"; filename*=${extendedValue(name)}`;
}
