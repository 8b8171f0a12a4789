interface Stage extends Record<string, unknown> {
  readonly steps: readonly object[];
}
// Plain JavaScript, without types.
const { ignoring } = jest.requireActual<{
  ignoring: (text: string) => (file: string) => boolean;
}>('../../deploy/check/context.mjs');
const { readDockerfile } = jest.requireActual<{ readDockerfile: (text: string) => Stage[] }>(
  '../../deploy/check/dockerfile.mjs',
);

const FROM = 'FROM node AS build\n';

describe('a Dockerfile, as check:deploy reads it', () => {
  it('gives each stage its steps, and the last one its process', () => {
    const [build, last] = readDockerfile(
      `ARG IMAGE=node:1
      FROM \${IMAGE} AS build
      # Not this.
      WORKDIR /app
      ENV A=1 B="2 3"
      COPY a b ./
      RUN one && \\
        two
      FROM \${IMAGE}
      COPY --from=build --chown=node /app/x ./
      USER 1000:1000
      ENTRYPOINT ["node"]
      CMD ["main.js"]`,
    );
    expect(build).toMatchObject({ name: 'build', base: 'node:1', workdir: '/app' });
    expect(build?.steps).toMatchObject([
      { kind: 'WORKDIR' },
      { kind: 'COPY', sources: ['a', 'b'], to: './', stage: null, line: 6 },
      { kind: 'RUN', command: ['/bin/sh', '-c', 'one && two'], env: { A: '1', B: '2 3' } },
    ]);
    expect(last?.steps).toMatchObject([{ kind: 'COPY', sources: ['/app/x'], stage: 'build', owner: 'node' }]);
    expect(last).toMatchObject({ user: '1000:1000', entrypoint: ['node'], cmd: ['main.js'] });
  });

  it.each([
    'ADD a b',
    'HEALTHCHECK CMD true',
    'COPY --link a b',
    'COPY *.json ./',
    'COPY --from=elsewhere a b',
    'COPY a',
    'COPY ${NOWHERE} b',
    'RUN --mount=type=cache,target=/x true',
    'RUN <<END',
    'CMD node main.js',
    'SHELL ["/bin/bash"]',
  ])('refuses %s by its line', (line) => {
    expect(() => readDockerfile(`${FROM}${line}`)).toThrow(/^Dockerfile:2: /);
  });
});

it('leaves out what .dockerignore names, and takes back what it excepts', () => {
  const isOut = ignoring('# folders\nnode_modules\n**/generated\ndeploy/*.env\n!deploy/images.env');
  const out = ['node_modules/a/b', 'generated/x', 'a/generated/x', 'deploy/production.env'];
  const kept = ['a/node_modules/b', 'generated.ts', 'deploy/images.env', 'deploy/a/x.env'];
  expect([...out, ...kept].filter(isOut)).toEqual(out);
});
