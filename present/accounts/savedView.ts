import type { Plain } from '../../db/queries/kernel/plain.ts';
import type { SavedView } from '../../db/schema/savedView.ts';
import { orNull, type Presented, unix } from '../kernel/values.ts';

export function presentSavedView(view: Plain<SavedView>): Presented {
  return {
    id: view.id,
    object: 'saved_view',
    name: view.name,
    list: view.list,
    query: { ...view.query },
    columns: view.columns.map(({ name, width }) => ({ name, width })),
    shared: view.shared,
    member: orNull(view.memberId),
    created_at: unix(view.createdAt),
    updated_at: unix(view.updatedAt),
  };
}
