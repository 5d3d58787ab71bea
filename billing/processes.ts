/**
 * Processes that wait until a time set by an object. They are declared only here: types, statements about their objects, and
 * checks of workflows and activities follow from this list. `table` holds the object. `step` is the activity that takes its due steps.
 */
export const timedProcesses = {
  subscription: { table: 'subscription', step: 'advanceSubscription' },
  estimate: { table: 'estimate', step: 'advanceEstimate' },
  invoice: { table: 'invoice', step: 'advanceInvoice' },
  charge: { table: 'attempt', step: 'advanceCharge' },
  payment_source: { table: 'payment_source', step: 'advancePaymentSource' },
  chasing: { table: 'chase', step: 'advanceChasing' },
  cadence: { table: 'chasing_cadence', step: 'advanceCadence' },
  statements: { table: 'statement_planning', step: 'advanceStatements' },
  digest: { table: 'digest', step: 'advanceDigest' },
  payment: { table: 'payment', step: 'advancePayment' },
} as const;

export type TimedProcess = keyof typeof timedProcesses;
export type TimedTable = (typeof timedProcesses)[TimedProcess]['table'];
export type StepName = (typeof timedProcesses)[TimedProcess]['step'];

/** Processes whose objects belong to the account. The objects of all others can have a customer. */
const ofAccount = ['cadence', 'statements', 'digest'] as const;
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
type Pump = (typeof pumps)[number];

export function isPump(process: string): process is Pump {
  return pumps.some((pump) => pump === process);
}

/** The processes of customers' objects, with the tables of these objects. */
export const customerProcesses = timedNames.filter(isOfCustomer).map((process) => {
  const { table } = timedProcesses[process];
  return { process, table };
});

/** All processes; `clock` moves a test clock. */
export type ProcessName = TimedProcess | Pump | 'clock';
