import type { DeclineReason } from './wording.ts';
import { payingWordsOf } from './words.ts';

/** Reasons of declines, by patterns of the codes of gateways. The first one that fits counts. */
const REASONS: readonly (readonly [RegExp, DeclineReason])[] = [
  [/insufficient|uncollected|velocity|limit|withdrawal_count/, 'funds'],
  [/expired|new_account_information/, 'expired'],
  [/authentic|payment_intent_action|offline_pin|online_or_offline/, 'authentication'],
  [/incorrect|invalid_(number|cvc|expiry|pin|account)|number_invalid|pin_try|no_account/, 'details'],
  [/issuer_not|processing|reenter|try_again|timeout|cannot_process|approve_with/, 'later'],
  [
    /lost|stolen|pickup|restricted|fraud|risk|blacklist|closed|blocked|unusable|not_supported|not_allowed|not_authorized|revocation|stop_payment|do_not_try|deceased|unverified|ownership_changed|customer_initiated|mandate|source_deleted|unsupported_account|(currency|method)_unsupported/,
    'blocked',
  ],
  [/^(card_declined|.*generic.*|do_not_honor|call_issuer|refer_to_customer|no_action_taken|not_permitted)$/, 'other'],
  [
    /^(bank_account_declined|payment_method_(provider|customer)_decline|payment_intent_payment_attempt_failed)$/,
    'other',
  ],
  [/^security_violation$/, 'other'],
];

/** The reason of a decline, by the code of the gateway. Codes without a plain reason are `other`. */
export function declineReasonOf(code: string | null): DeclineReason {
  return knownReasonOf(code) ?? 'other';
}

function knownReasonOf(code: string | null): DeclineReason | null {
  return REASONS.find(([pattern]) => pattern.test(code ?? ''))?.[1] ?? null;
}

/** A decline as the gateway told it. */
export interface ToldDecline {
  code: string | null;
  message: string | null;
}

/** The reason of a decline in a language. The gateway's own words if the code is unknown. */
export function declineInWords(language: string, { code, message }: ToldDecline): string {
  const reason = knownReasonOf(code);
  const { declines } = payingWordsOf(language);
  return reason === null ? (message ?? declines.other) : declines[reason];
}
