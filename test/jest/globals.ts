import type * as Jest from '@jest/globals';

type Globals = Pick<
  typeof Jest,
  'afterAll' | 'afterEach' | 'beforeAll' | 'beforeEach' | 'describe' | 'expect' | 'it' | 'jest' | 'test'
>;

/** The globals of the running test file. Jest creates new ones for each file. */
let current: Globals | null = null;

export function useGlobals(globals: Globals): void {
  current = globals;
}

function forwardTo<Name extends keyof Globals>(name: Name): Globals[Name] {
  const target = () => {
    if (current === null) throw new Error(`${name} is only available while a test file runs`);
    return Object(current[name]);
  };
  return new Proxy(Object(target), {
    apply: (_, self, given) => Reflect.apply(target(), self, given),
    get: (_, key) => Reflect.get(target(), key),
  });
}

export const afterAll = forwardTo('afterAll');
export const afterEach = forwardTo('afterEach');
export const beforeAll = forwardTo('beforeAll');
export const beforeEach = forwardTo('beforeEach');
export const describe = forwardTo('describe');
export const expect = forwardTo('expect');
export const it = forwardTo('it');
export const jest = forwardTo('jest');
export const test = forwardTo('test');
