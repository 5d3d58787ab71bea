import type { DocumentActWords } from '../../words/invoicing/wording.ts';
import { textOf } from '../kinds/kind.ts';
import { ActForm, type ActShown } from '../objects/acts.tsx';
import type { DocumentList } from './editors.ts';
import { useInvoicingWords } from './words.ts';

/** The acts on documents that have a dialog. */
export type ActName = {
  [Name in keyof DocumentActWords]: DocumentActWords[Name] extends string ? never : Name;
}[keyof DocumentActWords];

interface Act extends Omit<ActShown, 'words' | 'about'> {
  name: ActName;
  list: DocumentList;
}

/** The dialog of an act on a document. */
export function DocumentAct({ name, list, ...act }: Act) {
  const { acts } = useInvoicingWords();
  const { row, id } = act.begun;
  const named = textOf(row, 'number') || textOf(row, 'name');
  return <ActForm words={acts[name]} about={`${list}/${id}/${name}`} named={named} {...act} />;
}
