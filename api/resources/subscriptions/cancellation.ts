import { cancellationReasons, type GivenReason } from '../../../billing/subscriptions/selfService.ts';
import { schemaOf } from '../../body/documented.ts';
import * as fields from '../../body/fields.ts';
import type { ApiRequest } from '../../framework/apiRequest.ts';
import { readParameter } from '../../framework/resource.ts';

/** Maximum number of characters of the reason in own words. */
export const MOST_COMMENT = 1000;

/** Fields of a request that cancels at the end of the period. */
export const reason = {
  cancellation_reason: fields.described(
    fields.choice(...cancellationReasons),
    'Reason why the customer cancels; only with a request that cancels, or while the end is planned (`cancel_at_period_end`)',
  ),
  cancellation_comment: fields.described(
    fields.text(MOST_COMMENT),
    'The reason in the words of the customer; only with a request that cancels, or while the end is planned (`cancel_at_period_end`)',
    'We close the shop in spring',
  ),
};

/** The reason in a request; null: it gives none. */
export function reasonOf(given: {
  cancellation_reason?: GivenReason['reason'] | undefined;
  cancellation_comment?: GivenReason['comment'] | undefined;
}): GivenReason | null {
  const { cancellation_reason: why = null, cancellation_comment: comment = null } = given;
  return why === null && comment === null ? null : { reason: why, comment };
}

const cancellation = {
  prorate: fields.described(fields.boolean, 'True: the rest of the billed period is credited on the final invoice'),
  bill_remaining: fields.described(
    fields.boolean,
    'True: the remaining periods of the contract are billed on the final invoice',
  ),
  proration_date: fields.described(
    fields.timestamp,
    'Time until which the current period counts as used, such as `as_of` of a preview: within the period, not before the last change in it, not in the future; absent: now; UNIX time in seconds',
    1_798_761_600,
  ),
};

/** Query parameters of a cancellation: a DELETE has no body. */
export const cancellationParameters = {
  prorate: { schema: schemaOf(cancellation.prorate) },
  bill_remaining: { schema: schemaOf(cancellation.bill_remaining) },
  proration_date: { schema: schemaOf(cancellation.proration_date) },
  cancellation_reason: { schema: schemaOf(reason.cancellation_reason) },
  cancellation_comment: { schema: schemaOf(reason.cancellation_comment) },
};

/** The terms of a cancellation in a query. */
export function cancellationOf({ query }: ApiRequest) {
  const given = <Value>(name: string, field: fields.Field<Value>): Value | null => {
    const text = query.get(name) ?? '';
    return text === '' ? null : readParameter(field, text, name);
  };
  return {
    prorate: given('prorate', cancellation.prorate) ?? false,
    billRemaining: given('bill_remaining', cancellation.bill_remaining) ?? false,
    usedUntil: given('proration_date', cancellation.proration_date),
    cancellation: reasonOf({
      cancellation_reason: given('cancellation_reason', reason.cancellation_reason),
      cancellation_comment: given('cancellation_comment', reason.cancellation_comment),
    }),
  };
}
