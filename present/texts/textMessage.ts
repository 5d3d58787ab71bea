import type { Plain } from '../../db/queries/kernel/plain.ts';
import type { TextMessage } from '../../db/schema/textMessage.ts';
import { orNull, type Presented, unix } from '../kernel/values.ts';

export function presentTextMessage(text: Plain<TextMessage>): Presented {
  return {
    id: text.id,
    object: 'text_message',
    customer: text.customer.id,
    phone: text.number,
    message: text.message,
    state: text.state,
    next_attempt: text.nextAttemptAt ? unix(text.nextAttemptAt) : null,
    attempt_count: text.attempts,
    reference: orNull(text.reference),
    reject_reason: orNull(text.failureReason),
    created_at: unix(text.createdAt),
    updated_at: unix(text.updatedAt),
  };
}
