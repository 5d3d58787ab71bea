import type { Plain } from '../../db/queries/kernel/plain.ts';
import type { Note } from '../../db/schema/note.ts';
import { orNull, type Presented, unix } from '../kernel/values.ts';

export function presentNote(note: Plain<Note>): Presented {
  return {
    id: note.id,
    object: 'note',
    notes: note.notes,
    customer: note.customer.id,
    customer_id: note.customer.id,
    invoice: note.invoice?.id ?? null,
    invoice_id: note.invoice?.id ?? null,
    user: orNull(note.userId),
    created_at: unix(note.createdAt),
    updated_at: unix(note.updatedAt),
  };
}
