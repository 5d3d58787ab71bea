import { contrast } from '../../billing/look/colour.ts';
import type { Palette } from '../../billing/look/theme.ts';
import type { Brand } from './brand.ts';

export const FONT = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

/** Colours of mails in light and dark. Each text colour has a contrast of at least 4.5 with the page and the sheet. */
export const colors = {
  page: { light: '#f2f4f6', dark: '#12171d' },
  sheet: { light: '#ffffff', dark: '#1c232b' },
  rule: { light: '#e6e9ed', dark: '#36404b' },
  ink: { light: '#1c2530', dark: '#f0f3f6' },
  plain: { light: '#1c2530', dark: '#f0f3f6' },
  soft: { light: '#3a4450', dark: '#d3dae1' },
  quiet: { light: '#5f6975', dark: '#a3aeba' },
  good: { light: '#0f6b4f', dark: '#6fd6b0' },
  bad: { light: '#a3292b', dark: '#ff9a90' },
} as const;

export type MailColour = keyof typeof colors;
export type MailColors = Readonly<Record<MailColour, { light: string; dark: string }>>;

/** The colours of a sender's mails: those of its theme, else the ones above. */
export function colorsOf({ theme }: Pick<Brand, 'theme'>): MailColors {
  if (!theme) return colors;
  const { light, dark } = theme;
  const both = (of: (palette: typeof light) => string) => ({ light: of(light), dark: of(dark) });
  const text = both((palette) => palette.text);
  return {
    page: both((palette) => palette.ground),
    sheet: both((palette) => palette.background),
    rule: both((palette) => palette.rule),
    ink: text,
    plain: text,
    soft: text,
    quiet: both((palette) => palette.quiet),
    good: both((palette) => palette.good),
    bad: both((palette) => palette.bad),
  };
}

/** Where a colour is used: as text unless it is one of these. */
const backgrounds: ReadonlySet<string> = new Set(['page', 'sheet']);

/** The style sheet for readers whose system is dark. */
export function darkStyle(brand: Pick<Brand, 'theme' | 'logo'>): string {
  const rules = Object.entries(colorsOf(brand)).map(([name, { dark }]) => {
    const property = name === 'rule' ? 'border-color' : backgrounds.has(name) ? 'background' : 'color';
    return `.${name}{${property}:${dark}!important}`;
  });
  return `:root{color-scheme:light dark}@media (prefers-color-scheme:dark){${rules.join('')}${darkButton(brand)}${plate(brand)}}`;
}

/** The ground of the light sheet around a logo: a dark logo is as visible in the dark as in the light. */
function plate(brand: Pick<Brand, 'theme' | 'logo'>): string {
  if (brand.logo === null) return '';
  return `.logo{background:${colorsOf(brand).sheet.light}!important;padding:8px 10px!important;border-radius:6px!important}`;
}

/** The contrast that the edge of a button needs with the sheet. */
const EDGE_CONTRAST = 3;

/** The border of a themed button: its own colour, or the quiet one where its edge could not be seen. */
export function buttonEdge({ accent, background, quiet }: Palette): string {
  return contrast(accent, background) < EDGE_CONTRAST ? quiet : accent;
}

/** Buttons in the dark. Without a theme they keep their colours, and get a border, because they can be as dark as the sheet. */
function darkButton({ theme }: Pick<Brand, 'theme'>): string {
  if (!theme) return `.button{border-color:${colors.quiet.dark}!important}`;
  const { accent, onAccent } = theme.dark;
  return `.button{background:${accent}!important;border-color:${buttonEdge(theme.dark)}!important}.button a{color:${onAccent}!important}`;
}
