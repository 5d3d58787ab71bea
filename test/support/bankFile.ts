// What the files of banks have in common.

export type Bytes = 'utf8' | 'windows-1252' | 'utf-16le' | 'utf-16be' | 'utf-16le without a mark' | 'utf-8 with a mark';

/** The characters of Windows-1252 that these files use outside Latin-1. */
const euro = (text: string) => Buffer.from(text.replaceAll('€', '\u0080'), 'latin1');

export const encoded: Readonly<Record<Bytes, (text: string) => Buffer>> = {
  utf8: (text) => Buffer.from(text),
  'utf-8 with a mark': (text) => Buffer.from(`\ufeff${text}`),
  'windows-1252': euro,
  'utf-16le': (text) => Buffer.from(`\ufeff${text}`, 'utf16le'),
  'utf-16le without a mark': (text) => Buffer.from(text, 'utf16le'),
  'utf-16be': (text) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16(),
};

export interface BankFile {
  name: string;
  text: string;
  bytes?: Bytes;
  fields?: Readonly<Record<string, string>>;
  receipts: readonly string[];
  /** Rows that are no receipts, as `row reason` or `row param`. */
  others?: readonly string[];
}

export const lines = (...all: string[]) => all.join('\r\n');
export const german = { date_format: 'DD.MM.YYYY', decimal_separator: ',' };

/** `date=Buchungstag` becomes `mapping[date]=Buchungstag`. */
export const mapped = (columns: Record<string, string>, more: Record<string, string> = {}) => ({
  ...Object.fromEntries(Object.entries(columns).map(([name, column]) => [`mapping[${name}]`, column])),
  ...more,
});

export const simple = (columns: Record<string, string> = {}, more: Record<string, string> = {}) =>
  mapped({ date: 'Date', amount: 'Amount', reference: 'Text', ...columns }, more);
