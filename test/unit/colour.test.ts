import { expect, test } from '@jest/globals';
import { parseColour, readableColour } from '../../billing/look/colour.ts';

test('a colour is six hexadecimal digits', () => {
  expect(['#1D4ED8', '#000000'].map(parseColour)).toEqual(['#1d4ed8', '#000000']);
  expect(['1d4ed8', '#1d4', 'blue', '#1d4ed8ff', '#1d4edg', ''].map(parseColour)).toEqual(Array(6).fill(null));
});

test('a readable colour stays, and an unreadable one is darkened until it is readable', () => {
  expect(['#1d4ed8', '#000000', '#767676'].map(readableColour)).toEqual(['#1d4ed8', '#000000', '#767676']); // 4.54 to 1
  for (const light of ['#ffff00', '#ffffff', '#7fffd4', '#777777']) {
    const dark = readableColour(light);
    expect(dark).not.toBe(light);
    expect(readableColour(dark)).toBe(dark);
  }
  expect(readableColour('#ffff00')).toMatch(/^#([0-9a-f]{2})\1[0]{2}$/); // yellow stays yellow
});
