import type { Palette, ThemeCorners } from '../look/theme.ts';

/** How a sender looks in its mails. */
export interface MailBrand {
  /** Colour of buttons: #rrggbb. Without a theme it is readable with white text. */
  accent: string;
  /** Absent: the sender has no theme. */
  theme?: { light: Palette; dark: Palette; corners: ThemeCorners } | undefined;
  /** Content-ID of the logo; null: none. */
  logo: string | null;
  /** Postal address in one line; empty: none. */
  address: string;
  /** Says that the mail comes from the sandbox; null: it does not. */
  test: string | null;
}

/** The values of a mail for a customized template. It is plain JSON and is kept with the queued email. */
export interface MailView {
  /** ISO 639-1 code. */
  language: string;
  /** The country whose number and date formats are used. Null: the default of the language. */
  country: string | null;
  /** The parts of the layout that a template does not write. */
  frame: {
    /** The default subject. */
    subject: string;
    seller: string;
    brand: MailBrand;
    footer: string;
    /** Link to the page on which the recipient stops such mails; null: there is none. */
    optOut: { label: string; href: string } | null;
  };
  /** Whether the sender wrote the subject or the message of this mail. A template does not change them. */
  written: { subject: boolean; message: boolean };
  /** Whether the mail only tries out a template. Its subject says so. */
  isTest: boolean;
  variables: Readonly<Record<string, unknown>>;
}
