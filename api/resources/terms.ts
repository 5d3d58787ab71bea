import { parseTerms, refusePlanTerms, termsText } from '../../billing/terms.ts';
import * as fields from '../body/fields.ts';
import { readText } from '../body/readers.ts';

const MOST_CHARACTERS = 64;

/** Reads terms in the one spelling in which they are stored. */
function readTerms(value: unknown): string {
  return termsText(refusePlanTerms(parseTerms(readText(value, MOST_CHARACTERS))));
}

/** Terms of an invoice: it keeps those of its payment plan. */
function readInvoiceTerms(value: unknown): string {
  return termsText(parseTerms(readText(value, MOST_CHARACTERS)));
}

const documented = { type: 'string', maxLength: MOST_CHARACTERS, examples: ['NET 30', '2% 10 NET 30'] };

export const invoiceTerms = fields.field(readInvoiceTerms, documented);
export const terms = fields.field(readTerms, documented);
