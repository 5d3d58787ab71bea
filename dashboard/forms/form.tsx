import { useRouteContext } from '@tanstack/react-router';
import { type ComponentProps, type ReactNode, useRef, useState } from 'react';
import { Button } from 'react-aria-components';
import { FormProvider, useController, useFormState, useWatch } from 'react-hook-form';
import { ApiError, type Client } from '../../client/index.ts';
import { useFormats } from '../formats.ts';
import type { Row } from '../kinds/kind.ts';
import { Refused } from '../shell/problem.tsx';
import { useFormWords, useWords } from '../words.ts';
import { faultsIn } from './checks.ts';
import { isAnswer } from './drafts.ts';
import {
  bodyOf,
  changedIn,
  type FormField,
  fieldAt,
  fieldsOf,
  isFilled,
  keyOf,
  type SaveKind,
  type Section,
  type Values,
  valuesOf,
} from './field.ts';
import { FieldInput } from './inputs.tsx';
import { FieldError, outcomeOf, type Writer } from './saving.ts';
import { SignInDialog } from './signIn.tsx';
import { StaleNote } from './stale.tsx';
import { type Typed, useTyped } from './typed.ts';

/** What a form sends, and by what. */
export interface Save {
  /** Sends the write of this form once, also if it is repeated, and only if the object is as it was read. */
  api: Client;
  body: Record<string, unknown>;
  values: Values;
  /** The client for one of several writes. */
  writer: Writer;
}

export interface FormShown {
  /** Name of the draft that this browser keeps; null: none. */
  about: string | null;
  /** Name by which this browser keeps the keys of its writes until they are answered, but not what was typed. */
  sentAs?: string | undefined;
  sections: readonly Section[];
  /** The object that is changed, with its tag; null: the form makes or does something new. */
  row: Row | null;
  etag?: string | null;
  /** An object whose values a new one begins with. */
  like?: Row | null;
  /** Fields that it does not change, but tells about if others changed them meanwhile. */
  watched?: readonly FormField[];
  /** Adds what the fields need of an object and the API tells elsewhere. */
  whole?(row: Row): Promise<Row>;
  save(what: Save): Promise<unknown>;
  done(answer: unknown): void;
  leave(): void;
  /** The label of its button, or several ways to save, the usual one first. */
  submit: string | readonly SaveKind[];
  /** Whether it does what cannot be undone. */
  isGrave?: boolean;
  /** What stands below the fields, for what they have. */
  beside?(values: Values, body: Record<string, unknown>): ReactNode;
}

/** A form described by its fields. Nothing typed into it is lost: by a reload, a refusal, the end of a session, or a change by somebody else. */
export function Form(shown: FormShown) {
  const { sections, leave, submit, isGrave, beside } = shown;
  const words = useFormWords();
  const { cancel } = useWords();
  const fields = fieldsOf(sections);
  const typed = useTyped({ ...shown, fields, etag: shown.etag ?? null });
  const [usual = { label: '', adds: {} }, ...others] =
    typeof submit === 'string' ? [{ label: submit, adds: {} }] : submit;
  const { isSaving, refusal, ended, stale, send, again, reset } = useSending(shown, fields, typed);
  return (
    <form
      className="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void send(usual.adds);
      }}
    >
      <div className="body">
        {typed.isRestored && (
          <p className="restored" role="status">
            {words.draftRestored}{' '}
            <Button
              className="plain"
              onPress={() => {
                typed.discard();
                reset();
              }}
            >
              {words.discard}
            </Button>
          </p>
        )}
        {refusal && <Refused error={refusal} />}
        {stale && (
          <Stale
            key={stale.etag}
            typed={typed}
            fields={[...fields, ...(shown.watched ?? [])]}
            base={stale.base}
            theirs={stale.theirs}
            resolve={(values) => {
              typed.goOn({ base: stale.theirs, etag: stale.etag, values });
              void again();
            }}
          />
        )}
        <FormProvider {...typed.form}>
          {sections.map((section) => (
            <Part key={section.title ?? ''} section={section} form={typed.form} />
          ))}
        </FormProvider>
        {beside && <Beside typed={typed} fields={fields} isNew={shown.row === null} beside={beside} />}
      </div>
      <div className="buttons">
        <Button type="submit" className={isGrave ? 'grave' : 'primary'}>
          {isSaving ? words.saving : usual.label}
        </Button>
        {others.map(({ label, adds }) => (
          <Button key={label} className="secondary" onPress={() => send(adds)}>
            {label}
          </Button>
        ))}
        <Button
          className="secondary"
          onPress={() => {
            typed.forget();
            leave();
          }}
        >
          {cancel}
        </Button>
      </div>
      {ended && <SignInDialog error={ended} again={again} close={reset} />}
    </form>
  );
}

/** What keeps a form from being saved. */
interface Hindrance {
  refusal?: Error;
  ended?: ApiError;
  stale?: { base: Values; theirs: Values; etag: string };
}

