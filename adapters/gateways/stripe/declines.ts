import { type DeclineKind, declineKinds } from '../../../billing/payments/declines.ts';

/** Codes of declines by their kind: Stripe's `decline_code`, else its `code`. The table of docs/payments.md says why. */
const KINDS: Readonly<Record<DeclineKind, string>> = {
  soft: `
    amount_too_large amount_too_small amount_unsupported approve_with_id bank_cannot_process call_issuer
    card_declined card_decline_rate_limit_exceeded card_velocity_exceeded charge_exceeds_source_limit
    charge_exceeds_transaction_limit currency_unsupported do_not_honor duplicate_transaction
    generic_could_not_process generic_decline insufficient_funds invalid_amount issuer_not_available no_action_taken
    not_permitted payment_intent_payment_attempt_failed payment_method_provider_decline
    payment_method_provider_timeout processing_error reenter_transaction refer_to_customer security_violation
    service_not_allowed try_again_later withdrawal_count_limit_exceeded`,
  hard: `
    account_closed account_number_invalid bank_account_declined bank_account_restricted bank_account_unusable
    bank_account_unverified bank_ownership_changed card_not_supported charge_unknown currency_not_supported
    customer_initiated debit_not_authorized do_not_try_again expired_card expired_payment_method fraudulent
    highest_risk_level incorrect_account_details incorrect_address incorrect_cvc incorrect_number incorrect_pin
    incorrect_zip india_recurring_payment_mandate_canceled invalid_account invalid_account_number invalid_cvc
    invalid_expiry_month invalid_expiry_year invalid_number invalid_pin invalid_token live_mode_test_card lost_card
    merchant_blacklist method_unsupported new_account_information_available no_account
    payment_intent_mandate_invalid payment_method_bank_account_blocked payment_method_customer_decline
    payment_method_restricted payment_method_unexpected_state pickup_card pin_try_exceeded recipient_deceased resource_missing restricted_card
    revocation_of_all_authorizations revocation_of_authorization routing_number_invalid sepa_unsupported_account
    setup_intent_mandate_invalid source_deleted stolen_card stop_payment_order testmode_decline
    token_already_used transaction_not_allowed verification_unknown`,
  needs_customer: `
    authentication_not_handled authentication_required mobile_device_authentication_required offline_pin_required
    online_or_offline_pin_required payment_intent_action_required payment_intent_authentication_failure
    setup_intent_authentication_failure`,
};

const kindByCode = new Map(
  declineKinds.flatMap((kind) =>
    KINDS[kind]
      .trim()
      .split(/\s+/)
      .map((code) => [code, kind] as const),
  ),
);

/** The codes whose kind is known, for the table of docs/payments.md. */
export const declineCodes: readonly string[] = [...kindByCode.keys()];

/** The reason that Stripe gives for a payment or a setup that failed. */
export interface Fault {
  type?: string | undefined;
  /** The parameter at fault. */
  param?: string | undefined;
  code?: string | undefined;
  decline_code?: string | undefined;
  advice_code?: string | undefined;
  message?: string | undefined;
}

export interface Decline {
  kind: DeclineKind;
  code: string;
  message: string;
}

const LONGEST_CODE = 64;
const LONGEST_MESSAGE = 255;

/** A decline as the product records it. An unknown code is soft: it does not end the payment source. */
export function declineOf({ code, decline_code: declineCode, advice_code: advice, message }: Fault): Decline {
  const named = declineCode || code || 'card_declined';
  const kind = kindByCode.get(named) ?? kindByCode.get(code ?? '') ?? 'soft';
  return {
    kind: kind === 'soft' && advice === 'do_not_try_again' ? 'hard' : kind,
    code: named.slice(0, LONGEST_CODE),
    message: (message || 'Stripe gave no reason.').slice(0, LONGEST_MESSAGE),
  };
}

/** Reasons for which the adapter refuses an operation before anything is sent that could carry it out. */
const REFUSALS: Readonly<Record<string, string>> = {
  amount_too_large: 'Stripe does not take an amount as large as this.',
  amount_too_small: 'Stripe does not take an amount as small as this.',
  amount_unsupported: 'Stripe cannot take this amount exactly.',
  charge_unknown: 'There is no such charge to refund.',
  currency_unsupported: 'Stripe does not take this currency.',
  invalid_token:
    'The token is not known, is expired, was used before, or stands for a payment source that is stored already.',
  method_unsupported: 'This kind of payment method cannot be used here.',
  source_deleted: 'The payment source was deleted.',
  verification_unknown: 'The bank account does not wait for a verification.',
};

/** The decline of an operation that was refused before it could be carried out. */
export function refusalOf(code: string): Decline {
  return declineOf({ code, message: REFUSALS[code] ?? `Stripe refused the request: ${code}.` });
}
