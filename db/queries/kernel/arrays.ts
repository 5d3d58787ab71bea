/** An array of texts as one value. The statement stays the same for any number of texts, so it is planned once. */
export function textArray(texts: Iterable<string>): string {
  return `{${[...texts].map((text) => `"${text.replaceAll(/["\\]/g, '\\$&')}"`).join(',')}}`;
}

/** An array of numbers, ids or decimal texts as one value of a statement. */
export function numberArray(numbers: Iterable<number | string>): string {
  return `{${[...numbers].join(',')}}`;
}
