/**
 * Processes that wait until a time set by a customer's object. They are declared only here: types, statements about their objects, and
 * checks of workflows and activities follow from this list. `table` holds the object. `step` is the activity that takes its due steps.
 */
export const timedProcesses = {
  subscription: { table: 'subscription', step: 'advanceSubscription' },
  estimate: { table: 'estimate', step: 'advanceEstimate' },
  invoice: { table: 'invoice', step: 'advanceInvoice' },
  charge: { table: 'attempt', step: 'advanceCharge' },
  payment_source: { table: 'payment_source', step: 'advancePaymentSource' },
} as const;

export type TimedProcess = keyof typeof timedProcesses;
export type TimedTable = (typeof timedProcesses)[TimedProcess]['table'];
export type StepName = (typeof timedProcesses)[TimedProcess]['step'];

export const timedNames = Object.keys(timedProcesses).filter(isTimed);

export function isTimed(process: string): process is TimedProcess {
  return Object.hasOwn(timedProcesses, process);
}

/** Processes that send due deliveries or emails, each for one shard of an endpoint or account. */
const pumps = ['webhook', 'mail'] as const;
type Pump = (typeof pumps)[number];

export function isPump(process: string): process is Pump {
  return pumps.some((pump) => pump === process);
}

/** All processes; `clock` moves a test clock. */
export type ProcessName = TimedProcess | Pump | 'clock';
