import type { ThemeFont } from '../../billing/look/theme.ts';
import type { PrintedDocument } from '../../commands/ports/ports.ts';

/** Path under which the template finds its colours, typeface and corners. */
export const LOOK_PATH = '/look.json';

const families: Readonly<Record<ThemeFont, string>> = {
  inter: 'Inter',
  ibm_plex_sans: 'IBM Plex Sans Arabic',
  zen_kaku_gothic: 'Zen Kaku Gothic New',
};

/** The look of documents without a theme. `tint` null: a tenth of the accent. */
const plain = {
  font: families.inter,
  background: null,
  ink: '#16202c',
  quiet: '#5d6977',
  rule: '#dde2e8',
  faint: '#f4f6f8',
  tint: null,
  good: '#14804a',
  bad: '#c2262e',
  stamp: '#66727f',
  round: true,
};

/** The look as JSON for the template. It is apart from the document, so that the template's parts are cached between documents. */
export function lookInput({
  theme,
  accent,
  layout = 'classic',
}: Pick<PrintedDocument, 'theme' | 'accent' | 'layout'>): string {
  if (!theme) return JSON.stringify({ ...plain, accent, layout, button: accent, onButton: '#ffffff' });
  const { light, font, corners } = theme;
  const { background, text: ink, quiet, rule, ground: faint, tint, good, bad } = light;
  const colours = { background, ink, quiet, rule, faint, tint, good, bad, stamp: quiet, accent };
  return JSON.stringify({
    ...colours,
    layout,
    button: light.accent,
    onButton: light.onAccent,
    font: families[font],
    round: corners === 'round',
  });
}
