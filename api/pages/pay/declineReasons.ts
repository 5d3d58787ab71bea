import type { DeclineReason } from '../../../present/printed/paying/wording.ts';

/** Reasons of declines, by patterns of the codes of gateways. The first one that fits counts. */
const REASONS: readonly (readonly [RegExp, DeclineReason])[] = [
  [/insufficient|uncollected|velocity|limit|withdrawal_count/, 'funds'],
  [/expired|new_account_information/, 'expired'],
  [/authentic|payment_intent_action|offline_pin|online_or_offline/, 'authentication'],
  [/incorrect|invalid_(number|cvc|expiry|pin|account)|number_invalid|pin_try|no_account/, 'details'],
  [/issuer_not|processing|reenter|try_again|timeout|cannot_process|approve_with/, 'later'],
  [
    /lost|stolen|pickup|restricted|fraud|risk|blacklist|closed|blocked|unusable|not_supported|not_allowed|not_authorized|revocation|stop_payment|do_not_try|deceased|unverified/,
    'blocked',
  ],
];

/** The reason of a decline, by the code of the gateway. Codes without a plain reason are `other`. */
export function declineReasonOf(code: string | null): DeclineReason {
  return REASONS.find(([pattern]) => pattern.test(code ?? ''))?.[1] ?? 'other';
}
