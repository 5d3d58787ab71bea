import { type ShownField, unfitValue } from '../../billing/customFields.ts';
import type { ShipTo } from '../../billing/documents/shipTo.ts';
import type { BillToSnapshot, SellerSnapshot } from '../../billing/documents/snapshot.ts';
import { type TaxIdKind, taxIdName } from '../../billing/documents/taxId.ts';
import { readableColour } from '../../billing/look/colour.ts';
import { paletteOf } from '../../billing/look/theme.ts';
import type { AccountingWords } from '../../words/accounting/wording.ts';
import { accountingWordsOf } from '../../words/accounting/words.ts';
import { type Address, addressLines, nonEmpty, paperOf } from '../../words/address.ts';
import type { Labels } from '../../words/labels/wording.ts';
import { labelsOf } from '../../words/labels/words.ts';
import { fill } from '../../words/text.ts';
import type { PrintedDocument, PrintedFact, PrintedParty, PrintedTheme } from './document.ts';
import { directionOf, type Formats, formatsOf, isolated } from './formats.ts';
import { readerOf } from './reader.ts';

/** The parties of a document, and the language, currency and time zone in which it is written. */
export interface Between {
  seller: SellerSnapshot;
  /** Null: the payment has no known customer yet. */
  buyer: BillToSnapshot | null;
  /** ISO 639-1 code. */
  language: string;
  shipTo?: ShipTo | null | undefined;
  currency: string;
  timeZone: string;
  /** The document's own custom fields that its customer may see. Unset: none. */
  fields?: readonly ShownField[] | undefined;
  /** Whether it is a document of the sandbox. Unset: it is not. */
  isTest?: true | undefined;
}

/** The formats and labels with which all parts of one document are written. */
export interface Pen {
  formats: Formats;
  labels: Labels;
  accounting: AccountingWords;
  /** Isolates text that people wrote from the writing direction of the document. */
  own(text: string): string;
}

const ACCENT = '#1d4ed8';

/** The pen for a document and its reader. */
export function penFor({ seller, buyer, language: wanted, currency, timeZone }: Between): Pen & { language: string } {
  const { language, country } = readerOf({ customer: buyer, seller, language: wanted });
  const direction = directionOf(language);
  return {
    language,
    labels: labelsOf(language),
    accounting: accountingWordsOf(language),
    own: (text) => isolated(text, direction),
    formats: formatsOf({ language, country, currency, timeZone }),
  };
}

/** The parts that all documents have in common, except title and figure. */
export function headOf(
  between: Between,
  pen: Pen & { language: string },
): Pick<
  PrintedDocument,
  'language' | 'direction' | 'paper' | 'accent' | 'theme' | 'logo' | 'test' | 'seller' | 'parties' | 'footer'
> {
  const { seller, buyer, shipTo } = between;
  const { labels, language, own } = pen;
  const theme = themeOf(seller);
  const countryOf = countriesIn(between, pen.formats);
  const { taxIdKind: kind = null, taxIdCountry } = seller;
  const taxId = taxIdLine(seller.taxId, { kind, country: taxIdCountry ?? seller.country }, pen);
  const addressed = addressLines(seller, countryOf(seller)).map(own);
  const headLine = nonEmpty([own(seller.name), addressed.join(', '), taxId]).join(' · ');
  const billed = buyer ? [{ label: labels.billTo, ...partyOf(buyer, countryOf(buyer), pen) }] : [];
  const shipped = shipTo ? [{ label: labels.shipTo, ...partyOf(shipTo, countryOf(shipTo), pen) }] : [];
  return {
    language,
    direction: directionOf(language),
    paper: paperOf(seller.country),
    accent: theme?.light.accentText ?? readableColour(seller.accentColor ?? ACCENT),
    theme,
    logo: null,
    test: between.isTest ? labels.testDocument : null,
    seller: { name: own(seller.name), lines: nonEmpty([...addressed, seller.email, taxId]) },
    parties: [...billed, ...shipped],
    footer: nonEmpty([headLine, seller.footer ? own(seller.footer) : null]).join('\n'),
  };
}

/** The custom fields of a document and its customer. A value that does not fit its type is printed as it is. */
export function fieldFacts({ fields = [], buyer }: Pick<Between, 'fields' | 'buyer'>, pen: Pen): PrintedFact[] {
  return [...fields, ...(buyer?.fields ?? [])].map((field) => ({
    label: pen.own(field.name),
    value: fieldValue(field, pen),
  }));
}

function fieldValue({ type, value }: ShownField, { labels, formats, own }: Pen): string {
  if (unfitValue({ type, choices: [value] }, value) !== null) return own(value);
  switch (type) {
    case 'boolean':
      return value === 'true' ? labels.yes : labels.no;
    case 'integer':
    case 'double':
      return formats.quantity(value);
    case 'money':
      return formats.price(value);
    case 'date':
      return formats.date(value);
    default:
      return own(value);
  }
}

/** The look of the seller's theme; null: it has none. A theme without an accent has the account's. */
export function themeOf({ theme, accentColor }: Pick<SellerSnapshot, 'theme' | 'accentColor'>): PrintedTheme | null {
  if (!theme) return null;
  const { font, corners, ...colours } = theme;
  const chosen = { ...colours, accentColor };
  return { light: paletteOf(chosen, 'light'), dark: paletteOf(chosen, 'dark'), font, corners };
}

function partyOf(
  party: Address & { name: string | null; taxId?: string | null },
  country: string | null,
  pen: Pen,
): PrintedParty {
  const { labels, own } = pen;
  const attention = party.attentionTo ? fill(labels.attention, { name: party.attentionTo }) : null;
  const taxId = taxIdLine(party.taxId, { kind: null, country: party.country ?? null }, pen);
  return {
    name: own(party.name ?? ''),
    lines: nonEmpty([attention, ...addressLines(party, country).map(own), taxId]),
  };
}

/** A tax id with the name that it has in its country. */
function taxIdLine(
  id: string | null | undefined,
  of: { kind: TaxIdKind | null; country: string | null },
  { labels, own }: Pen,
): string | null {
  if (!id) return null;
  const name = taxIdName(id, of);
  return own(name === null ? fill(labels.taxId, { id }) : `${name} ${id}`);
}

/** Returns a function for the name of an address's country. It returns null if all parties are in the same country. */
function countriesIn({ seller, buyer, shipTo }: Between, formats: Formats): (address: Address) => string | null {
  const countries = new Set(nonEmpty([seller.country, buyer?.country, shipTo?.country]));
  return ({ country }) => (country && countries.size > 1 ? formats.country(country) : null);
}

/** The labels at page breaks and in the footer. */
export function labelsOfPages({ labels, formats }: Pen): PrintedDocument['labels'] {
  const { page, carriedForward, broughtForward } = labels;
  return { page, carriedForward, broughtForward, digits: [...'0123456789'].map(formats.quantity).join('') };
}

interface Words {
  labels: Labels;
  accounting: AccountingWords;
}

/** Stamps of a document. */
export const marks = {
  void: ({ labels }: Words) => ({ text: labels.void, tone: 'bad', isAcross: true }),
  draft: ({ labels }: Words) => ({ text: labels.draft, tone: 'quiet', isAcross: true }),
  paid: ({ labels }: Words) => ({ text: labels.paid, tone: 'good', isAcross: false }),
  late: ({ accounting }: Words) => ({ text: accounting.pastDue, tone: 'bad', isAcross: false }),
} satisfies Record<string, (words: Words) => PrintedDocument['mark']>;
