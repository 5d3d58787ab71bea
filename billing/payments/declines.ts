import { errorCodes } from '../errorCodes.ts';
import type { Interruption } from '../wait.ts';

/** `soft`: a retry may succeed. `hard`: only another source can be charged. `needs_customer`: the customer must authorize the charge. */
export const declineKinds = ['soft', 'hard', 'needs_customer'] as const;
export type DeclineKind = (typeof declineKinds)[number];

/**
 * Why a gateway or a bank declined, in words that all gateways share. The key is the `decline_code` in errors, and finds the words for
 * pages and mails.
 */
export const declineCodes = {
  insufficient_funds: 'there is not enough money, or a limit of the bank was reached',
  expired: 'the card has expired, or was replaced',
  incorrect_details: 'a number, an expiry, a security code or another detail is wrong',
  source_blocked: 'the card or account is lost, stolen, closed, restricted, or cannot be used for this',
  authentication_required: 'the bank wants the customer to confirm it',
  try_again_later: 'the bank could not answer just now',
  generic_decline: 'the bank gave no reason that all gateways share; the message has the words of the gateway',
} as const;
export type DeclineCode = keyof typeof declineCodes;

/** Finds the decline code for a code of a gateway. The first pattern that fits counts. */
const PATTERNS: readonly (readonly [RegExp, DeclineCode])[] = [
  [/insufficient|uncollected|velocity|limit|withdrawal_count/, 'insufficient_funds'],
  [/expired|new_account_information/, 'expired'],
  [/authentic|payment_intent_action|offline_pin|online_or_offline/, 'authentication_required'],
  [
    /incorrect|invalid_(number|cvc|expiry|pin|account|token)|number_invalid|pin_try|no_account|^token_already_used$|^payment_method_unexpected_state$/,
    'incorrect_details',
  ],
  [/issuer_not|processing|reenter|try_again|timeout|cannot_process|approve_with/, 'try_again_later'],
  [
    /lost|stolen|pickup|restricted|fraud|risk|blacklist|closed|blocked|unusable|not_supported|not_allowed|not_authorized|revocation|stop_payment|do_not_try|deceased|unverified|ownership_changed|customer_initiated|mandate|source_deleted|unsupported_account|(currency|method)_unsupported/,
    'source_blocked',
  ],
  [
    /^(card_declined|.*generic.*|do_not_honor|call_issuer|refer_to_customer|no_action_taken|not_permitted)$/,
    'generic_decline',
  ],
  [
    /^(bank_account_declined|payment_method_(provider|customer)_decline|payment_intent_payment_attempt_failed)$/,
    'generic_decline',
  ],
  [/^security_violation$/, 'generic_decline'],
];

/** The code of a decline, by the code of the gateway. Null: no code fits. */
export function knownDeclineCode(gatewayCode: string | null): DeclineCode | null {
  return PATTERNS.find(([pattern]) => pattern.test(gatewayCode ?? ''))?.[1] ?? null;
}

/** The code of a decline, by its kind and the code of the gateway. Declines without a common reason are `generic_decline`. */
export function declineCodeOf(gatewayCode: string | null, kind: DeclineKind | null = null): DeclineCode {
  return kind === 'needs_customer' ? 'authentication_required' : (knownDeclineCode(gatewayCode) ?? 'generic_decline');
}

/** Why an automatic payment failed: the codes of declines, or those of errors for a gateway that could not be reached or refused the request. */
export const paymentFailureCodes = {
  ...declineCodes,
  gateway_unavailable: errorCodes.gateway_unavailable.means,
  gateway_refused: errorCodes.gateway_refused.means,
} as const;
export type PaymentFailureCode = keyof typeof paymentFailureCodes;

/** The code of a failure, by itself or by the code of the gateway. Timelines and lists name it by a few words. */
export function failureCode(code: string): PaymentFailureCode {
  return isFailureCode(code) ? code : declineCodeOf(code);
}

const isFailureCode = (code: string): code is PaymentFailureCode => Object.hasOwn(paymentFailureCodes, code);

/** Why an automatic payment failed, by its decline, or by what kept it from being made. */
export function paymentFailureCodeOf(failed: {
  gatewayCode: string | null;
  kind: DeclineKind | null;
  interruption: Interruption | null;
}): PaymentFailureCode {
  if (failed.interruption === 'unauthenticated') return 'authentication_required';
  if (failed.interruption === 'refused') return 'gateway_refused';
  return failed.interruption ? 'gateway_unavailable' : declineCodeOf(failed.gatewayCode, failed.kind);
}

const LONGEST_CODE = 64;
const LONGEST_MESSAGE = 255;

/**
 * A gateway refused a request for a reason that no payer and no bank can change: a key, a right, a method that is not activated, or the request
 * itself. The people of the account have to mend it. `isUnmade`: the operation is recorded as not made; false: nothing is known of it.
 */
export class GatewayRefused extends Error {
  /** The gateway's code. */
  readonly code: string;
  readonly isUnmade: boolean;

  constructor({ code, message, isUnmade }: { code: string; message: string; isUnmade: boolean }) {
    super(message.slice(0, LONGEST_MESSAGE));
    this.code = code.slice(0, LONGEST_CODE);
    this.isUnmade = isUnmade;
  }
}
