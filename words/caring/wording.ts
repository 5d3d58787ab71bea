/** Texts about the standing of customers: holds, chasing, balances, and what comes of acts. Names in braces are placeholders. */
export interface CaringWords {
  /** Beside the name of a customer or a subscription. */
  marks: {
    onHold: string;
    merged: string;
    inactive: string;
    paused: string;
    pausing: string;
    ending: string;
    waiting: string;
  };
  hold: {
    /** What a hold means, and until when. */
    what: string;
    since: string;
    sinceBy: string;
    because: string;
    reason: string;
    reasonHint: string;
  };
  mergedInto: string;
  /** Told after something was done. */
  saved: string;
  noOwner: string;
  /** A contact that gets the mails has no address. */
  noEmail: string;
  callTask: string;
  callTaskHint: string;
  noTask: string;
  /** Somebody else was faster, and what that one wrote. */
  taskDone: string;
  taskSaid: string;
  promiseNoted: string;
  overdue: string;
  since: string;
  unapplied: string;
  statementMail: string;
  statementFile: string;
  chasing: ChasingWords;
}

export interface ChasingWords {
  /** How the customer came to its cadence. */
  chosen: string;
  fits: string;
  noCadence: string;
  last: string;
  noneYet: string;
  next: string;
  /** Why nothing is planned; `why` is one of the reasons below. */
  nothing: string;
  later: string;
  actions: { email: string; sms: string; phone: string; letter: string; escalate: string };
  customer: Record<
    | 'switched_off'
    | 'credit_hold'
    | 'no_cadence'
    | 'paused'
    | 'finished'
    | 'nothing_open'
    | 'below_minimum'
    | 'not_past_due'
    | 'no_run_day',
    string
  >;
  invoice: Record<'draft' | 'paid' | 'voided' | 'closed' | 'pending', string>;
}
