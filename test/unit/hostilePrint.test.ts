import { expect, test } from '@jest/globals';
import { html, printed } from '../../api/pages/kit/html.ts';
import { plainFileName } from '../../billing/look/fileName.ts';
import { hiddenIn, readable } from '../../billing/look/visibleText.ts';
import { webhookDisabledEmail } from '../../present/emails/teamMails.ts';
import { type PrintableInvoice, printInvoice } from '../../present/printed/invoice.ts';
import { acme, northwind, sampleDiscount, sampleInvoice, sampleShipTo, sampleTax } from '../support/printed.ts';

/** An invoice with this text in every field. */
function invoiceOf(own: string, language: string): PrintableInvoice {
  const say = (text: string) => `${text}${own}כהן`;
  const address = { address1: say('1'), address2: say('2'), city: say('c'), state: say('s'), postalCode: say('p') };
  const seller = { ...acme, ...address, name: say('seller'), taxId: say('tax') };
  const buyer = { ...northwind, ...address, name: say('buyer'), attentionTo: say('to'), taxId: say('id'), language };
  return sampleInvoice(
    [
      {
        name: say('line'),
        description: `${say('a')}\n${say('b')}`,
        unitCost: '-1250.5',
        quantity: '2.5',
        discounts: [sampleDiscount(say('coupon'), 8.5, '10.00')],
        taxes: [sampleTax(say('rate'), 7.5, '1.00')],
      },
    ],
    {
      number: say('INV'),
      purchaseOrder: say('PO'),
      notes: `${say('n')}\n${say('m')}`,
      paymentTerms: say('t'),
      shipTo: sampleShipTo({ ...address, name: say('dock'), country: 'EG' }),
    },
    { seller, buyer, language },
  );
}

test.each(['ar', 'en', 'he'])(
  'in %s text that hides something is printed as the same text that hides nothing',
  (language) => {
    const [hostile, plain] = ['\u202e\u200f\u2069\u2068\u200b\u0000\u061c', ''].map((own) =>
      printInvoice(readable(invoiceOf(own, language))),
    );
    expect(hostile).toEqual(plain);
    // The document's own bidi marks around numbers and foreign texts stay.
    expect(JSON.stringify(plain)).toContain('\u2068');
    expect(JSON.stringify(printInvoice(invoiceOf('\u202e', language)))).toContain('\u202e');
  },
);

test('a page shows text without hidden characters, apart from marks of printed documents', () => {
  const name = 'Pay\u202e\u200bPal\u2069 <b>\nLtd';
  expect(html`<p title="${name}">${name}</p>`.html).toBe('<p title="PayPal &lt;b&gt;\nLtd">PayPal &lt;b&gt;\nLtd</p>');
  expect(html`<p>${printed('\u2068כהן\u2069')}</p>`.html).toBe('<p>\u2068כהן\u2069</p>');
});

test('mails and file names contain no hidden characters', () => {
  const webhook = { url: 'https://a.example/\u202e', disabledReason: 'gone\u200b\u0007' };
  const mail = webhookDisabledEmail({ seller: { name: 'A\u202ecme\r\nBcc: x' }, webhook: webhook as never });
  for (const part of [mail.html, mail.text, mail.subject]) expect(hiddenIn(part.replaceAll('\n', ''))).toBeNull();
  expect(mail.text).toContain('Acme Bcc: x');
  expect(plainFileName('in\u200bvoice\u202efdp.exe')).toBe('invoicefdp.exe');
});
