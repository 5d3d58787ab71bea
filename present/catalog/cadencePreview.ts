import type { AskedBalance, ChaseSilence, ForeseenStep } from '../../billing/chasing.ts';
import { roundMoney } from '../../billing/money.ts';
import { number, type Presented } from '../kernel/values.ts';

interface Preview {
  customers: readonly { customerId: number; steps: readonly ForeseenStep[]; after: ChaseSilence | null }[];
  next: number | null;
}

/** Presents the steps of a cadence in the next days. */
export function presentCadencePreview(cadenceId: number, { customers, next }: Preview): Presented {
  return {
    chasing_cadence: cadenceId,
    customers: customers.map(({ customerId, steps, after }) => ({
      customer: customerId,
      steps: steps.map(presentStep),
      reason: after,
    })),
    next,
  };
}

function presentStep({ at, step, asked }: ForeseenStep): Presented {
  return {
    at: Math.floor(at / 1000),
    chase_step: step.id,
    name: step.name,
    action: step.action,
    balances: asked.map(presentAsked),
  };
}

function presentAsked({ currency, balance, items }: AskedBalance): Presented {
  const invoices = [...new Set(items.map(({ invoiceId }) => invoiceId))];
  return { currency, balance: number(roundMoney(balance, currency)), invoices };
}
