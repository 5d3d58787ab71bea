import type { Statement } from '../../billing/documents/statement.ts';
import { isNegative, isPositive, roundMoney } from '../../billing/money/money.ts';
import { statementWordsOf } from '../../words/statement/words.ts';
import { fill } from '../../words/text.ts';
import { agesOf, periodOf } from '../printed/statement/document.ts';
import type { ViewOf } from '../variables/kinds.ts';
import type { statementVariables } from '../variables/money.ts';
import { mail } from './layout.ts';
import { type LetterFacts, letter } from './letter.ts';
import type { Row } from './parts.ts';
import { ownOf } from './variables.ts';
import { type Writing, writingFor } from './writing.ts';

/** A statement without its lines and past-due invoices, which only the PDF has. */
type MailedStatement = Omit<Statement, 'lines' | 'earlier' | 'late' | 'payable'>;

export interface StatementMailFacts extends LetterFacts {
  statement: MailedStatement;
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
    sentences: [fill(words.mailHere, { period: periodOf(statement, writing) }), owed],
    rows: rowsOf(statement, writing),
    own: ownOf(writing, variablesOf(facts, writing)),
    ...(url === null ? {} : { action: { label: words.view, href: url } }),
  });
});

function variablesOf({ statement, url }: StatementMailFacts, writing: Writing): ViewOf<typeof statementVariables> {
  const { currency, range, type, opening, closing, outstanding, credits, unapplied, deposits } = statement;
  const { formats, language } = writing;
  const ifAny = (amount: string) => (isPositive(amount) ? formats.money(amount) : null);
  return {
    statement: {
      period: periodOf(statement, writing),
      end_on: range.lastDay,
      currency,
      opening_balance: type === 'balance_forward' ? formats.money(opening) : null,
      balance: formats.money(closing),
      balance_number: roundMoney(closing, currency),
      owed: isPositive(closing),
      in_favor: isNegative(closing),
      outstanding: formats.money(outstanding),
      credits: ifAny(credits),
      unapplied: ifAny(unapplied),
      deposits: ifAny(deposits),
      url,
    },
    ages: agesOf(statement, { pen: { formats }, words: statementWordsOf(language) }).map(({ label, value }) => ({
      label,
      amount: value,
    })),
  };
}

function rowsOf(statement: MailedStatement, { formats, language }: Writing): Row[] {
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
