import { amountText } from '../../billing/money/money.ts';
import { stepText, stepTexts } from '../../billing/stepTexts.ts';
import type { Interruption } from '../../billing/wait.ts';
import type { Attempt, AttemptKind } from '../../db/schema/attempt.ts';

/** The fields of an attempt that its texts need. */
interface Facts {
  kind: AttemptKind;
  method?: Attempt['method'];
  amount?: string | null | undefined;
  currency?: string | null | undefined;
  failureCode?: string | null | undefined;
  failureMessage?: string | null | undefined;
  interruption?: Interruption | null | undefined;
  state?: Attempt['state'] | undefined;
}

interface Words {
  doing: string;
  done: string;
  notDone: string;
  /** The situation after an attempt that never happened. */
  left: string;
  /** An outcome that is not recorded. */
  unrecorded: string;
}

/** Texts about attempts, by kind. `%` stands for the amount or the kind of source. */
const WORDS: Record<AttemptKind, Words> = {
  charge: {
    doing: 'charging %',
    done: 'charged %',
    notDone: 'The payment was not made',
    left: 'nothing was charged',
    unrecorded: 'It is not recorded yet whether the payment was made',
  },
  vault: {
    doing: 'saving a %',
    done: 'the % is saved',
    notDone: 'The % was not saved',
    left: 'nothing was stored',
    unrecorded: 'It is not recorded yet whether the % was saved',
  },
  verify_source: {
    doing: 'verifying a %',
    done: 'the % is verified',
    notDone: 'The % was not verified',
    left: 'it cannot be charged yet',
    unrecorded: 'It is not recorded yet whether the % was verified',
  },
  delete_source: {
    doing: 'deleting a % at the payment gateway',
    done: 'the % is deleted at the payment gateway',
    notDone: 'The % was not deleted at the payment gateway',
    left: 'it can no longer be charged here',
    unrecorded: 'The % was not deleted at the payment gateway yet',
  },
  refund: {
    doing: 'refunding %',
    done: 'refunded %',
    notDone: 'The refund was not made',
    left: 'nothing was refunded',
    unrecorded: 'It is not recorded yet whether the refund was made',
  },
};

const REASONS: Record<Interruption, string> = {
  unreachable: 'the payment gateway could not be reached',
  interrupted: 'it was interrupted before the payment gateway was told to confirm it',
  not_made: 'the payment gateway was asked and did not do it',
  unauthenticated: 'the payer did not authenticate in time',
  refused: 'the payment gateway refused the request, which is a matter of its configuration or of the request',
};

/** Why an attempt never happened: "The card was not saved: the payment gateway could not be reached; nothing was stored". */
export function interruptedInWords(attempt: Facts, why: Interruption): string {
  return `${words(attempt, 'notDone')}: ${REASONS[why]}; ${words(attempt, 'left')}`;
}

/**
 * The error message for a declined attempt. For a charge: the gateway's reason. For any other kind, it begins with the effect that did not
 * happen: "The card was not saved: …".
 */
export function declinedInWords(attempt: Facts): string {
  const reason = attempt.failureMessage ?? 'The payment gateway gave no reason';
  return attempt.kind === 'charge' ? reason : `${words(attempt, 'notDone')}: ${reason}`;
}

/** An outcome that is not recorded: "It is not recorded yet whether the card was saved". */
export function unrecordedInWords(attempt: Facts): string {
  return words(attempt, 'unrecorded');
}

/** The step of a look-up: "ask the payment gateway whether the card was saved". */
export function lookUpInWords(attempt: Facts): string {
  if (attempt.state === 'waiting') return stepTexts.ask_payer;
  return stepText(`ask_${attempt.kind}`, { source: about(attempt) });
}

/** The state of an attempt. Omits the gateway's message, which may contain a name; gives its code instead. */
export function attemptInWords(attempt: Facts & Pick<Attempt, 'state'>): string {
  switch (attempt.state) {
    case 'open':
      return words(attempt, 'doing');
    case 'waiting':
      return `${words(attempt, 'doing')}: waiting until the payer has authenticated`;
    case 'unknown':
    case 'pending':
      return `${words(attempt, 'doing')}: ${attempt.state}, the payment gateway has not told the outcome`;
    case 'succeeded':
      return words(attempt, 'done');
    case 'failed':
      return `${words(attempt, 'notDone')}: ${attempt.failureCode ?? 'declined'}`;
    case 'abandoned':
      if (attempt.interruption) return interruptedInWords(attempt, attempt.interruption);
      return attempt.failureMessage ?? `${words(attempt, 'notDone')}; ${words(attempt, 'left')}`;
  }
}

function words(attempt: Facts, which: keyof Words): string {
  return WORDS[attempt.kind][which].replace('%', about(attempt));
}

function about({ kind, method, amount, currency }: Facts): string {
  if (amount && currency) return amountText(amount, currency);
  if (kind === 'charge' || kind === 'refund') return 'a payment';
  if (method === 'ach') return 'bank account';
  return method === 'credit_card' ? 'card' : 'payment source';
}
