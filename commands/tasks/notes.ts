import { Refusal } from '../../billing/refusal.ts';
import { reserveIds } from '../../db/ids.ts';
import { customerIdOf } from '../../db/lock.ts';
import type { EntityManager } from '../../db/orm.ts';
import { Invoice } from '../../db/schema/invoice.ts';
import { Note } from '../../db/schema/note.ts';
import { presentNote } from '../../present/tasks/task.ts';
import { checkMember } from '../accounts/members.ts';
import type { Caller } from '../kernel/caller.ts';
import { assignChanges } from '../kernel/changes.ts';
import { type LockedCustomer, lockNamedCustomer, lockOwner, retryOnOwnerChange } from '../kernel/lockedCustomer.ts';
import { Missing } from '../kernel/missing.ts';
import { recordOfCustomer } from '../kernel/record.ts';

export interface NewNote {
  caller: Caller;
  /** Id of the customer, unless `invoiceId` is given. If both are given, it must be the invoice's customer. */
  customerId: number | null;
  invoiceId: number | null;
  userId: number | null;
  notes: string;
}

export interface NoteKey {
  caller: Caller;
  id: number;
}

/** Creates a note about a customer or one of its invoices. Refuses an invoice of another customer and a user who is not a member. */
export async function createNote(em: EntityManager, input: NewNote, systemNow: Date): Promise<Note> {
  const { caller, invoiceId, userId, notes } = input;
  const accountId = caller.account.id;
  const customerId =
    invoiceId === null ? input.customerId : await customerIdOf(em, 'invoice', { accountId, id: invoiceId });
  if (customerId === null && invoiceId !== null)
    throw new Refusal('resource_missing', `Invoice was not found: ${invoiceId}`, 'invoice');
  if (customerId === null)
    throw new Refusal('parameter_missing', 'Customer missing: a note is about a customer or an invoice', 'customer');
  if (input.customerId !== null && input.customerId !== customerId)
    throw new Refusal(
      'parameter_invalid',
      `Invoice ${invoiceId} does not belong to customer ${input.customerId}`,
      'invoice',
    );
  await checkMember(em, caller.account, { id: userId, param: 'user' });
  const locked = await lockNamedCustomer(em, { caller, customerId }, systemNow);
  const { note: id } = await reserveIds(em, 'note');
  const invoice = invoiceId === null ? null : em.getReference(Invoice, [accountId, invoiceId]);
  const times = { createdAt: locked.moment.now, updatedAt: locked.moment.now };
  const note = em.create(Note, { accountId, id, customer: locked.customer, invoice, userId, notes, ...times });
  recordOfCustomer(em, locked, { type: 'note.created', row: note, shown: presentNote(note) });
  return note;
}

/** Changes the text or the author of a note, if anything differs. Refuses a user who is not a member. Throws Missing. */
export async function updateNote(
  em: EntityManager,
  change: NoteKey & { fields: { notes?: string | undefined; userId?: number | null | undefined } },
  systemNow: Date,
): Promise<Note> {
  const { locked, note } = await findNote(em, change, systemNow);
  await checkMember(em, change.caller.account, { id: change.fields.userId ?? null, param: 'user' });
  const before = presentNote(note);
  if (!assignChanges(note, change.fields)) return note;
  note.updatedAt = locked.moment.now;
  recordOfCustomer(em, locked, { type: 'note.updated', row: note, shown: presentNote(note), before });
  return note;
}

/** Deletes a note. Throws Missing. */
export async function deleteNote(em: EntityManager, key: NoteKey, systemNow: Date): Promise<void> {
  const { locked, note } = await findNote(em, key, systemNow);
  recordOfCustomer(em, locked, { type: 'note.deleted', row: note, shown: presentNote(note) });
  em.remove(note);
}

async function findNote(
  em: EntityManager,
  { caller, id }: NoteKey,
  systemNow: Date,
): Promise<{ locked: LockedCustomer; note: Note }> {
  const accountId = caller.account.id;
  const locked = await retryOnOwnerChange(() => lockOwner(em, { caller, table: 'note', id }, systemNow));
  const note = await em.findOne(Note, { accountId, id });
  if (!note) throw new Missing('Note', id);
  return { locked, note };
}
