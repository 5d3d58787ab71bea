/** Outcomes of tasks that Perennial completes itself, in words. */
export const taskOutcomes = {
  paid_up: 'everything that it asks for is paid',
  nothing_owed: 'nothing that it asks for is open any more',
  bill_issued: 'the bill was issued',
  bill_voided: 'the bill was voided',
  bill_deleted: 'the bill was deleted',
  promise_kept: 'the promise was kept',
  promise_paid: 'the payment came later than promised',
  promise_closed: 'the invoice was closed',
  promise_voided: 'the invoice was voided',
  promised_again: 'the payment is promised again',
  promise_withdrawn: 'the promise was withdrawn',
  dispute_won: 'the dispute is won',
  dispute_lost: 'the dispute is lost',
  dispute_partial: 'the dispute is lost in part',
  dispute_withdrawn: 'the customer withdrew the dispute',
  address_corrected: 'the customer has another address',
  address_added: 'the customer has an address now',
  address_allowed: 'mail is sent to the address again',
} as const;

export type TaskOutcome = keyof typeof taskOutcomes;
