/** The parts of an email. HTML and text are both rendered from them, so that the two always agree. */
export interface EmailParts {
  /** ISO 639-1 code. */
  language: string;
  direction: 'ltr' | 'rtl';
  subject: string;
  /** Name of the sender. */
  seller: string;
  heading: string;
  /** The most important amount, formatted: "$12.50". */
  figure: string;
  /** A line below the figure, such as when it is due. */
  figureNote?: string | null;
  /** Tone of the figure. */
  tone: Tone;
  paragraphs: string[];
  rows: Row[];
  /** Link to an action or a page. */
  action?: Link;
  /** Links to files that are not attached, because they are too large or stored elsewhere. */
  links?: Link[];
  footer: string;
  /** Link below the footer to the page on which the recipient stops such mails. */
  optOut?: Link;
  /** Variables of customized templates, besides those of every mail. Absent: the mail cannot be customized. */
  own?: OwnVariables;
}

export interface OwnVariables {
  /** The country whose number and date formats are used. */
  country: string | null;
  variables: object;
}

export interface Row {
  label: string;
  value: string;
  /** A second line below the label. */
  detail?: string;
  /** Page to which the label leads. */
  href?: string;
  /** A sum is set in bold. */
  isSum?: true;
}

export interface Link {
  label: string;
  href: string;
}

export type Tone = 'good' | 'bad' | 'plain';
