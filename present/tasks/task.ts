import type { Plain } from '../../db/queries/kernel/plain.ts';
import type { Note } from '../../db/schema/note.ts';
import type { Task } from '../../db/schema/task.ts';
import { orNull, type Presented, unix, unixOrNull } from '../kernel/values.ts';

export function presentTask(task: Plain<Task>): Presented {
  return {
    id: task.id,
    object: 'task',
    name: task.name,
    action: task.action,
    customer: task.customer.id,
    customer_id: task.customer.id,
    user_id: orNull(task.userId),
    due_date: unixOrNull(task.dueAt),
    complete: task.complete,
    completed_date: unixOrNull(task.completedAt),
    completed_by_user_id: orNull(task.completedByUserId),
    outcome: orNull(task.outcome),
    next_task: orNull(task.nextTaskId),
    chase_step_id: orNull(task.chaseStepId),
    created_at: unix(task.createdAt),
    updated_at: unix(task.updatedAt),
  };
}

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
