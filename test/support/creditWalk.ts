import { creditDocumentSteps } from './creditDocumentSteps.ts';
import { copyOf, emptyModel, isSound, type Model } from './creditModel.ts';
import { creditMoneySteps } from './creditMoneySteps.ts';
import type { CreditStep, CreditWalker } from './creditStep.ts';
import type { Credits } from './credits.ts';

const DAY = 86_400;

/** Does random things to one customer's credit, which pays invoices at their issue if it `applies`, and answers each with what should have come of it. */
export function creditWalk(on: Credits, how: { seed: number; now: number; applies: boolean }) {
  const { seed, now, applies } = how;
  let model = emptyModel();
  const random = randomOf(seed);
  const one = <Value>(values: readonly Value[]): Value | undefined => values[Math.floor(random() * values.length)];
  const changed: CreditWalker['changed'] = (change) => {
    const tried = copyOf(model);
    change(tried, -1);
    if (!isSound(tried)) return null;
    return (id) => {
      const next = copyOf(model);
      change(next, id);
      return next;
    };
  };
  const walker: CreditWalker = {
    ...{ on, sandbox: on.api.sandbox, applies, now, random, one, changed },
    get model() {
      return model;
    },
    upTo: (most) => Math.floor(random() * most) + 1,
    someDay: () => now + (Math.floor(random() * 8) - 5) * DAY, // five days ago to two ahead
  };
  const steps: Record<string, CreditStep> = { ...creditMoneySteps(walker), ...creditDocumentSteps(walker) };

  return {
    model: (): Model => model,
    /** Does one thing; answers what it was, what came of it, and whether that was to be. */
    async step(): Promise<{ what: string; status: number; message: string; isExpected: boolean }> {
      for (;;) {
        const name = one(Object.keys(steps)) ?? '';
        const done = await steps[name]?.();
        if (!done) continue;
        const { what, answer, expected } = done;
        const isDone = answer.status < 300;
        if (isDone && expected) model = expected(answer.body?.id ?? -1);
        const isExpected = isDone ? expected !== null : answer.status === 400 && expected === null;
        return { what, status: answer.status, message: answer.body?.message ?? '', isExpected };
      }
    },
  };
}

/** Numbers from 0 to below 1, the same for a seed: mulberry32. */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
