import type { Plural } from '../text.ts';

/** Names of the reports of the API. */
export interface ReportTitles {
  aging: string;
  open_items: string;
  roll_forward: string;
  cash_received: string;
  unapplied: string;
  credits: string;
  refunds_and_disputes: string;
  write_offs: string;
  dso: string;
  promises: string;
  recovery: string;
  mrr: string;
  customers: string;
  churn: string;
  cohorts: string;
  mrr_movements: string;
  upcoming: string;
  scheduled_mrr: string;
  sales: string;
  tax: string;
  deferred_revenue: string;
  usage: string;
  trial_balance: string;
  journal: string;
}

/** Kinds of what waits for a person. */
export interface WaitingWords {
  problems: Plural;
  disputes: Plural;
  held_bills: Plural;
  tasks: Plural;
  unapplied_payments: Plural;
}

/** Kinds of what the next days bring. */
export interface AheadWords {
  renewals: Plural;
  charges: Plural;
  installments: Plural;
  due: Plural;
  promises: Plural;
  evidence: Plural;
  tasks: Plural;
  mails: Plural;
}

/** What moves recurring revenue. */
export interface MovementWords {
  new: string;
  reactivation: string;
  expansion: string;
  contraction: string;
  churn: string;
}

/** The steps with which an account goes live: what is done, and why. */
export interface GoLiveWords {
  business: StepWords;
  tax: StepWords;
  gateway: StepWords;
  mail_sender: StepWords;
  first_invoice: StepWords;
  colleague: StepWords;
}

export interface StepWords {
  title: string;
  why: string;
}

/** Ages of open amounts, by the ids of the buckets. */
export interface AgeWords {
  not_due: string;
  days_1_30: string;
  days_31_60: string;
  days_61_90: string;
  days_91_120: string;
  over_120: string;
}

/** Names of the views that each list has from the start. */
export interface PresetWords {
  /** What they are together. */
  ready: string;
  all: string;
  unpaid: string;
  payment_failed: string;
  past_due: string;
  drafts: string;
  paid: string;
  owing: string;
  overdue: string;
  on_hold: string;
  unapplied: string;
  to_do: string;
  done: string;
  due_soon: string;
  this_month: string;
  due_now: string;
  renewing: string;
  in_trial: string;
  paused: string;
  ending: string;
  contract_ending: string;
}

/** Texts of Home, of the palette and of what numbers lead to, in one language. Names in braces are placeholders. */
export interface OverviewWords {
  presets: PresetWords;
  palette: {
    /** Name of the dialog and of its field. */
    title: string;
    hint: string;
    recent: string;
    places: string;
    acts: string;
    newCustomer: string;
    contacts: string;
    searching: string;
    nothing: string;
    keys: string;
    found: Plural;
    all: string;
    incomplete: string;
    status: { applied: string; unapplied: string; voided: string; open: string; complete: string };
  };
  home: {
    asOf: string;
    refreshes: string;
    incomplete: string;
    owed: string;
    open: Plural;
    overdue: string;
    nothingOwed: string;
    byCustomer: string;
    mostOverdue: string;
    age: string;
    amount: string;
    ages: AgeWords;
    money: string;
    thisMonth: string;
    lastMonthSoFar: string;
    lastMonth: string;
    received: string;
    returned: string;
    afterReturns: string;
    nothingReceived: string;
    against: string;
    revenue: string;
    noRevenue: string;
    sinceMonth: string;
    movement: MovementWords;
    noMovement: string;
    retrying: string;
    retried: Plural;
    nothingRetried: string;
    nextAttempt: string;
    showAll: string;
    needs: string;
    waiting: WaitingWords;
    evidenceBy: string;
    dueSince: string;
    waitingSince: string;
    nothingWaits: string;
    week: string;
    ahead: AheadWords;
    nothingAhead: string;
    today: string;
    tomorrow: string;
  };
  goLive: {
    title: string;
    what: string;
    progress: string;
    done: string;
    open: string;
    noPage: string;
    show: string;
    goTo: string;
    steps: GoLiveWords;
  };
  report: {
    titles: ReportTitles;
    /** The page that names them all. */
    all: string;
    atEndOf: string;
    fromTo: string;
    total: string;
    none: string;
    firstOf: string;
    yes: string;
    no: string;
  };
  problems: {
    title: string;
    what: string;
    none: string;
    reason: string;
    object: string;
    atRisk: string;
    since: string;
    nextTry: string;
    byHand: string;
  };
}
