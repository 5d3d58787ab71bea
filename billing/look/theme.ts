import { contrast, LEAST_CONTRAST, luminance, mixed, readableOn, textOn } from './colour.ts';

/** Typefaces that the product brings along. All of them have Latin letters; other scripts always have typefaces of their own. */
export const themeFonts = ['inter', 'ibm_plex_sans', 'zen_kaku_gothic'] as const;
export type ThemeFont = (typeof themeFonts)[number];

export const themeCorners = ['round', 'square'] as const;
export type ThemeCorners = (typeof themeCorners)[number];

/** The colours of a theme: #rrggbb; null: the default. */
export interface ThemeColours {
  accentColor: string | null;
  textColor: string | null;
  backgroundColor: string | null;
  darkAccentColor: string | null;
  darkTextColor: string | null;
  darkBackgroundColor: string | null;
}

/** How papers, pages and mails of a theme look, besides logo and footer. */
export interface ThemeLook extends ThemeColours {
  font: ThemeFont;
  corners: ThemeCorners;
}

/** The look of a stored theme. The order of the keys matters: it is part of snapshots, which are hashed as JSON. */
export function lookOf(
  theme: { [Name in keyof ThemeColours]?: string | null | undefined } & Pick<ThemeLook, 'font' | 'corners'>,
): ThemeLook {
  const { accentColor = null, textColor = null, backgroundColor = null, font, corners } = theme;
  const { darkAccentColor = null, darkTextColor = null, darkBackgroundColor = null } = theme;
  return {
    accentColor,
    textColor,
    backgroundColor,
    darkAccentColor,
    darkTextColor,
    darkBackgroundColor,
    font,
    corners,
  };
}

export type Scheme = 'light' | 'dark';

/** The colours of one scheme. Each text colour can be read on each background. */
export interface Palette {
  background: string;
  /** The ground behind the background. */
  ground: string;
  /** Boxes with the most important amount. */
  tint: string;
  text: string;
  quiet: string;
  good: string;
  bad: string;
  warn: string;
  /** The accent as text. */
  accentText: string;
  /** The accent as it was chosen, for buttons. */
  accent: string;
  /** Black or white: the text on buttons. */
  onAccent: string;
  rule: string;
  /** The border of form fields. */
  edge: string;
}

const defaults = {
  light: {
    background: '#ffffff',
    text: '#16202c',
    accent: '#1d4ed8',
    good: '#126b3e',
    bad: '#b01f27',
    warn: '#5f4300',
  },
  dark: { background: '#181d24', text: '#e8ecf1', accent: '#8fb0ff', good: '#6fd3a0', bad: '#ff9a90', warn: '#ffd98a' },
} as const;

/** The chosen colours of a scheme, with the defaults in place of those that were not chosen. */
function chosenColours(theme: ThemeColours, scheme: Scheme) {
  const { background, text, accent } = defaults[scheme];
  if (scheme === 'light') {
    return {
      background: theme.backgroundColor ?? background,
      text: theme.textColor ?? text,
      accent: theme.accentColor ?? accent,
    };
  }
  const ground = theme.darkBackgroundColor ?? background;
  const light = theme.accentColor ? readableOn([ground], theme.accentColor, textOn(ground)) : accent;
  return { background: ground, text: theme.darkTextColor ?? text, accent: theme.darkAccentColor ?? light };
}

/**
 * The colours that a theme is shown with. Text that could not be read on its background is black or white instead, and an accent that could
 * not be read is moved towards it where it is text.
 */
export function paletteOf(theme: ThemeColours, scheme: Scheme): Palette {
  const chosen = chosenColours(theme, scheme);
  const { background, accent } = chosen;
  const text = contrast(chosen.text, background) >= LEAST_CONTRAST ? chosen.text : textOn(background);
  const strongest = luminance(text) < luminance(background) ? '#000000' : '#ffffff';
  const ground = tinted({ background, text }, text, 0.05);
  const tint = tinted({ background, text }, accent, scheme === 'light' ? 0.08 : 0.2);
  const readable = (colour: string) => readableOn([background, ground, tint], colour, strongest);
  const { good, bad, warn } = defaults[scheme];
  return {
    background,
    ground,
    tint,
    text,
    quiet: readable(mixed(text, background, 0.35)),
    good: readable(good),
    bad: readable(bad),
    warn: readable(warn),
    accentText: readable(accent),
    accent,
    onAccent: textOn(accent),
    rule: mixed(background, text, 0.14),
    edge: mixed(background, text, 0.55),
  };
}

/** The background with a share of another colour, or without it where the text could not be read on it. */
function tinted({ background, text }: Pick<Palette, 'background' | 'text'>, other: string, share: number): string {
  const colour = mixed(background, other, share);
  return contrast(colour, text) >= LEAST_CONTRAST ? colour : background;
}

/** A chosen colour that cannot be read well. */
export interface ContrastWarning {
  colour: keyof ThemeColours;
  /** Contrast with the background, rounded to two decimals. */
  ratio: number;
}

/**
 * The text and accent colours without sufficient contrast with their background. A colour is judged if it or its background was chosen. A
 * theme without an accent shows that of its account.
 */
export function contrastWarnings(theme: ThemeColours, accountAccent: string | null): ContrastWarning[] {
  const shown = { ...theme, accentColor: theme.accentColor ?? accountAccent };
  const light = chosenColours(shown, 'light');
  const dark = chosenColours(shown, 'dark');
  const pairs = [
    { colour: 'textColor', value: light.text, on: light.background, other: theme.backgroundColor },
    { colour: 'accentColor', value: light.accent, on: light.background, other: theme.backgroundColor },
    { colour: 'darkTextColor', value: dark.text, on: dark.background, other: theme.darkBackgroundColor },
    { colour: 'darkAccentColor', value: dark.accent, on: dark.background, other: theme.darkBackgroundColor },
  ] as const;
  return pairs.flatMap(({ colour, value, on, other }) => {
    const isChosen = theme[colour] !== null || other !== null;
    const ratio = contrast(value, on);
    return isChosen && ratio < LEAST_CONTRAST ? [{ colour, ratio: Math.floor(ratio * 100) / 100 }] : [];
  });
}
