import type { EventType } from '../../billing/eventTypes.ts';
import type { Presented } from '../../billing/json.ts';
import type { EntityManager } from '../../db/orm.ts';
import type { EventReason } from '../../db/schema/event.ts';
import { presentWholeCustomer } from '../../present/customers/customer.ts';
import type { LockedCustomer } from './lockedCustomer.ts';
import { record } from './record.ts';

/** An event of an object of a customer. `shown`: the object presented after the change. `before`: the same before it. */
export interface CustomerEvent {
  type: EventType;
  row: { id: number; eventCount: number };
  shown: Presented;
  before?: Presented;
  reason?: EventReason | undefined;
}

/** Records an event of an object of a locked customer, whom its change does not affect. The event carries the whole customer. */
export function recordOfCustomer(
  em: EntityManager,
  locked: LockedCustomer,
  { type, row, shown, before, reason }: CustomerEvent,
): void {
  const customer = presentWholeCustomer(locked.customer);
  const [noun = type] = type.split('.');
  record(em, locked.moment, {
    type,
    subject: { type: noun, id: row.id, row },
    object: { ...shown, customer },
    before: before && { ...before, customer },
    reason,
  });
}
