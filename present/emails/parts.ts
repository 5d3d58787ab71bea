/** One email in parts: the layout makes html and text of them, so that both always say the same. */
export interface EmailParts {
  /** Two letters. */
  language: string;
  direction: 'ltr' | 'rtl';
  subject: string;
  /** Who writes. */
  seller: string;
  heading: string;
  /** The figure that matters, e.g. "$12.50". */
  figure: string;
  /** Tone of the figure. */
  tone: Tone;
  paragraphs: string[];
  rows: { label: string; value: string }[];
  /** What there is to do or to see. */
  action?: Link;
  /** Files that are too large to come along, or kept elsewhere. */
  links?: Link[];
  footer: string;
}

export interface Link {
  label: string;
  href: string;
}

export type Tone = 'good' | 'bad' | 'plain';
