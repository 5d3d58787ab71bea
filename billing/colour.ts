/** WCAG's minimum contrast ratio for text, here against white. */
const LEAST_CONTRAST = 4.5;

/** Parses a colour to lower-case #rrggbb; null if the text is not a colour. */
export function parseColour(text: string): string | null {
  return /^#[0-9a-f]{6}$/i.test(text) ? text.toLowerCase() : null;
}

/** Darkens a colour until its contrast with white is sufficient for text. */
export function readableColour(colour: string): string {
  let parts = partsOf(colour);
  while (contrastWithWhite(parts) < LEAST_CONTRAST) parts = parts.map((part) => Math.floor(part * 0.96));
  return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

function partsOf(colour: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
}

/** https://www.w3.org/TR/WCAG21/#dfn-contrast-ratio */
function contrastWithWhite(parts: readonly number[]): number {
  const [red = 0, green = 0, blue = 0] = parts.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 1.05 / (0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05);
}
