import type { Statement, StatementLine } from '../../billing/documents/statement.ts';
import { orNull, type Presented, sumNumber, unix } from '../kernel/values.ts';

export function presentStatement(customerId: number, statement: Statement): Presented {
  const { type, currency, range, opening, earlier, lines, closing, outstanding, credits, unapplied, deposits } =
    statement;
  const { current, days1To30, days31To60, days61To90, over90 } = statement.ages;
  return {
    customer: customerId,
    type,
    items: type === 'open_item' ? statement.items : null,
    currency,
    start: range.from ? unix(range.from) : null,
    end: unix(new Date(range.until.getTime() - 1)),
    opening_balance: sumNumber(opening),
    earlier_count: earlier.count,
    earlier_amount: sumNumber(earlier.amount),
    lines: lines.map(presentLine),
    closing_balance: sumNumber(closing),
    total_outstanding: sumNumber(outstanding),
    available_credits: sumNumber(credits),
    unapplied_payments: sumNumber(unapplied),
    deposits: sumNumber(deposits),
    aging: {
      current: sumNumber(current),
      days_1_30: sumNumber(days1To30),
      days_31_60: sumNumber(days31To60),
      days_61_90: sumNumber(days61To90),
      over_90: sumNumber(over90),
    },
  };
}

function presentLine(line: StatementLine): Presented {
  return {
    type: line.type,
    date: line.date ? unix(line.date) : null,
    due_date: line.dueAt ? unix(line.dueAt) : null,
    days_past_due: line.daysPastDue === null ? null : Math.max(0, line.daysPastDue),
    number: orNull(line.number),
    invoice: line.invoiceId,
    payment: line.paymentId,
    credit_note: line.creditNoteId,
    refund: line.refundId,
    amount: sumNumber(line.amount),
    balance: sumNumber(line.balance),
  };
}
