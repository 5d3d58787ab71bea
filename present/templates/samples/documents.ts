import type { InvoiceTemplate } from '../../../billing/mail/emailTemplates.ts';
import { creditNoteEmail } from '../../emails/creditNote.ts';
import { estimateEmail } from '../../emails/estimate.ts';
import { invoiceEmail } from '../../emails/invoice.ts';
import type { RenderedEmail } from '../../emails/layout.ts';
import { statementEmail } from '../../emails/statement.ts';
import { writingFor } from '../../emails/writing.ts';
import type { PrintableLine } from '../../printed/lines.ts';
import { totalsOf } from '../../printed/totals.ts';
import { DAYS, documentOf, NO_PAGE, PRICE, type SampleFacts } from './facts.ts';

const asUsual = { subject: null, message: null, links: [] };

/** An invoice with the texts of its template: open, past due or paid. */
export const sampleInvoice = (template: InvoiceTemplate) => (facts: SampleFacts) => {
  const paid = template === 'paid_invoice_email';
  const isPastDue = template === 'unpaid_invoice_email';
  const invoice = {
    ...documentOf(facts, 'INV-00042'),
    discounts: [],
    taxes: [],
    dueAt: isPastDue ? DAYS.wasDue : DAYS.due,
    total: PRICE,
    balance: paid ? '0' : PRICE,
    paid,
    closed: paid,
    pending: false,
    pastDue: isPastDue,
    nextPaymentAttemptAt: null,
  };
  const lines = [lineOf(facts)];
  return listed(invoiceEmail({ ...facts, ...asUsual, invoice, template, early: null, lines, ask: null }), facts);
};

const lineOf = ({ words }: SampleFacts): PrintableLine => ({
  name: words.plan,
  description: null,
  quantity: '1',
  unitCost: PRICE,
  amount: PRICE,
  discounts: [],
  taxes: [],
  discountable: true,
  taxable: true,
  periodStartAt: null,
  periodEndAt: null,
});

export function sampleEstimate(facts: SampleFacts): RenderedEmail {
  const money = { total: PRICE, deposit: '50', depositReceived: '0', depositPaid: false, closed: false };
  const estimate = { ...documentOf(facts, 'EST-00007'), ...money, expiresAt: DAYS.due, status: 'sent' as const };
  return listed(estimateEmail({ ...facts, ...asUsual, estimate }), facts);
}

export function sampleCreditNote(facts: SampleFacts): RenderedEmail {
  const creditNote = { ...documentOf(facts, 'CN-00003'), total: PRICE };
  const none = { further: '0', credited: '0', left: '0', lapsed: '0', excess: '0' };
  const told = { story: { uses: [], ...none, open: PRICE }, pays: true };
  return listed(creditNoteEmail({ ...facts, ...asUsual, creditNote, told }), facts);
}

/** 309 of open invoices less 20 of credit, 30 of payments and 10 of deposits is 249. */
export function sampleStatement(facts: SampleFacts): RenderedEmail {
  const ages = { current: '249', days1To30: '60', days31To60: '0', days61To90: '0', over90: '0' };
  const sums = { outstanding: '309', credits: '20', unapplied: '30', deposits: '10', ages };
  const statement = {
    type: 'balance_forward' as const,
    items: 'open' as const,
    currency: facts.currency,
    range: { from: DAYS.start, until: DAYS.end, lastDay: '2026-12-31' },
    opening: '100',
    closing: PRICE,
    ...sums,
  };
  return statementEmail({ ...facts, ...asUsual, statement, url: NO_PAGE });
}

/** The mail with the lines and sums of its document among its values. */
function listed(mail: RenderedEmail, facts: SampleFacts): RenderedEmail {
  const { view } = mail;
  if (!view) return mail;
  const { currency } = facts;
  const writing = writingFor(facts.seller, facts.customer, { currency, timeZone: 'UTC' });
  const printed = totalsOf({ lines: [lineOf(facts)], currency, total: PRICE, discounts: [], taxes: [] }, writing);
  const lines = printed.lines.map(({ unitCost, name, quantity, amount, discounts }) => {
    return { name, quantity, unit_cost: unitCost, amount, discounts };
  });
  const sums = printed.sums.map(({ label, value }) => ({ label, value }));
  return { ...mail, view: { ...view, variables: { ...view.variables, lines, sums } } };
}
