import type { Reader } from '../../present/emails/writing.ts';

/** The reader of a mail in a language; null: its own. */
export function readerIn<Of extends Reader>(customer: Of, language: string | null): Of | Reader {
  if (language === null) return customer;
  const { number, country, shownTheme = null } = customer;
  return { number, country, shownTheme, language };
}
