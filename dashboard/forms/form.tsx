import { useRouteContext } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Button } from 'react-aria-components';
import { type Control, type UseFormReturn, useController, useForm, useWatch } from 'react-hook-form';
import { ApiError, type Client } from '../../client/index.ts';
import { fill } from '../../words/text.ts';
import { useFormats } from '../formats.ts';
import type { Row } from '../kinds/kind.ts';
import { useFormWords, useWords } from '../words.ts';
import { draftsOf, noDrafts } from './drafts.ts';
import {
  bodyOf,
  changedIn,
  type FormField,
  fieldAt,
  fieldsOf,
  keyOf,
  type Section,
  type Values,
  valuesOf,
} from './field.ts';
import { FieldInput } from './inputs.tsx';
import { FieldError, keysFrom, outcomeOf, type Writer } from './saving.ts';
import { SignInDialog } from './signIn.tsx';
import { StaleNote } from './stale.tsx';

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
  sections: readonly Section[];
  /** The object that is changed, with its tag; null: the form makes or does something new. */
  row: Row | null;
  etag?: string | null;
  save(what: Save): Promise<unknown>;
  done(answer: unknown): void;
  leave(): void;
  submit: string;
  /** Whether it does what cannot be undone. */
  isGrave?: boolean;
  /** What stands below the fields, for what they have. */
  beside?(values: Values): ReactNode;
}

/** A form described by its fields. Nothing typed into it is lost: by a reload, a refusal, the end of a session, or a change by somebody else. */
export function Form({ about, sections, row, etag = null, save, done, leave, submit, isGrave, beside }: FormShown) {
  const words = useFormWords();
  const { cancel } = useWords();
  const formats = useFormats();
  const { place, me, session } = useRouteContext({ from: '__root__' });
  const fields = fieldsOf(sections);
  const fresh = () => valuesOf(fields, row, formats);
  const [drafts] = useState(() => (about === null ? noDrafts : draftsOf({ place, me, about })));
  const [start] = useState(() => {
    const draft = drafts.read();
    const base = { ...fresh(), ...draft?.base };
    return { draft, base, values: { ...base, ...draft?.values } };
  });
  const known = useRef({
    base: start.base,
    etag: start.draft ? start.draft.etag : etag,
    keys: keysFrom(start.draft?.keys ?? {}),
  });
  const [isRestored, setRestored] = useState(start.draft !== null);
  const [isSaving, setSaving] = useState(false);
  const [refusal, setRefusal] = useState<Error | null>(null);
  const [ended, setEnded] = useState<ApiError | null>(null);
  const [stale, setStale] = useState<{ theirs: Values; etag: string } | null>(null);
  const form = useForm<Values>({ defaultValues: keyed(fields, start.values) });
  const entered = () => named(fields, form.getValues());
  const keep = () => {
    const { base, etag: tag, keys } = known.current;
    const values = entered();
    const changed = changedIn(fields, base, values);
    if (changed.length === 0) return drafts.clear();
    const typed = Object.fromEntries(changed.map(({ name }) => [name, values[name] ?? '']));
    drafts.write({ etag: tag, base, values: typed, keys: keys.all() });
  };
  const keeping = useRef(keep);
  keeping.current = keep;
  useEffect(() => form.subscribe({ formState: { values: true }, callback: () => keeping.current() }), [form]);
  const discard = () => {
    known.current = { base: fresh(), etag, keys: keysFrom({}) };
    drafts.clear();
    form.reset(keyed(fields, known.current.base));
    setRestored(false);
    setRefusal(null);
    setStale(null);
  };
  const refuse = (error: unknown) => {
    const isKnown = error instanceof ApiError || error instanceof FieldError;
    const field = isKnown ? fieldAt(fields, error.param) : null;
    if (isKnown && field) form.setError(keyOf(field.name), { message: error.message }, { shouldFocus: true });
    else setRefusal(error instanceof Error ? error : new Error(String(error)));
  };
  const send = async () => {
    if (isSaving) return;
    form.clearErrors();
    setRefusal(null);
    setEnded(null);
    const values = entered();
    const { base, etag: tag, keys } = known.current;
    const body = bodyOf(fields, { base: row === null ? null : base, values, formats });
    if (row !== null && Object.keys(body).length === 0) {
      drafts.clear();
      return done(row);
    }
    const missing = fields.find(({ name, isRequired }) => isRequired && String(values[name] ?? '').trim() === '');
    if (missing) return refuse(new FieldError(missing.name, fill(words.isMissing, { name: missing.label })));
    setSaving(true);
    const writer: Writer = (write) => session.api.with({ idempotencyKey: keys.of(write) });
    const api = writer([tag, body]).with(tag === null ? {} : { ifMatch: tag });
    keep();
    const outcome = await outcomeOf(() => save({ api, body, values, writer }));
    setSaving(false);
    if (outcome.kind === 'saved') {
      drafts.clear();
      done(outcome.answer);
    } else if (outcome.kind === 'stale')
      setStale({ theirs: valuesOf(fields, outcome.current, formats), etag: outcome.etag });
    else if (outcome.kind === 'sign_in') setEnded(outcome.error);
    else refuse(outcome.error);
  };
  return (
    <form
      className="form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      {isRestored && (
        <p className="draft" role="status">
          {words.draftRestored}{' '}
          <Button className="plain" onPress={discard}>
            {words.discard}
          </Button>
        </p>
      )}
      {refusal && <Summary error={refusal} />}
      {stale && (
        <StaleNote
          key={stale.etag}
          {...{ fields, base: known.current.base, mine: entered(), theirs: stale.theirs }}
          resolve={(values) => {
            known.current = { ...known.current, base: stale.theirs, etag: stale.etag };
            form.reset(keyed(fields, values));
            setStale(null);
            send();
          }}
        />
      )}
      {sections.map(({ title, fields: ones }) => (
        <fieldset key={title ?? ''} className={title === null ? 'plain' : 'group'}>
          {title !== null && <legend>{title}</legend>}
          {ones.map((field) => (
            <One key={field.name} field={field} control={form.control} />
          ))}
        </fieldset>
      ))}
      {beside && <Beside {...{ fields, form, beside }} />}
      <div className="buttons">
        <Button type="submit" className={isGrave ? 'grave' : 'primary'} isPending={isSaving}>
          {isSaving ? words.saving : submit}
        </Button>
        <Button className="secondary" onPress={leave}>
          {cancel}
        </Button>
      </div>
      {ended && <SignInDialog error={ended} again={send} close={() => setEnded(null)} />}
    </form>
  );
}

