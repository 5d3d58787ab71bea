import type { Answer } from './api.ts';
import type { Model } from './creditModel.ts';
import type { Credits } from './credits.ts';

/** Why the product refuses something, and what it says then. */
export const REFUSALS = {
  creditSpent: /of credit on .*, less than/,
  creditTakenBack: /of credit cannot be taken back: only/,
  noteBalance: /^Credit note CN-\d+ has a balance of .*, less than/,
  noteApplied: /^Credit note is applied by payment .* and cannot be voided/,
  invoiceBalance: /^Invoice INV-\d+ (has a balance of .*, less than|is paid$)/,
  invoicePaid: /^Invoice has payments applied and cannot be voided/,
  invoiceCorrected: /^Invoice has credit note .* and cannot be voided/,
  money: /would be money instead of/,
};
export type Reason = keyof typeof REFUSALS;

/** The model afterwards, where `id` is what the product has made; or why the product is to refuse: for one of these reasons. */
export type Expected = ((id: number) => Model) | readonly Reason[];

/** One random thing that somebody does; null: it cannot be done now. */
export type CreditStep = () => Promise<{
  what: string;
  answer: Answer;
  expected: Expected;
} | null>;

/** Who does random things to one customer's credit. */
export interface CreditWalker {
  on: Credits;
  sandbox: Credits['api']['sandbox'];
  /** Whether credit pays invoices at their issue. */
  applies: boolean;
  now: number;
  /** How things stand. */
  readonly model: Model;
  /** From 0 to below 1. */
  random: () => number;
  /** A whole number from 1. */
  upTo: (most: number) => number;
  one: <Value>(values: readonly Value[]) => Value | undefined;
  someDay: () => number;
  /** The model with a change, or what is wrong with it. */
  changed: (change: (next: Model, id: number) => void) => Expected;
}

export function inUnits(cents: number): number {
  return cents / 100;
}
