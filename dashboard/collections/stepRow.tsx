import { type KeyboardEvent, useId } from 'react';
import { fill } from '../../words/text.ts';
import { useMembers } from '../forms/options.ts';
import { useCaringWords, useWords } from '../words.ts';
import { ACTIONS, type Schedule, type Step } from './steps.ts';
import { useTemplates } from './templates.ts';
import { useCollectingWords } from './words.ts';

/** What is done to a step. */
export type Change =
  | { kind: 'set'; fields: Partial<Step> }
  | { kind: 'move'; by: number; field: string }
  | { kind: 'remove' }
  | { kind: 'add' };

interface Shown {
  step: Step;
  place: number;
  /** From what its days may count. */
  schedules: readonly Schedule[];
  /** The field that the API refuses, and why. */
  refused: string | null;
  error: string | null;
  act(place: number, what: Change): void;
}

/** One step: what is done when, and below it what few steps have. */
export function StepRow({ step, place, schedules, refused, error, act }: Shown) {
  const { form: words } = useCollectingWords();
  const { chasing } = useCaringWords();
  const labels = useWords();
  const id = useId();
  const number = { number: place + 1 };
  const set = (fields: Partial<Step>) => act(place, { kind: 'set', fields });
  const common = (field: string, label: string) => ({
    'data-field': field,
    'aria-label': fill(words.ofStep, { field: label, ...number }),
    'aria-invalid': refused === field,
    'aria-describedby': error === null ? undefined : `${id}-error`,
    onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
      const by = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0;
      const isPlain = !event.ctrlKey && !event.metaKey;
      if (event.altKey && by !== 0) act(place, { kind: 'move', by, field });
      else if (event.key === 'Enter' && isPlain && event.currentTarget.tagName === 'INPUT') act(place, { kind: 'add' });
      else return;
      event.preventDefault();
    },
  });
  return (
    <li>
      <input
        {...common('name', words.stepName)}
        className="name"
        dir="auto"
        autoComplete="off"
        maxLength={255}
        placeholder={words.stepName}
        value={step.name}
        onChange={({ target }) => set({ name: target.value })}
      />
      <select
        {...common('action', labels.fields.action)}
        className="action"
        value={step.action}
        onChange={({ target }) => set({ action: target.value })}
      >
        {ACTIONS.map((action) => (
          <option key={action} value={action}>
            {chasing.actions[action]}
          </option>
        ))}
      </select>
      <When step={step} schedules={schedules} common={common} set={set} />
      <Moves place={place} act={act} />
      {error !== null && (
        <p className="error" id={`${id}-error`} dir="auto">
          {error}
        </p>
      )}
      <Further step={step} number={place + 1} isOpen={FURTHER.includes(refused ?? '')} common={common} set={set} />
    </li>
  );
}

interface WhenShown {
  step: Step;
  schedules: readonly Schedule[];
  common(field: string, label: string): object;
  set(fields: Partial<Step>): void;
}

/** The number of days of a step, or its day, and from what they count. */
function When({ step, schedules, common, set }: WhenShown) {
  const { form: words } = useCollectingWords();
  const known: readonly string[] = schedules;
  return (
    <>
      {step.from === 'issue' ? (
        <span />
      ) : (
        <input
          {...common('schedule', words.days)}
          className="number"
          type={step.from === 'on' ? 'date' : 'text'}
          inputMode={step.from === 'on' ? undefined : 'numeric'}
          autoComplete="off"
          value={step.days}
          onChange={({ target }) => set({ days: target.value })}
        />
      )}
      <select
        {...common(step.from === 'issue' ? 'schedule' : 'from', words.from)}
        className="from"
        value={step.from}
        onChange={({ target }) => {
          const isOther = (step.from === 'on') !== (target.value === 'on') || target.value === 'issue';
          set({ from: target.value, ...(isOther ? { days: '' } : {}) });
        }}
      >
        {!known.includes(step.from) && <option value={step.from}>{step.from}</option>}
        {schedules.map((schedule) => (
          <option key={schedule} value={schedule}>
            {words.schedules[schedule]}
          </option>
        ))}
      </select>
    </>
  );
}

function Moves({ place, act }: Pick<Shown, 'place' | 'act'>) {
  const { form: words } = useCollectingWords();
  const labels = useWords();
  const number = { number: place + 1 };
  const own = fill(words.step, number);
  return (
    <span className="moves">
      <button
        type="button"
        className="plain"
        aria-label={fill(labels.moveUp, { name: own })}
        onClick={() => act(place, { kind: 'move', by: -1, field: 'name' })}
      >
        ↑
      </button>
      <button
        type="button"
        className="plain"
        aria-label={fill(labels.moveDown, { name: own })}
        onClick={() => act(place, { kind: 'move', by: 1, field: 'name' })}
      >
        ↓
      </button>
      <button
        type="button"
        className="plain"
        aria-label={fill(words.removeStep, number)}
        onClick={() => act(place, { kind: 'remove' })}
      >
        ✕
      </button>
    </span>
  );
}

/** The fields that stand below a step. */
const FURTHER = ['email_template_id', 'sms_template_id', 'assigned_user_id', 'role'];

interface FurtherShown {
  step: Step;
  number: number;
  isOpen: boolean;
  common(field: string, label: string): object;
  set(fields: Partial<Step>): void;
}

/** What few steps have: a template, the person who does it, and whom it addresses. */
function Further({ step, number, isOpen, common, set }: FurtherShown) {
  const { form: words } = useCollectingWords();
  const members = useMembers(step.person || null);
  const mails = useTemplates('email', step.email);
  const texts = useTemplates('sms', step.sms);
  const isMail = step.action === 'email';
  const isText = step.action === 'sms';
  const templates = isMail ? mails : texts;
  const chosen = isMail ? step.email : step.sms;
  const told = [
    (isMail || isText) && chosen !== '' ? (templates.find(({ id }) => id === chosen)?.name ?? chosen) : '',
    step.person === '' ? '' : (members.find(({ id }) => id === step.person)?.name ?? step.person),
    step.role,
  ].filter((text) => text !== '');
  return (
    <details open={isOpen || undefined}>
      <summary aria-label={fill(words.ofStep, { field: words.more, number })} dir="auto">
        {told.join(' · ') || words.more}
      </summary>
      <div className="more">
        {(isMail || isText) && (
          <label className="step-field">
            {words.template}
            <select
              {...common(isMail ? 'email_template_id' : 'sms_template_id', words.template)}
              value={chosen}
              onChange={({ target }) => set(isMail ? { email: target.value } : { sms: target.value })}
            >
              <option value="">{words.usualTemplate}</option>
              {templates.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          </label>
        )}
        <label className="step-field">
          {words.person}
          <select
            {...common('assigned_user_id', words.person)}
            value={step.person}
            onChange={({ target }) => set({ person: target.value })}
          >
            <option value="">{words.ofOwner}</option>
            {members.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
        {(isMail || isText) && (
          <label className="step-field">
            {words.role}
            <input
              {...common('role', words.role)}
              dir="auto"
              autoComplete="off"
              maxLength={255}
              placeholder={words.roleHint}
              value={step.role}
              onChange={({ target }) => set({ role: target.value })}
            />
          </label>
        )}
      </div>
    </details>
  );
}
