const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ' };

/** The text of sanitized HTML: blocks are lines, cells are set apart, links are followed by their address. */
export function plainTextOf(html: string): string {
  const lines = html
    .replace(/\s+/g, ' ')
    .replace(/<a [^>]*?href="([^"]*)"[^>]*>(.*?)<\/a>/g, '$2 ($1)')
    .replace(/<br ?\/?>|<\/(?:p|div|tr|li|h[1-6]|table|blockquote|dt|dd)>/g, '\n')
    .replace(/<\/t[dh]>/g, '  ')
    .replace(/<[^>]*>/g, '')
    .replace(/&(amp|lt|gt|quot|nbsp);/g, (written, name: string) => ENTITIES[name] ?? written);
  return lines
    .split('\n')
    .map((line) => line.trim())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}
