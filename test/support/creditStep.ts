import type { Answer } from './api.ts';
import type { Model } from './creditModel.ts';
import type { Credits } from './credits.ts';

/** One random thing that somebody does; null: it cannot be done now. */
export type CreditStep = () => Promise<{
  what: string;
  answer: Answer;
  /** The model afterwards; `id` is what the product has made. Null: it is to be refused. */
  expected: ((id: number) => Model) | null;
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
  /** The model with a change, if that is sound. */
  changed: (change: (next: Model, id: number) => void) => ((id: number) => Model) | null;
}

export function inUnits(cents: number): number {
  return cents / 100;
}
