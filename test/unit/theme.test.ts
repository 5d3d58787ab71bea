import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { contrast, readableOn, textOn } from '../../billing/look/colour.ts';
import { contrastWarnings, lookOf, paletteOf, type ThemeColours } from '../../billing/look/theme.ts';

const plain = lookOf({ font: 'inter', corners: 'round' });
const withColours = (colours: Partial<ThemeColours>) => ({ ...plain, ...colours });
const colour = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`);
const maybe = fc.option(colour);
const anyColours: fc.Arbitrary<ThemeColours> = fc.record({
  accentColor: maybe,
  textColor: maybe,
  backgroundColor: maybe,
  darkAccentColor: maybe,
  darkTextColor: maybe,
  darkBackgroundColor: maybe,
});

/** The ratio by the words of the standard, channel by channel. */
function ratioByStandard(one: string, other: string): number {
  const linear = (byte: number) => (byte / 255 <= 0.03928 ? byte / 255 / 12.92 : ((byte / 255 + 0.055) / 1.055) ** 2.4);
  const light = (text: string) => {
    const [r = 0, g = 0, b = 0] = [...Buffer.from(text.slice(1), 'hex')].map(linear);
    return r * 0.2126 + g * 0.7152 + b * 0.0722;
  };
  const [a, b] = [light(one) + 0.05, light(other) + 0.05];
  return a > b ? a / b : b / a;
}

test.each([
  ['#000000', '#ffffff', 21],
  ['#ffffff', '#ffffff', 1],
  ['#777777', '#ffffff', 4.48], // the lightest grey below 4.5, by the tables of WCAG
  ['#767676', '#ffffff', 4.54],
  ['#ff0000', '#ffffff', 4],
  ['#0000ff', '#ffffff', 8.59],
  ['#00ff00', '#ffffff', 1.37],
])('the contrast of %s and %s is %d to 1', (one, other, ratio) => {
  expect(contrast(one, other)).toBeCloseTo(ratio, 2);
  expect(contrast(other, one)).toBe(contrast(one, other));
});

test('contrast is what the standard computes', () => {
  fc.assert(
    fc.property(colour, colour, (one, other) =>
      expect(contrast(one, other)).toBeCloseTo(ratioByStandard(one, other), 9),
    ),
  );
});

test('text on every colour is black or white, and can be read', () => {
  expect([textOn('#ffd700'), textOn('#1d4ed8')]).toEqual(['#000000', '#ffffff']);
  fc.assert(fc.property(colour, (one) => expect(ratioByStandard(one, textOn(one))).toBeGreaterThanOrEqual(4.5)));
});

test('each text of a palette can be read on each of its backgrounds, whatever the colours', () => {
  fc.assert(
    fc.property(anyColours, fc.constantFrom('light', 'dark'), (colours, scheme) => {
      const { background, ground, tint, accent, onAccent, ...others } = paletteOf(colours, scheme);
      const { text, quiet, good, bad, warn, accentText } = others;
      for (const words of [text, quiet, good, bad, warn, accentText])
        for (const behind of [background, ground, tint])
          expect(ratioByStandard(words, behind)).toBeGreaterThanOrEqual(4.5);
      expect(ratioByStandard(onAccent, accent)).toBeGreaterThanOrEqual(4.5);
    }),
    { numRuns: 500 },
  );
});

test('colours that can be read are shown as they were chosen', () => {
  const colours = withColours({ accentColor: '#7c2d12', textColor: '#1c1917', backgroundColor: '#fffbeb' });
  expect(paletteOf(colours, 'light')).toMatchObject({ text: '#1c1917', background: '#fffbeb', accentText: '#7c2d12' });
  expect(contrastWarnings(colours, null)).toEqual([]);
});

test('a colour without sufficient contrast is named with its ratio, and only if it was chosen', () => {
  // #777777 on white: 4.478 to 1. Gold (#ffd700) on white: (1 + 0.05) / (0.6987 + 0.05) = 1.402.
  expect(contrastWarnings(withColours({ textColor: '#777777', accentColor: '#ffd700' }), null)).toEqual([
    { colour: 'textColor', ratio: 4.47 },
    { colour: 'accentColor', ratio: 1.4 },
  ]);
  expect(contrastWarnings(plain, null)).toEqual([]);
  expect(contrastWarnings(withColours({ darkTextColor: '#333333' }), null)).toMatchObject([
    { colour: 'darkTextColor' },
  ]);
});

test('without an accent of its own, a theme is judged with that of its account', () => {
  const dark = withColours({ backgroundColor: '#111111' });
  // #ffd700 on #111111: (0.6987 + 0.05) / (0.0056 + 0.05) = 13.46; #1d4ed8, with luminance 0.1066: 0.1566 / 0.0556 = 2.82
  expect(contrastWarnings({ ...dark, textColor: '#ffffff' }, '#ffd700')).toEqual([]);
  expect(contrastWarnings({ ...dark, textColor: '#ffffff' }, null)).toEqual([{ colour: 'accentColor', ratio: 2.81 }]);
  expect(contrastWarnings(withColours({ textColor: '#000000' }), '#ffd700')).toEqual([]); // no accent or background was chosen
});

test('an accent is moved only as far as necessary', () => {
  const moved = readableOn(['#ffffff'], '#ffd700', '#000000');
  expect(moved).not.toBe('#000000');
  expect(ratioByStandard(moved, '#ffffff')).toBeLessThan(5);
});
