import eslint from '@eslint/js';
import jest from 'eslint-plugin-jest';
import prettier from 'eslint-config-prettier';
import reactHooks from 'eslint-plugin-react-hooks';
import tseslint from 'typescript-eslint';

/** postgres.js's own transactions, and connections of one's own. */
const NO_DRIVER_TRANSACTIONS = {
  selector: 'CallExpression[callee.property.name=/^(begin|reserve)$/]',
  message:
    'Use Database.transaction (TransactionPool): postgres.js sends BEGIN without reserving its connection, and goes on outside of the transaction once it has reconnected.',
};
const NO_SPREAD_LITERALS = {
  selector: 'ObjectExpression > SpreadElement > ObjectExpression',
  message: 'Write its properties into the outer literal.',
};
/** A list of one folder's own rules replaces this one, so it repeats it. */
const EVERYWHERE = [NO_DRIVER_TRANSACTIONS, NO_SPREAD_LITERALS];

export default tseslint.config(
  { ignores: ['dist/', 'coverage/', 'node_modules/', '**/generated/', '.causeway*/'] },
  eslint.configs.recommended,
  {
    files: ['**/*.ts', '**/*.tsx'],
    extends: [...tseslint.configs.strictTypeChecked],
    languageOptions: {
      parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
      '@typescript-eslint/await-thenable': 'error',
      '@typescript-eslint/return-await': ['error', 'always'],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/consistent-type-imports': ['error', { fixStyle: 'inline-type-imports' }],
      // Classes of type-graphql are shapes with decorated methods: database rows stand in for their instances.
      '@typescript-eslint/no-extraneous-class': 'off',
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      // `while (true)` is how a workflow waits.
      '@typescript-eslint/no-unnecessary-condition': ['error', { allowConstantLoopConditions: true }],
      'no-console': 'error',
      'no-restricted-syntax': ['error', ...EVERYWHERE],
    },
  },
  {
    // All workflows of a worker share these modules (local/bundle-workflows.mjs): state of one would leak into others.
    files: ['workflows/**/*.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        ...EVERYWHERE,
        {
          selector: ":matches(Program, ExportNamedDeclaration) > VariableDeclaration[kind='let']",
          message: 'A workflow keeps its state in its function.',
        },
      ],
    },
  },
  {
    // What a step takes says what it can reach (docs/architecture.md).
    files: ['steps/**/*.ts'],
    rules: {
      'no-restricted-syntax': [
        'error',
        ...EVERYWHERE,
        {
          selector: 'ImportSpecifier[imported.name=/^Step(Context|Core)$/]',
          message: "Name what the step takes of the request: Needs<'database' | 'now'>.",
        },
      ],
    },
  },
  {
    // type-graphql reads parameter and field types at run time, so those imports must stay values.
    files: ['graph/**/*.ts'],
    rules: { '@typescript-eslint/consistent-type-imports': 'off' },
  },
  {
    files: ['console/**/*.ts', 'console/**/*.tsx'],
    extends: [reactHooks.configs.flat['recommended-latest']],
    rules: {
      // An event handler may be asynchronous: its error is reported where it is caught.
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { attributes: false } }],
    },
  },
  {
    files: ['test/**/*.ts'],
    ...jest.configs['flat/recommended'],
    rules: {
      ...jest.configs['flat/recommended'].rules,
      'jest/expect-expect': [
        'error',
        { assertFunctionNames: ['expect', 'expect*', 'fc.assert', 'keep', 'engineer.expectFound'] },
      ],
      'jest/no-standalone-expect': 'off',
      // A loop over every field asserts differently for subscriptions; a count proves that none was left out.
      'jest/no-conditional-expect': 'off',
      'no-restricted-syntax': [
        'error',
        ...EVERYWHERE,
        ...[
          '[arguments.length=1]',
          " > ObjectExpression.arguments:not(:has(Property[key.name='seed'], SpreadElement))",
        ].map((unseeded) => ({
          selector: `CallExpression[callee.object.name='fc'][callee.property.name='assert']${unseeded}`,
          message: 'Without a seed each run asks something else, and one of them fails alone.',
        })),
      ],
    },
  },
  {
    // Parts of one suite, on one platform: they wait for a page's content instead of asserting it.
    files: ['test/console/**'],
    rules: { 'jest/no-export': 'off', 'jest/expect-expect': 'off' },
  },
  {
    files: ['**/*.js', '**/*.cjs'],
    languageOptions: {
      sourceType: 'commonjs',
      globals: { module: 'writable', __dirname: 'readonly' },
    },
  },
  {
    // Output for a person at a terminal is printed, not logged.
    files: [
      'local/**',
      'deploy/**',
      'simulator/**',
      'console/*.mjs',
      'cashier/*.mjs',
      'bench/**',
      'chaos/**',
      'test/support/**',
    ],
    languageOptions: {
      globals: {
        process: 'readonly',
        console: 'readonly',
        AbortSignal: 'readonly',
        URL: 'readonly',
        URLSearchParams: 'readonly',
        fetch: 'readonly',
        Buffer: 'readonly',
        clearInterval: 'readonly',
        performance: 'readonly',
        setInterval: 'readonly',
        setTimeout: 'readonly',
      },
    },
    rules: { 'no-console': 'off' },
  },
  prettier,
);
