/**
 * What timelines tell besides events: planned steps as they are stored, and notices, by the names under which `words/planned` translates
 * them. A stored text never changes: histories of workflows have it, and timelines find the translation by it. The more particular of two
 * texts comes first.
 */
export const stepTexts = {
  first_bill: 'first bill',
  bill_period: 'bill period {number}',
  renewal_notice: 'renewal notice',
  renewal_mailed: 'renewal notice mailed',
  renewal: 'renewal {number}',
  begin_first: 'begin the first period',
  begin_period: 'begin period {number}',
  begin_trial: 'begin the trial',
  finish: 'finish',
  finish_contract: 'finish at the end of the contract',
  pause: 'pause at the end of the period',
  resume: 'resume',
  renew: 'renew the contract',
  await_renewal: 'wait for the renewal of the contract',
  late_usage: 'bill late usage',
  cancel: 'cancel at the end of the period',
  compare_usage: 'compare usage with thresholds',
  contract_notice: 'contract notice',
  discount: 'early-payment discount dropped unless the payment comes',
  discount_review: 'early-payment discount decided again',
  attempt: 'attempt {number} of {count}',
  past_due: 'past due',
  promise: 'promise broken unless the payment comes',
  late_fee: 'late fee',
  late_fee_review: 'late fees computed again',
  credit_review: 'credit applied to further invoices',
  expire: 'expires when the day of expiration_date ends',
  match: 'applies itself to the invoices that it names',
  ask_payer: 'ask the payment gateway whether the payer has authenticated',
  ask_charge: 'ask the payment gateway whether the payment was made',
  ask_refund: 'ask the payment gateway whether the refund was made',
  ask_vault: 'ask the payment gateway whether the {source} was saved',
  ask_verify_source: 'ask the payment gateway whether the {source} was verified',
  ask_delete_source: 'ask the payment gateway to delete the {source}',
  ask_reversals: 'ask the payment gateway for a return or disputes of the charge',
  card_expires_tomorrow: 'mails that the card expires, 1 day ahead',
  card_expires: 'mails that the card expires, {days} days ahead',
  chase_later: 'step {number}: {action}, after other work that is due',
  chase: 'step {number} of {count}: {action}',
  chase_invoice_later: '{action}, after other work that is due',
  unnumbered_unmailed: 'invoice {invoice} not mailed: task {id} made',
  chase_invoice: 'invoice {id}: {action}',
  plan: 'plans the next step',
  plan_own: 'plans its next step',
  statement: 'statement of account',
  try_again: 'try again',
  card_mailed: 'card expiry notice mailed',
  contract_mailed: 'contract notice mailed',
  reminders_stopped: 'reminders to {address} stopped',
  reminders_resumed: 'reminders to {address} resumed',
  reminder_text: 'reminder queued as a text',
  reminder_task: 'task {id} made: {action}',
  statement_task: 'account statement of {month} in {currency}: task {id} made, because there is no address',
  text_failed: 'text {id} {state}: {reason}',
  text_ended: 'text {id} {state}',
  unmailed: '{number} not mailed: task {id} made',
} as const;

export type StepText = keyof typeof stepTexts;

/** A text with its values. */
export function stepText(name: StepText, values: Readonly<Record<string, string | number>>): string {
  return stepTexts[name].replace(/\{(\w+)\}/g, (whole, value: string) => String(values[value] ?? whole));
}
