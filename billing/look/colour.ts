/** WCAG's minimum contrast ratio for text. */
export const LEAST_CONTRAST = 4.5;

const WHITE = '#ffffff';
const BLACK = '#000000';

/** Parses a colour to lower-case #rrggbb; null if the text is not a colour. */
export function parseColour(text: string): string | null {
  return /^#[0-9a-f]{6}$/i.test(text) ? text.toLowerCase() : null;
}

/** Darkens a colour until its contrast with white is sufficient for text. */
export function readableColour(colour: string): string {
  let parts = partsOf(colour);
  while (contrast(colourOf(parts), WHITE) < LEAST_CONTRAST) parts = parts.map((part) => Math.floor(part * 0.96));
  return colourOf(parts);
}

/** The contrast ratio of two colours, from 1 to 21: https://www.w3.org/TR/WCAG21/#dfn-contrast-ratio */
export function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].toSorted((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

/** Relative luminance, 0 to 1: https://www.w3.org/TR/WCAG21/#dfn-relative-luminance */
export function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = partsOf(colour).map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** Black or white, whichever can be read better on a colour. Its contrast is always sufficient. */
export function textOn(colour: string): string {
  return contrast(colour, BLACK) >= contrast(colour, WHITE) ? BLACK : WHITE;
}

/** A colour with a share of another one, 0 to 1. */
export function mixed(colour: string, other: string, share: number): string {
  const others = partsOf(other);
  return colourOf(partsOf(colour).map((part, index) => Math.round(part + ((others[index] ?? 0) - part) * share)));
}

/** Moves a colour towards another one, by as little as makes it readable on all of these. The other one itself must be readable. */
export function readableOn(backgrounds: readonly string[], colour: string, towards: string): string {
  const shares = Array.from({ length: 50 }, (_, index) => index / 50);
  const found = shares.map((share) => mixed(colour, towards, share)).find((one) => isReadable(backgrounds, one));
  return found ?? towards;
}

function isReadable(backgrounds: readonly string[], colour: string): boolean {
  return backgrounds.every((background) => contrast(background, colour) >= LEAST_CONTRAST);
}

function partsOf(colour: string): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
}

function colourOf(parts: readonly number[]): string {
  return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}
