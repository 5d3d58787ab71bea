/**
 * Processes that wait until a time set by an object. They are declared only here: types, statements about their objects, and
 * checks of workflows and activities follow from this list. `table` holds the object. `step` is the activity that takes its due steps. `rules`
 * plan these steps, beside `problem`, which retries any process.
 */
export const timedProcesses = {
  subscription: {
    table: 'subscription',
    step: 'advanceSubscription',
    rules: [
      'begin',
      'trial',
      'bill',
      'finish',
      'late_usage',
      'usage',
      'pause',
      'resume',
      'renew',
      'await_renewal',
      'cancel',
      'renews_soon',
      'contract_ending',
    ],
  },
  estimate: { table: 'estimate', step: 'advanceEstimate', rules: ['expire'] },
  invoice: {
    table: 'invoice',
    step: 'advanceInvoice',
    rules: [
      'past_due',
      'late_fee',
      'late_fee_review',
      'promise',
      'discount',
      'discount_review',
      'credit_review',
      'attempt',
    ],
  },
  charge: { table: 'attempt', step: 'advanceCharge', rules: ['look_up', 'dispute'] },
  payment_source: { table: 'payment_source', step: 'advancePaymentSource', rules: ['card_expiring'] },
  chasing: { table: 'chase', step: 'advanceChasing', rules: ['chase', 'chase_plan', 'statement'] },
  cadence: { table: 'chasing_cadence', step: 'advanceCadence', rules: ['cadence_plan'] },
  statements: { table: 'statement_planning', step: 'advanceStatements', rules: ['statements_plan'] },
  digest: { table: 'digest', step: 'advanceDigest', rules: ['digest'] },
  payment: { table: 'payment', step: 'advancePayment', rules: ['match'] },
  sign_up: { table: 'sign_up', step: 'advanceSignUp', rules: ['look_up', 'give_up', 'forget'] },
  job: { table: 'job', step: 'advanceJob', rules: ['job'] },
  report_schedule: { table: 'report_schedule', step: 'advanceReportSchedule', rules: ['report_schedule'] },
} as const;

export type TimedProcess = keyof typeof timedProcesses;
export type TimedTable = (typeof timedProcesses)[TimedProcess]['table'];
/** A rule that plans a step; `problem` retries one. */
export type WakeRule = (typeof timedProcesses)[TimedProcess]['rules'][number] | 'problem';
export type StepName = (typeof timedProcesses)[TimedProcess]['step'];

/** Whether this version has a rule. A database that a later version has used also has others. */
export function isKnownRule(process: TimedProcess, rule: string): boolean {
  return rule === 'problem' || timedProcesses[process].rules.some((known) => known === rule);
}

/** Processes whose objects belong to the account. The objects of all others can have a customer. */
const ofAccount = ['cadence', 'statements', 'digest', 'job', 'report_schedule', 'sign_up'] as const;
export type CustomerProcess = Exclude<TimedProcess, (typeof ofAccount)[number]>;
export type CustomerProcessTable = (typeof timedProcesses)[CustomerProcess]['table'];

export function isOfCustomer(process: TimedProcess): process is CustomerProcess {
  return !ofAccount.some((one) => one === process);
}

export const timedNames = Object.keys(timedProcesses).filter(isTimed);

export function isTimed(process: string): process is TimedProcess {
  return Object.hasOwn(timedProcesses, process);
}

/** Processes that send due deliveries, emails or texts, each for one shard of an endpoint or account. */
const pumps = ['webhook', 'mail', 'text'] as const;
export type PumpProcess = (typeof pumps)[number];

export function isPump(process: string): process is PumpProcess {
  return pumps.some((pump) => pump === process);
}

/** The processes of customers' objects, with the tables of these objects. */
export const customerProcesses = timedNames.filter(isOfCustomer).map((process) => {
  const { table } = timedProcesses[process];
  return { process, table };
});

/** The table of each of these processes. */
export const processTables: Readonly<Record<string, string>> = Object.fromEntries(
  customerProcesses.map(({ process, table }) => [process, table]),
);

/** All processes; `clock` moves a test clock. */
export type ProcessName = TimedProcess | PumpProcess | 'clock';
