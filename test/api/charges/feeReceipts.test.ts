import { beforeAll, expect, test } from '@jest/globals';
import type { Answer } from '../../support/api.ts';
import { cash } from '../../support/credits.ts';
import { refundsOfCards } from '../../support/refunds.ts';

/** The convenience fee on receipts: mail and printed page. */

const fees = refundsOfCards();
const fee = (amount: number) => ({ type: 'convenience_fee', amount });

beforeAll(() =>
  fees.books.api.sandbox.patch('/account', { convenience_fee_percent: 3, convenience_fee_places: ['DE'] }),
);

const plain = (html: string) =>
  html
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/&[a-z]+;/g, ' ')
    .replaceAll(/\s+/g, ' ');

/** Charges a new customer of a language for an invoice with a fee. */
async function paid(language: string, cardFee = 3): Promise<Answer['body']> {
  const { books } = fees;
  await books.begin();
  const email = `${language}@example.com`;
  await books.api.sandbox.patch(`/customers/${books.customer}`, { email, language, country: 'DE' });
  const invoice = await books.invoice(100);
  return fees.charge(100 + cardFee, [cash(invoice, 100), ...(cardFee ? [fee(cardFee)] : [])]);
}

/** The rows of the printed receipt: name and amount of each line. */
async function printed(payment: Answer['body']): Promise<string> {
  const url = payment.pdf_url.replace('https://billing.example', fees.books.api.origin).replace(/\/pdf$/, '');
  return plain(await (await fetch(url)).text());
}

/** The text and the HTML of the mail with the receipt. */
async function mailed(language: string): Promise<string[]> {
  const mails = await fees.books.rows(
    `select text, html from email where to_address = ? and template = 'payment_receipt_email' order by id desc limit 1`,
    [`${language}@example.com`],
  );
  return mails.flatMap(({ text, html }) => [plain(String(text)), plain(String(html))]);
}

test.each([
  ['ar', 'رسوم الدفع', '3.00'],
  ['de', 'Zahlungsgebühr', '3,00'],
  ['en', 'Convenience fee', '3.00'],
  ['es', 'Cargo por pago', '3,00'],
  ['fr', 'Frais de paiement', '3,00'],
  ['he', 'עמלת תשלום', '3.00'],
  ['ja', '決済手数料', '3.00'],
  ['zh', '支付手续费', '3.00'],
])('in %s, mail and receipt show the fee as %s', async (language, label, amount) => {
  const payment = await paid(language);
  const row = new RegExp(`${label}[^0-9]{0,12}${amount}`);
  expect(await printed(payment)).toMatch(row);
  expect(await mailed(language)).toEqual([expect.stringMatching(row), expect.stringMatching(row)]);
});

test('a receipt without a fee does not name it', async () => {
  const payment = await paid('en', 0);
  expect(await printed(payment)).not.toContain('Convenience fee');
  expect((await mailed('en')).join()).toMatch(/^((?!Convenience fee).)+$/);
});

test('after a refund the receipt shows the fee that was charged, and what was refunded', async () => {
  const payment = await paid('en');
  await fees.refund(payment, 51.5);
  const shown = await printed(payment);
  expect(shown).toMatch(
    / Invoice INV-\d+ x: US\$100\.00 Invoice total: US\$100\.00 US\$100\.00 Convenience fee US\$3\.00 Amount received US\$103\.00 Refund of 1 March 2027 −US\$51\.50/,
  );
});
