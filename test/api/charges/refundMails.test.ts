import { expect, test } from '@jest/globals';
import { refundsOfCards } from '../../support/refunds.ts';

const refunds = refundsOfCards();

test.each([
  ['ar', 'قد يستغرق ظهور المبلغ', 'لدى مصرفك بضعة أيام', 'رُدَّ إلى', '15.00'],
  ['de', 'es kann einige Tage dauern', 'bis Ihre Bank das Geld anzeigt', 'Erstattet auf', '15,00'],
  ['en', 'it can take a few days', 'until your bank shows the money', 'Refunded to', '15.00'],
  ['es', 'su banco puede tardar unos días', 'en mostrar el dinero', 'Reembolsado en', '15,00'],
  ['fr', 'quelques jours peuvent passer', 'avant que votre banque n’affiche cette somme', 'Remboursé sur', '15,00'],
  ['he', 'ייתכן שיעברו מספר ימים', 'עד שהבנק יציג את הסכום', 'הוחזר אל', '15.00'],
  ['ja', '返金が銀行の明細に表示されるまで', '数日かかることがあります', '返金先', '15.00'],
  ['zh', '银行可能需要几天', '才会显示这笔退款', '退款至', '15.00'],
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
