import { useCallback, useMemo, useState } from 'react';

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

export function useSelection(): Selection {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const [isAll, setAll] = useState(false);
  const set = useCallback((changed: readonly string[], isSelected: boolean) => {
    setAll(false);
    setIds((before) => {
      const after = new Set(before);
      for (const id of changed) {
        if (isSelected) after.add(id);
        else after.delete(id);
      }
      return after;
    });
  }, []);
  const toggle = useCallback((id: string) => {
    setAll(false);
    setIds((before) => symmetric(before, id));
  }, []);
  const clear = useCallback(() => {
    setAll(false);
    setIds(new Set<string>());
  }, []);
  const selectAll = useCallback(() => setAll(true), []);
  return useMemo(
    () => ({ ids, isAll, selectAll, has: (id) => isAll || ids.has(id), toggle, set, clear }),
    [ids, isAll, selectAll, toggle, set, clear],
  );
}

function symmetric(before: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const after = new Set(before);
  if (!after.delete(id)) after.add(id);
  return after;
}
