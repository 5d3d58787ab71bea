import { useFormats } from '../formats.ts';
import type { FormField } from '../forms/field.ts';
import { type Row, textOf } from '../kinds/kind.ts';
import type { Begun } from '../objects/acts.tsx';
import { SubscriptionAct, section } from './act.tsx';
import { pauseAsked, resumptionAsked } from './asked.ts';
import { useSubscribingWords } from './words.ts';

/** Pauses a subscription, now or at the end of its period, until a day or until somebody resumes it. */
export function PauseSubscription(begun: Begun) {
  const { pause: words } = useSubscribingWords();
  const formats = useFormats();
  const mode = useMode();
  const fields = (row: Row): FormField[] => {
    // What is to be canceled at the end of its period cannot pause then.
    const times = Object.entries(words.times).filter(([id]) => id === 'now' || row.cancel_at_period_end !== true);
    const [usual] = times;
    return [
      {
        name: 'when',
        label: words.when,
        kind: 'choice',
        isRequired: true,
        isWide: true,
        initial: usual?.[0] ?? 'now',
        choices: times.map(([id, name]) => ({ id, name })),
      },
      { name: 'resume_at', label: words.until, kind: 'day', hint: words.untilHint },
      mode(row),
    ];
  };
  return (
    <SubscriptionAct
      name="pause"
      begun={begun}
      sections={(row) => [section(fields(row))]}
      ask={(values) => pauseAsked(values, formats)}
    />
  );
}

/** What a subscription bills after a pause. */
function useMode(): (row: Row) => FormField {
  const { pause: words } = useSubscribingWords();
  return (row) => ({
    name: 'resume_mode',
    label: words.afterwards,
    kind: 'choice',
    isRequired: true,
    initial: textOf(row, 'resume_mode') || 'continue',
    choices: Object.entries(words.modes).map(([id, name]) => ({ id, name })),
  });
}

/** Ends a pause. */
export function ResumeSubscription(begun: Begun) {
  const { pause: words, change } = useSubscribingWords();
  const mode = useMode();
  const { bill, leave } = words.missedChoices;
  const missed: FormField = {
    name: 'backfill',
    label: words.missed,
    kind: 'choice',
    choices: [
      { id: 'true', name: bill },
      { id: 'false', name: leave },
    ],
  };
  return (
    <SubscriptionAct
      name="resume"
      begun={begun}
      sections={(row) => [section([mode(row)]), { title: change.further, isFolded: true, fields: [missed] }]}
      ask={resumptionAsked}
    />
  );
}

/** Takes back a pause that is planned. */
export const StayOn = (begun: Begun) => (
  <SubscriptionAct name="stayOn" begun={begun} ask={() => ({ how: 'change', body: { pause_at_period_end: false } })} />
);