function useSending({ row, save, done, watched = [], whole }: FormShown, fields: readonly FormField[], typed: Typed) {
  const words = useFormWords();
  const listWords = useWords();
  const formats = useFormats();
  const { session } = useRouteContext({ from: '__root__' });
  const [isSaving, setSaving] = useState(false);
  const [hindrance, setHindrance] = useState<Hindrance>({});
  const { form } = typed;
  /** What the button that was pressed sends besides the fields. */
  const adding = useRef<SaveKind['adds']>({});
  const refuse = (error: unknown) => {
    const isKnown = error instanceof ApiError || error instanceof FieldError;
    const field = isKnown ? fieldAt(fields, error.param) : null;
    if (isKnown && field)
      form.setError(keyOf(field.name), { type: error.param ?? '', message: error.message }, { shouldFocus: true });
    else setHindrance({ refusal: error instanceof Error ? error : new Error(String(error)) });
  };
  const reset = () => {
    form.clearErrors();
    setHindrance({});
  };
  const send = async (adds: SaveKind['adds']) => {
    if (isSaving) return;
    adding.current = adds;
    reset();
    const values = typed.entered();
    const { base, etag, keys } = typed.known();
    const body = { ...bodyOf(fields, { base: row === null ? null : base, values, formats }), ...adds };
    const faults = faultsIn(fields, { base, values, formats, words: { ...listWords, ...words } });
    for (const [place, { field, message }] of faults.entries())
      form.setError(keyOf(field.name), { message }, { shouldFocus: place === 0 });
    if (faults.length > 0) return;
    if (row !== null && Object.keys(body).length === 0) {
      typed.forget();
      return done(row);
    }
    setSaving(true);
    const sent: Record<string, string> = {};
    const writer: Writer = (write) => {
      const idempotencyKey = keys.of(write);
      const named = Object.entries(keys.all()).filter(([, key]) => key === idempotencyKey);
      typed.unanswered.sent(Object.assign(sent, Object.fromEntries(named)));
      return session.api.with({ idempotencyKey });
    };
    const api = writer([etag, body]).with(etag === null ? {} : { ifMatch: etag });
    typed.keep();
    const outcome = await outcomeOf(() => save({ api, body, values, writer }));
    setSaving(false);
    if (outcome.kind !== 'refused' || isAnswer(outcome.error)) typed.unanswered.answered(sent);
    if (outcome.kind === 'saved') {
      typed.forget();
      done(outcome.answer);
    } else if (outcome.kind === 'stale' && etag === null) {
      refuse(new Error(words.staleTitle)); // an act on another version than the person saw
    } else if (outcome.kind === 'stale') {
      const all = [...fields, ...watched];
      const reading = whole?.(outcome.current) ?? Promise.resolve(outcome.current);
      const current = await reading.catch((error: Error) => error);
      if (current instanceof Error) return refuse(current);
      const stored = { base, theirs: valuesOf(all, current, formats), etag: outcome.etag };
      if (changedIn(all, base, stored.theirs).length > 0) return setHindrance({ stale: stored });
      typed.goOn({ base, etag: stored.etag, values }); // only what this form does not show was changed
      return send(adds);
    } else if (outcome.kind === 'sign_in') setHindrance({ ended: outcome.error });
    else refuse(outcome.error);
  };
  return { isSaving, ...hindrance, send, again: () => send(adding.current), reset };
}

function Part({ section, form }: { section: Section; form: Typed['form'] }) {
  const { title, fields, isFolded } = section;
  const inputs = fields.map((field) => <One key={field.name} field={field} form={form} />);
  if (isFolded) return <Folded section={section} form={form} inputs={inputs} />;
  return (
    <fieldset className={title === null ? 'plain' : 'group'}>
      {title !== null && <legend>{title}</legend>}
      {inputs}
    </fieldset>
  );
}

/** Fields that few need. They open for what stands in them, and for an error. */
function Folded({ section, form, inputs }: { section: Section; form: Typed['form']; inputs: ReactNode }) {
  const { errors } = useFormState({ control: form.control });
  const keys = section.fields.map(({ name }) => keyOf(name));
  const [isOpen, setOpen] = useState(() => keys.some((key) => isFilled(form.getValues(key))));
  return (
    <details
      className="group"
      open={isOpen || keys.some((key) => key in errors)}
      onToggle={({ currentTarget }) => setOpen(currentTarget.open)}
    >
      <summary>{section.title}</summary>
      <fieldset className="plain">{inputs}</fieldset>
    </details>
  );
}

function One({ field, form }: { field: FormField; form: Typed['form'] }) {
  const name = keyOf(field.name);
  const { field: bound, fieldState } = useController({ name, control: form.control });
  return (
    <FieldInput
      field={field}
      value={bound.value}
      change={(value) => {
        bound.onChange(value);
        form.clearErrors(name);
      }}
      left={bound.onBlur}
      error={fieldState.error?.message ?? null}
      param={fieldState.error?.type ?? null}
      control={bound.ref}
    />
  );
}

interface Stale extends Omit<ComponentProps<typeof StaleNote>, 'mine'> {
  typed: Typed;
}

/** Both versions, with what is typed while they are compared. */
function Stale({ typed, ...versions }: Stale) {
  useWatch({ control: typed.form.control });
  return <StaleNote {...versions} mine={{ ...versions.base, ...typed.entered() }} />;
}

interface Beside extends Pick<Required<FormShown>, 'beside'> {
  typed: Typed;
  fields: readonly FormField[];
  isNew: boolean;
}

function Beside({ typed, fields, isNew, beside }: Beside) {
  const formats = useFormats();
  useWatch({ control: typed.form.control });
  const values = typed.entered();
  return beside(values, bodyOf(fields, { base: isNew ? null : typed.known().base, values, formats }));
}
