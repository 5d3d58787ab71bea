import type { CareWords } from '../../words/editing/wording.ts';
import { ActForm, type ActShown } from '../objects/acts.tsx';
import { useFormWords } from '../words.ts';

export { ActBar, type Begun } from '../objects/acts.tsx';

/** The acts that have a dialog. */
export type ActName = {
  [Name in keyof CareWords]: CareWords[Name] extends { act: string; what: string; done: string } ? Name : never;
}[keyof CareWords];

interface Act extends Omit<ActShown, 'words' | 'about'> {
  name: ActName;
  /** What distinguishes it from the same act on another object: the id of a contact. */
  of?: string;
}

/** The dialog of an act for a customer. */
export function ActDialog({ name, of = '', ...act }: Act) {
  const { care } = useFormWords();
  return <ActForm words={care[name]} about={`customers/${act.begun.id}/${name}/${of}`} {...act} />;
}
