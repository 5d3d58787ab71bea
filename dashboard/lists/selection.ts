import { useCallback, useMemo, useState } from 'react';

/** The objects of a list that a person has chosen. */
export interface Selection {
  ids: ReadonlySet<string>;
  has(id: string): boolean;
  toggle(id: string): void;
  set(ids: readonly string[], isSelected: boolean): void;
  clear(): void;
}

export function useSelection(): Selection {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const set = useCallback(
    (changed: readonly string[], isSelected: boolean) =>
      setIds((before) => {
        const after = new Set(before);
        for (const id of changed) {
          if (isSelected) after.add(id);
          else after.delete(id);
        }
        return after;
      }),
    [],
  );
  const toggle = useCallback((id: string) => setIds((before) => symmetric(before, id)), []);
  const clear = useCallback(() => setIds(new Set<string>()), []);
  return useMemo(() => ({ ids, has: (id) => ids.has(id), toggle, set, clear }), [ids, toggle, set, clear]);
}

function symmetric(before: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const after = new Set(before);
  if (!after.delete(id)) after.add(id);
  return after;
}
