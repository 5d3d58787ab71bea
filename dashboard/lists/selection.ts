/** The objects of a list that a person has chosen. */
export interface Selection {
  ids: ReadonlySet<string>;
  /** All that the list has with its filters, also those that are out of sight. */
  isAll: boolean;
  selectAll(): void;
  has(id: string): boolean;
  toggle(id: string): void;
  set(ids: readonly string[], isSelected: boolean): void;
  clear(): void;
}

export interface Chosen {
  ids: ReadonlySet<string>;
  isAll: boolean;
}

export const NONE: Chosen = { ids: new Set(), isAll: false };

/** Of all that match, one cannot be left out: taking one away takes away everything. */
export function toggled(before: Chosen, id: string): Chosen {
  return changedTo(before, [id], !before.ids.has(id) && !before.isAll);
}

export function changedTo({ ids, isAll }: Chosen, changed: readonly string[], isSelected: boolean): Chosen {
  if (isAll) return isSelected ? { ids, isAll } : NONE;
  const after = new Set(ids);
  for (const id of changed) {
    if (isSelected) after.add(id);
    else after.delete(id);
  }
  return { ids: after, isAll: false };
}
