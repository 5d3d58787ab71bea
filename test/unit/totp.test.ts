import { expect, test } from '@jest/globals';
import { newTotpSecret, totpStepOf, totpUri } from '../../billing/people/totp.ts';

/** The secret of RFC 6238, Appendix B, for SHA-1: the ASCII text "12345678901234567890", in base32. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';
const at = (seconds: number) => new Date(seconds * 1000);
const stepOf = (code: string, seconds: number, lastStep: number | null = null) =>
  totpStepOf(code, { secret: SECRET, lastStep }, at(seconds));

/** RFC 6238, Appendix B: seconds, and the code of eight digits. Codes of six digits are its last ones (RFC 4226, section 5.3). */
const vectors: [number, string][] = [
  [59, '94287082'],
  [1_111_111_109, '07081804'],
  [1_111_111_111, '14050471'],
  [1_234_567_890, '89005924'],
  [2_000_000_000, '69279037'],
  [20_000_000_000, '65353130'],
];

test.each(vectors)('at %d the code is %s, as RFC 6238 says', (seconds, code) => {
  const step = Math.floor(seconds / 30);
  expect(stepOf(code.slice(2), seconds)).toBe(step);
  expect(stepOf(` ${code.slice(2, 5)} ${code.slice(5)}`, seconds)).toBe(step); // as apps show it
});

test.each(vectors)(
  'the code of %d counts until the end of the next step, once, and not before its step',
  (seconds, code) => {
    const step = Math.floor(seconds / 30);
    const given = code.slice(2);
    expect(stepOf(given, step * 30)).toBe(step);
    expect(stepOf(given, step * 30 + 59)).toBe(step);
    expect(stepOf(given, step * 30 + 60)).toBeNull();
    expect(stepOf(given, step * 30 - 1)).toBeNull();
    expect(stepOf(given, seconds, step)).toBeNull();
    expect(stepOf(given, seconds, step + 1)).toBeNull();
    expect(stepOf(given, seconds, step - 1)).toBe(step);
  },
);

test.each(['94287082', '28708', '2870820', '28708a', '', '287083', '٢٨٧٠٨٢'])('%p is no code', (code) => {
  expect(stepOf(code, 59)).toBeNull();
});

test('a secret has 160 bits, and its address names product and person', () => {
  const secret = newTotpSecret();
  expect(secret).toMatch(/^[A-Z2-7]{32}$/);
  const uri = new URL(totpUri(secret, 'ada@example.com'));
  expect([uri.protocol, uri.host, decodeURIComponent(uri.pathname)]).toEqual([
    'otpauth:',
    'totp',
    '/Perennial:ada@example.com',
  ]);
  expect(uri.searchParams.get('secret')).toBe(secret);
});
