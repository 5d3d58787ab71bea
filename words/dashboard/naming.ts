/** Names of the lists of the dashboard. */
export interface PlaceWords {
  customers: string;
  invoices: string;
  estimates: string;
  credit_notes: string;
  payments: string;
  charges: string;
  refunds: string;
  disputes: string;
  subscriptions: string;
  items: string;
  plans: string;
  coupons: string;
  payment_links: string;
  sign_up_pages: string;
  tasks: string;
  notes: string;
  emails: string;
  events: string;
}

/** Names of fields, as columns and on the pages of objects. */
export interface FieldLabels {
  name: string;
  number: string;
  id: string;
  email: string;
  phone: string;
  address: string;
  attention_to: string;
  active: string;
  type: string;
  currency: string;
  country: string;
  language: string;
  balance: string;
  overdue: string;
  /** What of a payment is not applied yet. */
  unapplied: string;
  oldest_due_date: string;
  payment_terms: string;
  autopay: string;
  payment_source: string;
  credit_hold: string;
  credit_limit: string;
  chase: string;
  chasing_cadence: string;
  owner: string;
  tax_id: string;
  parent_customer: string;
  merged_into: string;
  test_clock: string;
  notes: string;
  created_at: string;
  updated_at: string;
  customer: string;
  status: string;
  date: string;
  due_date: string;
  expiration_date: string;
  subtotal: string;
  total: string;
  deposit: string;
  purchase_order: string;
  next_payment_attempt: string;
  attempt_count: string;
  payment_failure: string;
  expected_payment_date: string;
  expected_payment_status: string;
  written_off: string;
  subscription: string;
  invoice: string;
  reason: string;
  amount: string;
  credit: string;
  method: string;
  reference: string;
  receipt_number: string;
  voided: string;
  matched: string;
  amount_refunded: string;
  gateway: string;
  gateway_id: string;
  failure_message: string;
  payment: string;
  charge: string;
  evidence_due_at: string;
  amount_lost: string;
  fee: string;
  plan: string;
  quantity: string;
  mrr: string;
  recurring_total: string;
  start_date: string;
  period_end: string;
  trial_end: string;
  contract_period_end: string;
  cancel_at_period_end: string;
  canceled_at: string;
  paused: string;
  unit_cost: string;
  description: string;
  gl_account: string;
  interval: string;
  pricing_mode: string;
  value: string;
  is_percent: string;
  enabled: string;
  url: string;
  action: string;
  complete: string;
  held: string;
  outcome: string;
  subject: string;
  template: string;
  state: string;
  user: string;
  timestamp: string;
}

/** Words for the values that a field can have, by the values. */
export interface ChoiceWords {
  invoiceStatus: {
    draft: string;
    not_sent: string;
    sent: string;
    viewed: string;
    past_due: string;
    pending: string;
    paid: string;
    voided: string;
  };
  estimateStatus: {
    draft: string;
    not_sent: string;
    sent: string;
    approved: string;
    invoiced: string;
    declined: string;
    voided: string;
  };
  creditNoteStatus: { draft: string; open: string; paid: string; closed: string; voided: string };
  subscriptionStatus: { not_started: string; active: string; past_due: string; finished: string; canceled: string };
  /** Of charges and refunds. */
  moneyStatus: { pending: string; succeeded: string; failed: string };
  disputeStatus: { open: string; won: string; lost: string; partial: string; withdrawn: string };
  promise: { promised: string; kept: string; broken: string };
  emailState: { queued: string; sent: string; bounced: string; failed: string };
  customerType: { company: string; person: string };
  taskAction: { phone: string; letter: string; email: string; review: string };
  interval: { day: string; week: string; month: string; year: string };
  /** What a mail is, by its built-in template. Those of accounts have names of their own. */
  emailTemplate: {
    new_invoice_email: string;
    unpaid_invoice_email: string;
    paid_invoice_email: string;
    estimate_email: string;
    credit_note_email: string;
    payment_receipt_email: string;
    statement_email: string;
    auto_payment_failed_email: string;
    card_expiring_email: string;
    payment_source_removed_email: string;
    payment_plan_email: string;
    late_payment_reminder_email: string;
    refund_email: string;
    subscription_confirmation_email: string;
    subscription_renews_soon_email: string;
    subscription_canceled_email: string;
    contract_ending_email: string;
    portal_sign_in_email: string;
    portal_email_change_email: string;
    portal_email_changed_email: string;
  };
  /** Reasons of disputes, as Stripe names them. Another gateway may have others. */
  disputeReason: {
    bank_cannot_process: string;
    check_returned: string;
    credit_not_processed: string;
    customer_initiated: string;
    debit_not_authorized: string;
    duplicate: string;
    fraudulent: string;
    general: string;
    incorrect_account_details: string;
    insufficient_funds: string;
    noncompliant: string;
    product_not_received: string;
    product_unacceptable: string;
    subscription_canceled: string;
    unrecognized: string;
  };
  /** Names that the product gives to documents, by these names. */
  documentName: { Invoice: string; Estimate: string; 'Credit Note': string };
  /** Why an automatic payment failed, as timelines name it. */
  paymentFailure: {
    insufficient_funds: string;
    expired: string;
    incorrect_details: string;
    source_blocked: string;
    authentication_required: string;
    try_again_later: string;
    generic_decline: string;
    gateway_unavailable: string;
    gateway_refused: string;
  };
  pricingMode: { per_unit: string; volume: string; tiered: string; custom: string };
  method: {
    ach: string;
    cash: string;
    check: string;
    credit_card: string;
    direct_debit: string;
    eft: string;
    online_wallet: string;
    wire_transfer: string;
    other: string;
  };
  /** Days that move on with the calendar, as filters name them. */
  relativeDays: {
    today: string;
    yesterday: string;
    this_week: string;
    last_7_days: string;
    last_30_days: string;
    next_7_days: string;
    next_30_days: string;
    this_month: string;
    last_month: string;
    this_quarter: string;
    last_quarter: string;
    this_year: string;
    last_year: string;
    before_today: string;
    through_today: string;
    from_today: string;
  };
}
