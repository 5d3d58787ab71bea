/** A line of CSV. A text that a spreadsheet would take for a formula is marked as text. */
export function csvLine(cells: readonly (string | number | null | undefined)[]): string {
  return `${cells.map(cell).join()}\r\n`;
}

function cell(value: string | number | null | undefined): string {
  if (value === null || value === undefined) return '';
  const text = String(value);
  const harmless = typeof value === 'string' && /^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
