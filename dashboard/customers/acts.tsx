import { useRouteContext } from '@tanstack/react-router';
import { type ComponentType, useState } from 'react';
import { Button, Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components';
import type { Row } from '../kinds/kind.ts';
import { isMerged } from '../kinds/people.ts';
import type { Own } from '../objects/read.ts';
import { can } from '../session.ts';
import { useFormWords, useWords } from '../words.ts';
import { ActBar, type ActName, type Begun } from './act.tsx';
import { Merge } from './merge.tsx';
import { Portal } from './portal.tsx';
import { Assign, Hold, MergedInto, OnHold, PromiseToPay, Release } from './standing.tsx';
import { SendStatement } from './statement.tsx';
import { AddNote, AddTask, LogCall } from './talking.tsx';

interface Offered {
  name: ActName;
  /** All of them are needed. */
  permissions: readonly string[];
  isShown?(row: Row): boolean;
  Dialog: ComponentType<Begun>;
}

const isActive = ({ active }: Row): boolean => active !== false;

/** In the order of how often they are needed. */
const offered: readonly Offered[] = [
  { name: 'call', permissions: ['collections.write'], Dialog: LogCall },
  { name: 'statement', permissions: ['customers.write'], Dialog: SendStatement },
  { name: 'promise', permissions: ['documents.write'], Dialog: PromiseToPay },
  { name: 'note', permissions: ['customers.write'], Dialog: AddNote },
  { name: 'task', permissions: ['collections.write'], Dialog: AddTask },
  { name: 'assign', permissions: ['customers.write'], Dialog: Assign },
  { name: 'hold', permissions: ['customers.write'], isShown: (row) => row.credit_hold !== true, Dialog: Hold },
  { name: 'release', permissions: ['customers.write'], isShown: (row) => row.credit_hold === true, Dialog: Release },
  {
    name: 'portal',
    permissions: ['customers.read', 'documents.read', 'payments.read', 'subscriptions.read'],
    Dialog: Portal,
  },
  { name: 'merge', permissions: ['customers.write'], isShown: isActive, Dialog: Merge },
];

/** How many acts have a button of their own. The others are in a menu. */
const BUTTONS = 3;

/** What a person can do for a customer, as far as its permissions allow. */
export function CustomerActs(own: Own) {
  const { row } = own;
  const { care } = useFormWords();
  const { more } = useWords();
  const { me } = useRouteContext({ from: '__root__' });
  const [begun, setBegun] = useState<ActName | null>(null);
  const [told, setTold] = useState('');
  if (isMerged(row)) return <MergedInto row={row} />;
  const acts = offered.filter(
    ({ permissions, isShown }) => permissions.every((one) => can(me, one)) && (isShown?.(row) ?? true),
  );
  const act = offered.find(({ name }) => name === begun);
  const begin = (name: ActName | null) => {
    setTold('');
    setBegun(name);
  };
  const others = acts.slice(BUTTONS);
  return (
    <div className="care">
      {row.credit_hold === true && <OnHold row={row} />}
      <ActBar told={told}>
        {acts.length > 0 && (
          <>
            {acts.slice(0, BUTTONS).map(({ name }) => (
              <Button key={name} className="secondary" onPress={() => begin(name)}>
                {care[name].act}
              </Button>
            ))}
            {others.length > 0 && (
              <MenuTrigger>
                <Button className="secondary">{more}</Button>
                <Popover>
                  <Menu onAction={(key) => begin(others.find(({ name }) => name === key)?.name ?? null)}>
                    {others.map(({ name }) => (
                      <MenuItem key={name} id={name}>
                        {care[name].act}
                      </MenuItem>
                    ))}
                  </Menu>
                </Popover>
              </MenuTrigger>
            )}
          </>
        )}
      </ActBar>
      {act && <act.Dialog {...own} close={() => setBegun(null)} tell={setTold} />}
    </div>
  );
}
