import type { Answer } from './api.ts';
import type { Model } from './creditModel.ts';
import type { Credits } from './credits.ts';

/** Reasons for which the product refuses a step, with their messages. */
export const REFUSALS = {
  creditSpent: /of credit on .*, less than/,
  creditTakenBack: /of credit cannot be taken back: only/,
  noteBalance: /^Credit note CN-\d+ has a balance of .*, less than/,
  noteApplied: /^Credit note is applied by payment .* and cannot be voided/,
  invoiceBalance: /^Invoice INV-\d+ (has a balance of .*, less than|is paid$)/,
  invoicePaid: /^Invoice has payments applied and cannot be voided/,
  invoiceCredited: /^Only .* of invoice INV-\d+ is left to credit, not/,
  invoiceCorrected: /^Invoice has credit note .* and cannot be voided/,
  money: /would be money instead of/,
};
export type Reason = keyof typeof REFUSALS;

/** On success: the next model, computed from the created object's id. On refusal: the possible reasons. */
export type Expected = ((id: number) => Model) | readonly Reason[];

/** One random step. null: it is not possible now. */
export type CreditStep = () => Promise<{
  what: string;
  answer: Answer;
  expected: Expected;
} | null>;

/** The state of a random walk on one customer's credit. */
export interface CreditWalker {
  on: Credits;
  sandbox: Credits['api']['sandbox'];
  /** Whether credit pays invoices when they are issued. */
  applies: boolean;
  now: number;
  /** The model after all successful steps. */
  readonly model: Model;
  /** A number from 0 to below 1. */
  random: () => number;
  /** A whole number from 1 to `most`. */
  upTo: (most: number) => number;
  one: <Value>(values: readonly Value[]) => Value | undefined;
  someDay: () => number;
  /** The model with a change, or the reasons for which the product has to refuse it. */
  changed: (change: (next: Model, id: number) => void) => Expected;
}

export function inUnits(cents: number): number {
  return cents / 100;
}