const keyed = (fields: readonly FormField[], values: Values): Values =>
  Object.fromEntries(fields.map(({ name }) => [keyOf(name), values[name] ?? '']));

const named = (fields: readonly FormField[], values: Values): Values =>
  Object.fromEntries(fields.map(({ name }) => [name, values[keyOf(name)] ?? '']));

function One({ field, control }: { field: FormField; control: Control<Values> }) {
  const { field: bound, fieldState } = useController({ name: keyOf(field.name), control });
  return (
    <FieldInput
      field={field}
      value={bound.value}
      change={bound.onChange}
      left={bound.onBlur}
      error={fieldState.error?.message ?? null}
      control={bound.ref}
    />
  );
}

interface BesideShown {
  fields: readonly FormField[];
  form: UseFormReturn<Values>;
  beside(values: Values): ReactNode;
}

function Beside({ fields, form, beside }: BesideShown) {
  useWatch({ control: form.control });
  return beside(named(fields, form.getValues()));
}

/** Why the API refuses the whole. It takes the focus, so that nobody misses it. */
function Summary({ error }: { error: Error }) {
  const words = useFormWords();
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.focus(), [error]);
  const param = error instanceof ApiError ? error.param : null;
  return (
    <div className="summary" role="alert" tabIndex={-1} ref={place}>
      <strong>{words.notSaved}</strong>
      <p dir="auto">{error.message}</p>
      {param !== null && <small dir="ltr">{param}</small>}
    </div>
  );
}
