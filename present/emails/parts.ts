/** The parts of an email. The layout makes both HTML and text of them, so that the two always agree. */
export interface EmailParts {
  /** ISO 639-1 code. */
  language: string;
  direction: 'ltr' | 'rtl';
  subject: string;
  /** Name of the sender. */
  seller: string;
  heading: string;
  /** The most important amount, e.g. "$12.50". */
  figure: string;
  /** Tone of the figure. */
  tone: Tone;
  paragraphs: string[];
  rows: { label: string; value: string }[];
  /** Link to an action or a page. */
  action?: Link;
  /** Files that are not attached, because they are too large or stored elsewhere. */
  links?: Link[];
  footer: string;
}

export interface Link {
  label: string;
  href: string;
}

export type Tone = 'good' | 'bad' | 'plain';
