/** Maximum number of bytes that Temporal accepts in a summary. */
const MOST_BYTES = 400;

/** Replaces characters that Temporal's pages would render as links, pictures or HTML, because tenants choose the numbers of documents. */
export function inert(text: string): string {
  return text.replace(/[[\]<>`]/g, '?');
}

/** A text as a summary: one line within the server's limit, without characters that JSON escapes. */
export function summary(text: string): string {
  const line = inert(text).replace(/\s+/g, ' ');
  let kept = '';
  let bytes = 2; // the JSON quotes
  for (const character of line.replace(/["\\\p{Cc}\p{Cf}\p{Cs}]/gu, '')) {
    const code = character.codePointAt(0) ?? 0;
    bytes += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    if (bytes > MOST_BYTES - 3) return `${kept}…`;
    kept += character;
  }
  return kept;
}

/** A time in minutes, such as "2026-11-24 10:00Z". */
export function minute(at: number): string {
  return `${new Date(at).toISOString().slice(0, 16).replace('T', ' ')}Z`;
}
