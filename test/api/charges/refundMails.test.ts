import { expect, test } from '@jest/globals';
import { refundsOfCards } from '../../support/refunds.ts';

const refunds = refundsOfCards();

test.each([
  ['ar', 'أعدنا إليك مبلغًا من دفعتك.', 'لدى مصرفك', 'رُدَّ إلى', '15.00'],
  ['de', 'wir haben Ihnen Geld aus Ihrer Zahlung zurückgesendet.', 'bis Ihre Bank', 'Erstattet auf', '15,00'],
  ['en', 'we sent money of your payment back to you.', 'until your bank shows it', 'Refunded to', '15.00'],
  ['es', 'le hemos devuelto dinero de su pago.', 'Su banco puede tardar', 'Reembolsado en', '15,00'],
  ['fr', 'nous vous avons reversé une somme de votre paiement.', 'votre banque', 'Remboursé sur', '15,00'],
  ['he', 'שלחנו אליך בחזרה כסף מהתשלום שלך.', 'עד שהבנק יציג', 'הוחזר אל', '15.00'],
  ['ja', 'お支払いいただいた金額を返金いたしました。', '銀行の明細', '返金先', '15.00'],
  ['zh', '我们已将您付款中的款项退还给您。', '银行可能需要几天', '退款至', '15.00'],
])('the refund mail in %s', async (language, ...says) => {
  const { sandbox } = refunds.books.api;
  const email = `${language}@example.com`;
  await sandbox.patch(`/customers/${refunds.books.customer}`, { email, language });
  const { payment } = await refunds.paidInvoice(40);
  await refunds.refund(payment, 15);
  const sent = await refunds.books.rows(
    `select text, html from email where to_address = ? and template = 'refund_email'`,
    [email],
  );
  expect(sent).toHaveLength(1);
  for (const said of says) {
    expect(String(sent[0]?.text)).toContain(said);
    expect(String(sent[0]?.html)).toContain(said);
  }
});
