import type { Client, Full } from '../../client/index.ts';
import type { Row } from '../kinds/kind.ts';
import type { Section } from './field.ts';

/** How objects of a kind are made and changed. */
export interface Editor {
  /** The fields for an object, or for a new one; null: what they need is being read. */
  useSections(row: Row | null): readonly Section[] | null;
  create(api: Client, body: object): Promise<Full<object>>;
  change(api: Client, id: string, body: object): Promise<Full<object>>;
}
