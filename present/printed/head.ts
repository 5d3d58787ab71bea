import { readable } from '../../billing/colour.ts';
import type { ShipTo } from '../../billing/shipTo.ts';
import type { BillToSnapshot, SellerSnapshot } from '../../billing/snapshot.ts';
import { type Address, addressLines, nonEmpty, paperOf } from './address.ts';
import type { PrintedDocument, PrintedParty } from './document.ts';
import { directionOf, type Formats, formatsOf, isolated } from './formats.ts';
import { fill, labelsOf } from './labels.ts';
import { readerOf } from './reader.ts';
import type { Labels } from './wording.ts';

/** Who a document is between, and how its time and money are told. */
export interface Between {
  seller: SellerSnapshot;
  /** Null: nobody knows yet whose money it is. */
  buyer: BillToSnapshot | null;
  /** Two letters. */
  language: string;
  shipTo?: ShipTo | null | undefined;
  currency: string;
  timeZone: string;
}

/** What every part of a document is written with. */
export interface Pen {
  formats: Formats;
  labels: Labels;
  /** What people wrote. */
  own(text: string): string;
}

const ACCENT = '#1d4ed8';

/** How a document is written: all of it for one reader. */
export function penFor({ seller, buyer, language: wanted, currency, timeZone }: Between): Pen & { language: string } {
  const { language, country } = readerOf({ customer: buyer, seller, language: wanted });
  const direction = directionOf(language);
  return {
    ...{ language, labels: labelsOf(language), own: (text) => isolated(text, direction) },
    formats: formatsOf({ language, country, currency, timeZone }),
  };
}

/** What stands above the lines of every document, but its title and its figure. */
export function headOf(
  between: Between,
  pen: Pen & { language: string },
): Pick<PrintedDocument, 'language' | 'direction' | 'paper' | 'accent' | 'logo' | 'seller' | 'parties' | 'footer'> {
  const { seller, buyer, shipTo } = between;
  const { labels, language, own } = pen;
  const countryOf = countriesIn(between, pen.formats);
  const taxId = seller.taxId ? fill(labels.taxId, { id: seller.taxId }) : null;
  const addressed = addressLines(seller, countryOf(seller)).map(own);
  const billed = buyer ? [{ label: labels.billTo, ...partyOf(buyer, countryOf(buyer), pen) }] : [];
  const shipped = shipTo ? [{ label: labels.shipTo, ...partyOf(shipTo, countryOf(shipTo), pen) }] : [];
  return {
    ...{ language, direction: directionOf(language), paper: paperOf(seller.country) },
    ...{ accent: readable(seller.accentColor ?? ACCENT), logo: null },
    seller: { name: own(seller.name), lines: nonEmpty([...addressed, seller.email, taxId]) },
    parties: [...billed, ...shipped],
    footer: [own(seller.name), addressed.join(', '), taxId].filter((part) => part).join(' · '),
  };
}

function partyOf(
  party: Address & { name: string | null; taxId?: string | null },
  country: string | null,
  { labels, own }: Pen,
): PrintedParty {
  const attention = party.attentionTo ? fill(labels.attention, { name: party.attentionTo }) : null;
  const taxId = party.taxId ? fill(labels.taxId, { id: party.taxId }) : null;
  return {
    name: own(party.name ?? ''),
    lines: nonEmpty([attention, ...addressLines(party, country).map(own), taxId]),
  };
}

/** Countries are named where there is more than one. */
function countriesIn({ seller, buyer, shipTo }: Between, formats: Formats): (address: Address) => string | null {
  const countries = new Set(nonEmpty([seller.country, buyer?.country, shipTo?.country]));
  return ({ country }) => (country && countries.size > 1 ? formats.country(country) : null);
}

/** What stands at the edges of pages. */
export function labelsOfPages({ labels, formats }: Pen): PrintedDocument['labels'] {
  const { page, carriedForward, broughtForward } = labels;
  return { page, carriedForward, broughtForward, digits: [...'0123456789'].map(formats.quantity).join('') };
}
