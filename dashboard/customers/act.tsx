import { useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { CareWords } from '../../words/editing/wording.ts';
import { fill } from '../../words/text.ts';
import { FormDialog } from '../forms/dialog.tsx';
import type { Section } from '../forms/field.ts';
import type { FormShown } from '../forms/form.tsx';
import type { Own } from '../objects/read.ts';
import { useFormWords } from '../words.ts';

/** An act that was begun. */
export interface Begun extends Own {
  close(): void;
  /** Tells what was done. */
  tell(text: string): void;
}

/** The acts that have a dialog. */
export type ActName = {
  [Name in keyof CareWords]: CareWords[Name] extends { act: string; what: string; done: string } ? Name : never;
}[keyof CareWords];

interface Act extends Pick<FormShown, 'save' | 'isGrave' | 'beside'> {
  name: ActName;
  begun: Begun;
  sections?: readonly Section[];
  /** What distinguishes it from the same act on another object: the id of a contact. */
  of?: string;
  row?: FormShown['row'];
  etag?: string | null;
  /** Whom or what the words name. */
  named?: string;
  /** The button, where it is not the name of the act. */
  submit?: string;
  /** What is told when it is done, where that depends on the answer. */
  told?(answer: unknown): string;
}

/** The dialog of an act: its fields, and what it says when it is done. What cannot be undone keeps no draft. */
export function ActDialog({ name, begun, sections = [], of = '', row = null, etag = null, named = '', ...act }: Act) {
  const { submit, told, ...form } = act;
  const { care } = useFormWords();
  const queries = useQueryClient();
  const words = care[name];
  return (
    <FormDialog
      title={words.act}
      what={fill(words.what, { name: named })}
      about={sections.length === 0 || act.isGrave ? null : `customers/${begun.id}/${name}/${of}`}
      sections={sections}
      row={row}
      etag={etag}
      {...form}
      submit={submit ?? words.act}
      leave={begun.close}
      done={async (answer) => {
        begun.close();
        begun.tell(told?.(answer) ?? words.done);
        await queries.invalidateQueries();
      }}
    />
  );
}

/** The buttons of what can be done, and what is told about it when it is done. */
export function ActBar({ told, children }: { told: string; children: ReactNode }) {
  const { care } = useFormWords();
  return (
    <>
      {children && (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset would bring a legend and a border of its own
        <div role="group" aria-label={care.acts} className="tools">
          {children}
        </div>
      )}
      <p role="status" className="told">
        {told}
      </p>
    </>
  );
}
