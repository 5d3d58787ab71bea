/** A date in words: "1 March 2027". */
export function formatDay(at: Date, zone: string, language = 'en'): string {
  return new Intl.DateTimeFormat(language, { dateStyle: 'long', timeZone: zone }).format(at);
}

/** Decimal text as a type that Intl formats without rounding it to a double. */
export function decimalLiteral(text: string): Intl.StringNumericLiteral {
  const isDecimal = (value: string): value is Intl.StringNumericLiteral => /^-?\d+(\.\d+)?$/.test(value);
  if (!isDecimal(text)) throw new Error(`not a decimal: ${text}`);
  return text;
}
