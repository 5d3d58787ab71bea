import { Context } from '@temporalio/activity';
import { runAttempt, settleAttempt } from '../commands/attempts.ts';
import { advanceCharge } from '../commands/chargeSteps.ts';
import { advanceInvoice } from '../commands/invoiceSteps.ts';
import { reportProblem } from '../commands/problems.ts';
import { advanceSubscription } from '../commands/subscriptionSteps.ts';
import type { TimedProcess } from '../db/schema/wakeup.ts';
import { inTransaction } from '../db/transaction.ts';
import type { Activities } from '../workflows/process.ts';
import type { WorkerDeps } from './deps.ts';
import { pumpMail } from './pumpMail.ts';
import { pumpWebhook } from './pumpWebhook.ts';
import { takeSteps } from './steps.ts';

const PROCESSES: readonly TimedProcess[] = ['subscription', 'invoice', 'charge'];

/** What workflows may ask for. Every one of them may run twice: the database refuses the second effect. */
export function createActivities(deps: WorkerDeps): Activities {
  const { lookUpDelay } = deps;
  return {
    advanceSubscription: (input) => takeSteps(deps, { process: 'subscription', input, step: advanceSubscription }),
    advanceInvoice: (input) =>
      takeSteps(deps, {
        process: 'invoice',
        input,
        step: (em, key, systemNow) => advanceInvoice(em, { ...key, lookUpDelay }, systemNow),
      }),
    advanceCharge: (input) =>
      takeSteps(deps, {
        process: 'charge',
        input,
        step: (em, key, systemNow) => advanceCharge(em, { ...key, lookUpDelay }, systemNow),
      }),
    runAttempt: (input) => beating(() => runAttempt(deps, input).finally(deps.poke)),
    settleAttempt: (input) => beating(() => settleAttempt(deps, input).finally(deps.poke)),
    pumpWebhook: (input) => pumpWebhook(deps, input),
    pumpMail: (input) => pumpMail(deps, input),
    reportProblem: (trouble) => {
      const process = PROCESSES.find((name) => name === trouble.process);
      if (!process) throw new Error(`no such process: ${trouble.process}`);
      return inTransaction(deps.em, (em) => reportProblem(em, { ...trouble, process }, deps.systemNow()));
    },
  };
}

const BEAT_MILLISECONDS = 2000;

/** Heartbeats while it works: when its worker dies, another takes over within seconds. */
async function beating(work: () => Promise<void>): Promise<void> {
  const context = Context.current();
  const beat = setInterval(() => context.heartbeat(), BEAT_MILLISECONDS);
  await work().finally(() => clearInterval(beat));
}
