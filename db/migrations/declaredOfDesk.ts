import type { Declared } from './changes.ts';

/** What the migrations for the desk of members do: saved views, search, home. */
export const declaredOfDesk = {
  '0340_saved_views': { creates: 'table saved_view', changes: [], unusedSince: null },
} satisfies Record<string, Declared>;
