import { useRouteContext } from '@tanstack/react-router';
import { type ComponentType, useState } from 'react';
import { Button } from 'react-aria-components';
import type { Row } from '../kinds/kind.ts';
import type { Own } from '../objects/read.ts';
import { can } from '../session.ts';
import { useFormWords } from '../words.ts';
import type { ActName, Begun } from './act.tsx';
import { Merge } from './merge.tsx';
import { Portal } from './portal.tsx';
import { Assign, Hold, PromiseToPay, Release } from './standing.tsx';
import { AddNote, AddTask, LogCall, SendStatement } from './talking.tsx';

interface Offered {
  name: ActName;
  /** All of them are needed. */
  permissions: readonly string[];
  isShown?(row: Row): boolean;
  Dialog: ComponentType<Begun>;
}

const isActive = ({ active }: Row): boolean => active !== false;

const offered: readonly Offered[] = [
  { name: 'call', permissions: ['collections.write'], Dialog: LogCall },
  { name: 'note', permissions: ['customers.write'], Dialog: AddNote },
  { name: 'task', permissions: ['collections.write'], Dialog: AddTask },
  { name: 'statement', permissions: ['customers.write'], Dialog: SendStatement },
  { name: 'promise', permissions: ['documents.write'], Dialog: PromiseToPay },
  { name: 'assign', permissions: ['customers.write'], Dialog: Assign },
  { name: 'hold', permissions: ['customers.write'], isShown: (row) => row.credit_hold !== true, Dialog: Hold },
  { name: 'release', permissions: ['customers.write'], isShown: (row) => row.credit_hold === true, Dialog: Release },
  { name: 'merge', permissions: ['customers.write'], isShown: isActive, Dialog: Merge },
  {
    name: 'portal',
    permissions: ['customers.write', 'documents.read', 'payments.read', 'subscriptions.read'],
    Dialog: Portal,
  },
];

/** What a person can do for a customer, as far as its permissions allow. */
export function CustomerActs(own: Own) {
  const { row } = own;
  const { care } = useFormWords();
  const { me } = useRouteContext({ from: '__root__' });
  const [begun, setBegun] = useState<ActName | null>(null);
  const [told, setTold] = useState('');
  const acts = offered.filter(
    ({ permissions, isShown }) => permissions.every((one) => can(me, one)) && (isShown?.(row) ?? true),
  );
  const act = offered.find(({ name }) => name === begun);
  if (acts.length === 0) return null;
  return (
    <div className="care">
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would bring a legend and a border of its own */}
      <div role="group" aria-label={care.acts} className="tools">
        {acts.map(({ name }) => (
          <Button
            key={name}
            className="secondary"
            onPress={() => {
              setTold('');
              setBegun(name);
            }}
          >
            {care[name].act}
          </Button>
        ))}
      </div>
      <p role="status" className="told">
        {told}
      </p>
      {act && <act.Dialog {...own} close={() => setBegun(null)} tell={setTold} />}
    </div>
  );
}
