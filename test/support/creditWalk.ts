import { creditDocumentSteps } from './creditDocumentSteps.ts';
import { copyOf, emptyModel, type Fault, faultsOf, type Model } from './creditModel.ts';
import { creditMoneySteps } from './creditMoneySteps.ts';
import { followCredit } from './creditSpent.ts';
import { type CreditStep, type CreditWalker, REFUSALS, type Reason } from './creditStep.ts';
import type { Credits } from './credits.ts';
import { randomOf } from './random.ts';

const DAY = 86_400;

/** The reasons that the product may give when an amount would become negative. */
const REASONS: Record<Fault, Reason[]> = {
  credit: ['creditSpent', 'creditTakenBack'],
  invoice: ['invoiceBalance'],
  note: ['noteBalance'],
};

/** A random walk on one customer's credit. With `applies`, credit pays invoices when they are issued, and open ones. */
export function creditWalk(on: Credits, how: { seed: number; now: number; applies: boolean }) {
  const { seed, now, applies } = how;
  let model = emptyModel();
  const random = randomOf(seed);
  const one = <Value>(values: readonly Value[]): Value | undefined => values[Math.floor(random() * values.length)];
  const changed: CreditWalker['changed'] = (change) => {
    const tried = copyOf(model);
    change(tried, -1);
    const faults = faultsOf(tried);
    if (faults.length > 0) return faults.flatMap((fault) => REASONS[fault]);
    return (id) => {
      const next = copyOf(model);
      change(next, id);
      return next;
    };
  };
  const walker: CreditWalker = {
    on,
    sandbox: on.api.sandbox,
    applies,
    now,
    random,
    one,
    changed,
    get model() {
      return model;
    },
    upTo: (most) => Math.floor(random() * most) + 1,
    someDay: () => now + (Math.floor(random() * 8) - 5) * DAY, // five days ago to two ahead
  };
  const steps: Record<string, CreditStep> = { ...creditMoneySteps(walker), ...creditDocumentSteps(walker) };

  return {
    model: (): Model => model,
    /** Takes one random step. Returns the step, the answer, the expected answer, and whether the answer is as expected. */
    async step(): Promise<{ what: string; status: number; message: string; expected: string; isExpected: boolean }> {
      for (;;) {
        const name = one(Object.keys(steps)) ?? '';
        const done = await steps[name]?.();
        if (!done) continue;
        const { what, answer, expected } = done;
        const before = model;
        const { status } = answer;
        const message: string = answer.body?.message ?? '';
        if (typeof expected !== 'function') {
          const isExpected = status === 400 && expected.some((reason) => REFUSALS[reason].test(message));
          return { what, status, message, expected: `refused for ${expected.join(' or ')}`, isExpected };
        }
        if (status >= 300) return { what, status, message, expected: 'done', isExpected: false };
        model = expected(answer.body?.id ?? -1);
        const wrong = applies ? await followCredit(on, { name, before, model, now }) : [];
        return { what, status, message: message + wrong.join(), expected: 'done', isExpected: wrong.length === 0 };
      }
    },
  };
}
