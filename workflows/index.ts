import { proxyActivities } from '@temporalio/workflow';
import { alarmClock, type CallOfStep, poolOf, runIteration, type Stepping, UNTIL_SERVED } from './alarmClock.ts';
import { type Activities, idsOf, type ProcessInput } from './process.ts';
import { doing } from './words.ts';

/*
 * The workflows, under the names that running histories know. Each is an alarm clock for the steps of one object; which steps are due, the
 * database knows.
 */

/** A process whose steps are database transactions. */
function steps(input: ProcessInput, what: Stepping, call: CallOfStep = 'runAttempt'): Promise<void> {
  return alarmClock(input, (about) => runIteration(input, { ...what, call }, about));
}

/** A process that sends what is due: mails, texts or webhooks. */
function sends(input: ProcessInput, activity: 'pumpMail' | 'pumpText' | 'pumpWebhook'): Promise<void> {
  const pump = (about: string) =>
    proxyActivities<Activities>({
      taskQueue: poolOf('delivery'),
      startToCloseTimeout: '5m',
      heartbeatTimeout: '15s',
      retry: UNTIL_SERVED,
      summary: doing(about, 'send'),
    });
  return alarmClock(input, (about) => pump(about)[activity](idsOf(input)));
}

/** Bills a subscription period by period until it ends. */
export function subscription(input: ProcessInput): Promise<void> {
  return steps(input, { process: 'subscription', step: 'advanceSubscription' });
}

/** Collects an invoice: automatic charges, retries, past due. */
export function invoice(input: ProcessInput): Promise<void> {
  return steps(input, { process: 'invoice', step: 'advanceInvoice' });
}

/** Looks up the outcome of an attempt whose caller recorded none, and of a pending attempt. */
export function charge(input: ProcessInput): Promise<void> {
  return steps(input, { process: 'charge', step: 'advanceCharge' }, 'settleAttempt');
}

/** Applies a received payment to the invoices that it names, if it is certain that it pays them. */
export function payment(input: ProcessInput): Promise<void> {
  return steps(input, { process: 'payment', step: 'advancePayment' });
}

/** Expires an estimate when its expiration date has passed. */
export function estimate(input: ProcessInput): Promise<void> {
  return steps(input, { process: 'estimate', step: 'advanceEstimate' });
}

/** Asks a customer for what it owes, step by step of its cadence. */
export function chasing(input: ProcessInput): Promise<void> {
  return steps(input, { process: 'chasing', step: 'advanceChasing' });
}

/** Plans the customers of a changed cadence anew, slice by slice. */
export function cadence(input: ProcessInput): Promise<void> {
  return steps(input, { process: 'cadence', step: 'advanceCadence' });
}

/** Plans the statements of all customers of an account anew, slice by slice. */
export function statements(input: ProcessInput): Promise<void> {
  return steps(input, { process: 'statements', step: 'advanceStatements' });
}

/** Mails the digest of an account to its team, each day. */
export function digest(input: ProcessInput): Promise<void> {
  return steps(input, { process: 'digest', step: 'advanceDigest' });
}

/** Finds out whether the payment source of a sign-up was stored, and gives the sign-up up if it is not paid. */
export function sign_up(input: ProcessInput): Promise<void> {
  return steps(input, { process: 'sign_up', step: 'advanceSignUp' });
}

/** Mails a report to members, each day, week or month. */
export function report_schedule(input: ProcessInput): Promise<void> {
  return steps(input, { process: 'report_schedule', step: 'advanceReportSchedule' });
}

/** Does the work of a job, which may take an hour, on a queue of its own. Missing heartbeats reveal a dead worker; the work then begins anew. */
export function job(input: ProcessInput): Promise<void> {
  const work = (about: string) =>
    proxyActivities<Activities>({
      taskQueue: poolOf('job'),
      startToCloseTimeout: '1h',
      heartbeatTimeout: '10s',
      retry: UNTIL_SERVED,
      summary: doing(about),
    });
  return alarmClock(input, (about) => work(about).advanceJob(idsOf(input)));
}

/** Announces that a card expires, ahead of its last month's end. */
export function payment_source(input: ProcessInput): Promise<void> {
  return steps(input, { process: 'payment_source', step: 'advancePaymentSource' });
}

/** Sends the queued emails of an account. The emails' rows hold tries and schedule. */
export function mail(input: ProcessInput): Promise<void> {
  return sends(input, 'pumpMail');
}

/** Sends the queued texts of an account. Their rows hold tries and schedule. */
export function text(input: ProcessInput): Promise<void> {
  return sends(input, 'pumpText');
}

/** Delivers the events of one shard of an endpoint, in order per object. The deliveries' rows hold tries and schedule. */
export function webhook(input: ProcessInput): Promise<void> {
  return sends(input, 'pumpWebhook');
}

/** Moves a test clock to its target, from wake-up to wake-up of its customers. The clock's row holds its time and its target. */
export function clock(input: ProcessInput): Promise<void> {
  const rounds = (about: string) =>
    proxyActivities<Activities>({
      taskQueue: poolOf('clock'),
      startToCloseTimeout: '1h',
      heartbeatTimeout: '10s',
      retry: UNTIL_SERVED,
      summary: doing(about, 'advance'),
    });
  return alarmClock(input, (about) => rounds(about).advanceClock(idsOf(input)));
}
