import { isNegative, isPositive } from '../../billing/money.ts';
import type { Statement } from '../../billing/statement.ts';
import { fill } from '../printed/labels.ts';
import { agesOf, periodOf } from '../printed/statement/document.ts';
import { statementWordsOf } from '../printed/statement/words.ts';
import { mail } from './layout.ts';
import { type LetterFacts, letter } from './letter.ts';
import type { Row } from './parts.ts';
import { type Writing, writingFor } from './writing.ts';

export interface StatementMailFacts extends LetterFacts {
  statement: Statement;
  /** URL of the latest statement; null: the customer has none yet. */
  url: string | null;
}

/** Template statement_email: the balance, what it consists of, and the open invoices by age. The PDF is attached. */
export const statementEmail = mail((facts: StatementMailFacts) => {
  const { seller, customer, statement, url } = facts;
  const { currency, closing } = statement;
  const writing = writingFor(seller, customer, { currency, timeZone: seller.timeZone });
  const words = statementWordsOf(writing.language);
  const { formats } = writing;
  const amount = formats.money(isNegative(closing) ? closing.slice(1) : closing);
  const owed = isPositive(closing) ? words.mailOwes : isNegative(closing) ? words.mailHas : words.mailNothing;
  return letter(facts, writing, {
    subject: fill(words.mailSubject, { seller: seller.name }),
    heading: words.mailHeading,
    figure: amount,
    tone: 'plain',
    sentences: [fill(words.mailHere, { period: periodOf(statement, writing) }), fill(owed, { amount })],
    rows: rowsOf(statement, writing),
    ...(url === null ? {} : { action: { label: words.view, href: url } }),
  });
});

function rowsOf(statement: Statement, { formats, language }: Writing): Row[] {
  const words = statementWordsOf(language);
  const { opening, credits, unapplied, deposits, outstanding, closing, type } = statement;
  const parts = [
    { label: words.openInvoices, value: formats.money(outstanding) },
    ...[
      { label: words.credit, amount: credits },
      { label: words.notApplied, amount: unapplied },
      { label: words.deposits, amount: deposits },
    ].flatMap(({ label, amount }) => (isPositive(amount) ? [{ label, value: formats.less(amount) }] : [])),
  ];
  return [
    ...(type === 'balance_forward' ? [{ label: words.openingBalance, value: formats.money(opening) }] : []),
    ...(statement.items === 'open' ? parts : []),
    { label: statement.items === 'open' ? words.closingBalance : words.pastDueTotal, value: formats.money(closing) },
    ...agesOf(statement, { pen: { formats }, words }),
  ];
}
