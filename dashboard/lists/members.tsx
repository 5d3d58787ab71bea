import type { ReactNode } from 'react';
import { useMembers } from '../forms/options.ts';

interface Shown {
  name: string;
  label: string;
  /** Whether somebody has to be chosen; otherwise the first colleague is. */
  isRequired?: boolean;
  /** Who is chosen at first. */
  initial?: string;
  /** Options besides the colleagues. */
  children?: ReactNode;
}

/** Chooses a colleague. */
export function MemberSelect({ name, label, isRequired = false, initial = '', children }: Shown) {
  const members = useMembers(initial || null);
  return (
    <label>
      {label}
      <select name={name} required={isRequired} defaultValue={initial || (isRequired ? '' : undefined)}>
        {isRequired && (
          <option value="" disabled>
            –
          </option>
        )}
        {members.map(({ id, name: text }) => (
          <option key={id} value={id}>
            {text}
          </option>
        ))}
        {children}
      </select>
    </label>
  );
}
