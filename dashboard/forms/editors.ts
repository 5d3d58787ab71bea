import type { ListName } from '../kinds/kind.ts';
import type { Editor } from './field.ts';

/** The kinds that can be made and changed here. Each is loaded when it is needed. */
export const editors: Readonly<Partial<Record<ListName, () => Promise<Editor>>>> = {
  customers: async () => (await import('../customers/editor.ts')).customerEditor,
};
