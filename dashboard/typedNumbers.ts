import type { Formats } from './written.ts';

/** Digits without an exponent: unit costs are as small as 0.000000000001. */
export function digitsOf(value: number): string {
  const text = String(value);
  return text.includes('e-') ? value.toFixed(12).replace(/0+$/, '') : text;
}

/** The number that JSON writes with exactly the typed digits; else these digits, or a text that is no number as it is, for the API to refuse. */
export function sentNumber(typed: string, formats: Formats): number | string {
  const plain = formats.plainNumber(typed);
  if (plain === null) return typed.trim();
  const shortest = plain.includes('.') ? plain.replace(/0+$/, '').replace(/\.$/, '') : plain;
  return String(Number(plain)) === shortest.replace(/^(-?)0+(?=\d)/, '$1') ? Number(plain) : plain;
}

/** A number that was typed in one language, as it is typed in another. A text that is no number stays. */
export function retypedNumber(typed: string, [from, to]: readonly [Formats, Formats]): string {
  const two = from.twoNumbers(typed);
  if (two) return to.typedDoubt(two);
  const plain = from.plainNumber(typed);
  return plain === null ? typed : to.typedNumber(plain);
}
