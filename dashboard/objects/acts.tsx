import { useQueryClient } from '@tanstack/react-query';
import { useRouteContext } from '@tanstack/react-router';
import { type ComponentType, type ReactNode, useState } from 'react';
import { Button, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components';
import type { ActWords } from '../../words/editing/wording.ts';
import { fill } from '../../words/text.ts';
import { FormDialog } from '../forms/dialog.tsx';
import type { Section } from '../forms/field.ts';
import type { FormShown } from '../forms/form.tsx';
import { can } from '../session.ts';
import { useFormWords, useWords } from '../words.ts';
import type { Own } from './read.ts';

/** An act that was begun. */
export interface Begun extends Own {
  close(): void;
  /** Tells what was done. */
  tell(text: string): void;
}

/** An act on an object: a dialog, or a way to another page. */
export interface Offered {
  name: string;
  label: string;
  /** All of them are needed. */
  permissions: readonly string[];
  does: { Dialog: ComponentType<Begun> } | { go(): void };
}

/** How many acts have a button of their own. The others are in a menu. */
const BUTTONS = 3;

/** What a person can do to an object, as far as its permissions allow, in the order of how often it is needed. */
export function Acts({ own, offered }: { own: Own; offered: readonly Offered[] }) {
  const { more } = useWords();
  const { me } = useRouteContext({ from: '__root__' });
  const [begun, setBegun] = useState<string | null>(null);
  const [told, setTold] = useState('');
  const acts = offered.filter(({ permissions }) => permissions.every((one) => can(me, one)));
  const act = acts.find(({ name }) => name === begun)?.does;
  const begin = (name: unknown) => {
    const chosen = acts.find((one) => one.name === name);
    setTold('');
    if (chosen && 'go' in chosen.does) chosen.does.go();
    else setBegun(chosen?.name ?? null);
  };
  const others = acts.slice(BUTTONS);
  return (
    <>
      <ActBar told={told}>
        {acts.length > 0 && (
          <>
            {acts.slice(0, BUTTONS).map(({ name, label }) => (
              <Button key={name} className="secondary" onPress={() => begin(name)}>
                {label}
              </Button>
            ))}
            {others.length > 0 && (
              <MenuTrigger>
                <Button className="secondary">{more}</Button>
                <Popover>
                  <Menu onAction={begin}>
                    {others.map(({ name, label }) => (
                      <MenuItem key={name} id={name}>
                        {label}
                      </MenuItem>
                    ))}
                  </Menu>
                </Popover>
              </MenuTrigger>
            )}
          </>
        )}
      </ActBar>
      {act && 'Dialog' in act && <act.Dialog {...own} close={() => setBegun(null)} tell={setTold} />}
    </>
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

export interface ActShown extends Pick<FormShown, 'save' | 'isGrave' | 'beside'> {
  words: ActWords;
  begun: Begun;
  /** Name of the draft that this browser keeps. What cannot be undone keeps none, only the keys of what was sent and not answered. */
  about: string;
  sections?: readonly Section[];
  row?: FormShown['row'];
  etag?: string | null;
  /** Whom or what the words name. */
  named?: string;
  /** The button, where it is not the name of the act. */
  submit?: string;
  /** What is told when it is done, where that depends on the answer. */
  told?(answer: unknown): string;
  /** What else happens when it is done. */
  then?(answer: unknown): unknown;
}

/** The dialog of an act: its fields, and what it says when it is done. */
export function ActForm({ words, begun, about, sections = [], row = null, etag = null, named = '', ...act }: ActShown) {
  const { submit, told, then, ...form } = act;
  const queries = useQueryClient();
  return (
    <FormDialog
      title={words.act}
      what={fill(words.what, { name: named })}
      about={sections.length === 0 || act.isGrave ? null : about}
      sentAs={act.isGrave ? about : undefined}
      sections={sections}
      row={row}
      etag={etag}
      {...form}
      submit={submit ?? words.act}
      leave={() => {
        begun.close();
        void queries.invalidateQueries(); // the object may be another one than when the act was begun
      }}
      done={async (answer) => {
        begun.close();
        begun.tell(told?.(answer) ?? words.done);
        await then?.(answer);
        await queries.invalidateQueries();
      }}
    />
  );
}
