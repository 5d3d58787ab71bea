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

/** Where a colour is used: as text unless it is one of these. */
const backgrounds: ReadonlySet<string> = new Set(['page', 'sheet']);

/** The style sheet for readers whose system is dark. */
export const darkStyle = `:root{color-scheme:light dark}@media (prefers-color-scheme:dark){${Object.entries(colors)
  .map(([name, { dark }]) => {
    const property = name === 'rule' ? 'border-color' : backgrounds.has(name) ? 'background' : 'color';
    return `.${name}{${property}:${dark}!important}`;
  })
  .join('')}}`;
