import type { Plain } from '../../db/queries/kernel/plain.ts';
import type { Problem } from '../../db/schema/problem.ts';
import { number, orNull, type Presented, unix, unixOrNull } from '../kernel/values.ts';

export function presentProblem(problem: Plain<Problem>): Presented {
  return {
    id: problem.id,
    object: 'problem',
    subject: { object: problem.subjectType, id: problem.subjectId },
    step: problem.step,
    message: problem.message,
    money_at_risk: problem.moneyAtRisk ? number(problem.moneyAtRisk) : null,
    currency: orNull(problem.currency),
    since: unix(problem.since),
    tries: problem.tries,
    next_try_at: unixOrNull(problem.nextTryAt),
    updated_at: unix(problem.updatedAt),
  };
}
