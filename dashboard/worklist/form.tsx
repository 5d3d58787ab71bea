import { useEffect, useRef } from 'react';
import { fill } from '../../words/text.ts';
import { Form, type FormShown } from '../forms/form.tsx';
import { DONE, type Ended } from './doing.ts';
import { type Item, nameOf } from './items.ts';
import { useWorkWords } from './words.ts';

export interface Acting {
  item: Item;
  /** Tells what was done, and opens the next item, or stays with this one. */
  finish(said: string, then?: 'next' | 'stay'): void;
  leaveAct(): void;
}

/** A form of an act. Its first field has the focus, or its button if it has no field. */
export function ActForm(shown: FormShown) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.querySelector<HTMLElement>('.form :is(select, textarea, input, button)')?.focus(), []);
  return (
    <div ref={place}>
      <Form {...shown} />
    </div>
  );
}

/** How a form ended that `changeTask` saves. */
export const endedIn = (answer: unknown): Ended =>
  typeof answer === 'object' && answer !== null && 'outcome' in answer && typeof answer.outcome === 'string'
    ? { kind: 'taken', outcome: answer.outcome }
    : DONE;

/** What is told of an item that somebody else has done. */
export function useTaken(item: Item): (outcome: string) => string {
  const { told } = useWorkWords();
  const name = nameOf(item);
  return (outcome) => (outcome === '' ? fill(told.takenBefore, { name }) : fill(told.taken, { name, outcome }));
}
