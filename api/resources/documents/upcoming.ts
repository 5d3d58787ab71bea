import * as shown from '../../framework/shape.ts';
import { creditNote } from '../creditNotes/resource.ts';
import { estimate } from '../estimates/resource.ts';
import { invoice } from '../invoices/shape.ts';
import { discount, lineItem, tax } from './shape.ts';

const noId = { id: shown.unset(shown.id('Id of the object; always null, because it does not exist')) };

const noNumber = {
  number: shown.unset(shown.text('Number of the document; always null, because it is not issued', 'INV-00001')),
};

const noAddress = {
  url: shown.unset(shown.documentUrl('URL of its page for the customer; always null', 'invoice/77')),
  pdf_url: shown.unset(shown.documentPdf('invoice/77', '; always null')),
};

const adjustments = {
  discounts: shown.listOf(
    shown.extended(discount, 'UpcomingDiscount', noId),
    'Discounts, in the order in which they are applied',
  ),
  taxes: shown.listOf(shown.extended(tax, 'UpcomingTax', noId), 'Taxes, by tax rate or as amounts'),
};

const items = shown.listOf(
  shown.extended(lineItem, 'UpcomingLineItem', { ...noId, ...adjustments }),
  'Lines of the document',
);

const content = { items, ...adjustments };

export const upcomingInvoice = {
  ...shown.extended(invoice, 'UpcomingInvoice', {
    ...noId,
    ...noNumber,
    ...noAddress,
    payment_url: shown.unset(shown.documentUrl('URL of the page on which it is paid; always null', 'invoice/77')),
    ...content,
    customer: shown.nullable(shown.id('Id of the customer; null: a preview without a customer')),
    subscription: shown.unset(shown.id('Id of the subscription that it bills; null: it does not exist yet')),
    draft: shown.flag('True: it would wait as a draft, because of the credit hold or limit of the customer', false),
    date: shown.nullable(shown.timestamp('Date of the document; null in a preview')),
    balance: shown.money('Open amount after credit notes and credit balance have paid their part', 240),
    created_at: shown.nullable(shown.timestamp('Time of the issue; null in a preview')),
    updated_at: shown.nullable(shown.timestamp('Time of the issue; null in a preview')),
  }),
  description: 'Invoice as it would be issued',
};

export const upcomingCreditNote = {
  ...shown.extended(creditNote, 'UpcomingCreditNote', {
    ...noId,
    ...noNumber,
    ...noAddress,
    ...content,
    invoice: shown.unset(shown.id('Id of the existing invoice that it corrects; null: none')),
  }),
  description: 'Credit note as it would be issued',
};

export const upcomingEstimate = {
  ...shown.extended(estimate, 'UpcomingEstimate', {
    ...noId,
    ...noNumber,
    url: shown.unset(shown.documentUrl('URL of its page for the customer; always null', 'estimate/57')),
    pdf_url: shown.unset(shown.documentPdf('estimate/57', '; always null')),
    payment_url: shown.unset(
      shown.documentUrl('URL of the page on which its deposit is paid; always null', 'estimate/57'),
    ),
    ...content,
  }),
  description: 'Estimate as it would be issued',
};
