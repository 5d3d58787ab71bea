import { roundMoney } from '../../billing/money/money.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { CreditNote } from '../../db/schema/creditNote.ts';
import type { Moment } from '../kernel/moment.ts';
import { ledger, post } from '../kernel/posting.ts';

/** Forfeits the balance of a credit note that a request closes. The caller updates its status and records its event. */
export function forfeitCreditNote(em: EntityManager, moment: Moment, creditNote: CreditNote): void {
  if (creditNote.forfeitedAt) return;
  creditNote.forfeitedAt = moment.now;
  postForfeit(em, { moment, creditNote, reason: 'write_off' });
}

/** Reverses the forfeit of a credit note's balance. Does nothing when nothing was forfeited. */
export function reverseForfeit(em: EntityManager, moment: Moment, creditNote: CreditNote): void {
  if (!creditNote.forfeitedAt) return;
  creditNote.forfeitedAt = null;
  postForfeit(em, { moment, creditNote, reason: 'reopen' });
}

function postForfeit(
  em: EntityManager,
  what: { moment: Moment; creditNote: CreditNote; reason: 'write_off' | 'reopen' },
): void {
  const { moment, creditNote, reason } = what;
  const { accountId, currency, id: creditNoteId, date: documentAt } = creditNote;
  const about = { customerId: creditNote.customer.id, invoiceId: null, paymentId: null, creditNoteId };
  const amount = roundMoney(creditNote.balance, currency);
  const { creditNotes, forfeitedCredits } = ledger;
  const [debit, credit] = reason === 'write_off' ? [creditNotes, forfeitedCredits] : [forfeitedCredits, creditNotes];
  post(em, { accountId, currency, reason, ...about, documentAt, postedAt: moment.now }, [{ debit, credit, amount }]);
}
