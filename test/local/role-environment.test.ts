import { type RolePlaces, roleEnvironment } from '../../local/role-environment';

const places = { secrets: {} } as unknown as RolePlaces;
const connectionsOf = (env: NodeJS.ProcessEnv, cores: number): string | undefined =>
  roleEnvironment(env, places, cores)['DATABASE_CONNECTIONS'];

test('a process of this machine has four connections a core, 8 to 16, unless it is set', () => {
  expect([1, 2, 3, 4, 64].map((cores) => connectionsOf({}, cores))).toEqual(['8', '8', '12', '16', '16']);
  expect(connectionsOf({ DATABASE_CONNECTIONS: '5' }, 2)).toBe('5');
});
