import type { Palette } from '../../../billing/look/theme.ts';
import type { PrintedDocument } from '../../../present/printed/document.ts';

/** The style sheet with the seller's colours. Pages put it after the style sheet of the kit. */
export function brandStyle({ accent, theme }: Pick<PrintedDocument, 'accent' | 'theme'>): string {
  const brand = `:root{--brand:${accent}}`;
  if (!theme) return brand;
  const corners =
    theme.corners === 'round' ? '' : ':root{--round:0;--rounder:0}.answer,.figure,.logo,.mark{border-radius:0}';
  const dark = `@media screen and (prefers-color-scheme:dark){:root{${propertiesOf(theme.dark)}}}`;
  return [brand, corners, `:root{${propertiesOf(theme.light)}}`, dark].join('');
}

function propertiesOf(palette: Palette): string {
  const { background, ground, tint, text, quiet, rule, edge, good, bad, warn, accent, accentText, onAccent } = palette;
  const properties = {
    ground,
    card: background,
    ink: text,
    quiet,
    line: rule,
    field: background,
    'field-line': edge,
    accent: accentText,
    button: accent,
    'on-button': onAccent,
    tint,
    good,
    bad,
    'bad-tint': ground,
    warn,
    'warn-tint': ground,
  };
  return Object.entries(properties)
    .map(([name, value]) => `--${name}:${value}`)
    .join(';');
}
