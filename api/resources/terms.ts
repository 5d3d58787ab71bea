import { parseTerms } from '../../billing/terms.ts';
import * as fields from '../body/fields.ts';
import { readText } from '../body/readers.ts';

function readTerms(value: unknown): string {
  const text = readText(value, 64);
  parseTerms(text);
  return text;
}

/** Terms of an invoice: it keeps those of its payment plan. */
function readInvoiceTerms(value: unknown): string {
  return readText(value, 64) === PAYMENT_PLAN ? PAYMENT_PLAN : readTerms(value);
}

const PAYMENT_PLAN = 'Payment Plan';

export const invoiceTerms = fields.field(readInvoiceTerms, { type: 'string', maxLength: 64, examples: ['NET 30'] });
export const terms = fields.field(readTerms, { type: 'string', maxLength: 64, examples: ['NET 30'] });
