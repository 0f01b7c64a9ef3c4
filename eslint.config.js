import js from '@eslint/js';
import { createTypeScriptImportResolver } from 'eslint-import-resolver-typescript';
import { importX } from 'eslint-plugin-import-x';
import globals from 'globals';
import ts from 'typescript-eslint';
import { ownLines } from './scripts/own-lines.mjs';
import { retiredWords } from './scripts/retired-words.mjs';
import svelteConfig from './svelte.config.js';

// Lets TypeScript read components as their parser translates them. Otherwise each one that is linted changes the program,
// and all types are worked out again: 40 % of the whole lint.
process.env.SVELTE_ESLINT_PARSER_EXPERIMENTAL_TS_SYS_HOOK = '1';
const { default: svelte } = await import('eslint-plugin-svelte');

const domain = [
  'base',
  'contract',
  'words',
  'store',
  'lists',
  'federation',
  'nearby',
  'routes',
  'peer',
  'sync',
];

/** Who may import whom (docs/architecture.md): everything that is not listed is forbidden. */
const MAY_IMPORT = {
  contract: ['base/vocabulary.ts', 'base/amount.ts', 'base/row-group.ts'],
  words: [],
  base: ['words'],
  store: ['base', 'words'],
  lists: ['base', 'store', 'words'],
  federation: ['base', 'lists', 'store', 'words'],
  nearby: ['base'],
  routes: ['base', 'words'],
  peer: ['base', 'contract', 'routes', 'words'],
  sync: ['base', 'federation', 'lists', 'peer', 'store', 'words'],
  app: domain,
  http: [...domain, 'app'],
  node: [...domain, 'app', 'http', 'version.ts'],
  commands: [...domain, 'node', 'version.ts'],
};
/** The shell knows the node by what starts it, by its contract, and by the words and errors that both speak. */
const MAIN_MAY_IMPORT = [
  'base',
  'contract',
  'node',
  'store',
  'words',
  'version.ts',
  'http/listeners/listen.ts',
];
const within = (target, others) => ({
  target,
  from: './server',
  except: others.map((other) => `./${other}`),
  message: `${target} may import ${others.join(', ') || 'none of the other folders'} only.`,
});
const zones = [
  ...Object.entries(MAY_IMPORT).map(([folder, others]) => within(`./server/${folder}`, [folder, ...others])),
  within('./main', MAIN_MAY_IMPORT),
];

const ELECTRON = { name: 'electron', message: 'Only main/ may import electron.' };
const EXPRESS = {
  name: 'express',
  message: 'Only server/http/ and what puts its listeners together may import express.',
};
const KNOW_EXPRESS = ['server/http/**', 'server/node/{serving,listeners}.ts'];

const strictTypes = [...ts.configs.strictTypeChecked, ...ts.configs.stylisticTypeChecked];

export default ts.config(
  { ignores: ['dist', 'release', 'coverage', 'test-output', 'node_modules', 'test/fixtures/house'] },
  js.configs.recommended,
  {
    files: ['**/*.ts', '**/*.svelte', '**/*.svelte.ts'],
    extends: strictTypes,
    languageOptions: {
      globals: { ...globals.node, ...globals.browser },
      parserOptions: {
        projectService: true,
        tsconfigRootDir: import.meta.dirname,
        extraFileExtensions: ['.svelte'],
      },
    },
    plugins: { 'import-x': importX },
    settings: {
      'import-x/resolver-next': [createTypeScriptImportResolver()],
    },
    rules: {
      'import-x/no-restricted-paths': [
        'error',
        {
          zones: [
            ...zones,
            { target: './server', from: ['./main', './renderer', './test'] },
            { target: './renderer', from: ['./main', './test'] },
            {
              target: './renderer',
              from: './server',
              except: [
                './contract',
                './base/vocabulary.ts',
                './base/amount.ts',
                './base/full-year.ts',
                './base/own-member.ts',
                './words/format-message.ts',
                './words/messages.ts',
              ],
              message: 'The window knows the node by its HTTP contract and the words of both only.',
            },
            { target: './main', from: ['./renderer', './test'] },
          ],
        },
      ],
      '@typescript-eslint/no-floating-promises': ['error', { ignoreVoid: true }],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/explicit-function-return-type': [
        'error',
        { allowExpressions: true, allowTypedFunctionExpressions: true },
      ],
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      '@typescript-eslint/no-confusing-void-expression': ['error', { ignoreArrowShorthand: true }],
      'no-console': 'error',
    },
  },
  {
    files: ['{server,main,renderer}/**/*.ts', 'renderer/**/*.svelte', 'scripts/**/*.{ts,mjs}'],
    plugins: { house: { rules: { 'own-lines': ownLines, 'retired-words': retiredWords } } },
    rules: { 'house/own-lines': 'error', 'house/retired-words': 'error' },
  },
  {
    files: ['server/**/*.ts', 'renderer/**/*.{ts,svelte}', 'test/**/*.ts'],
    ignores: ['test/desktop/**', 'test/unit/main/**'],
    rules: { 'no-restricted-imports': ['error', { paths: [ELECTRON] }] },
  },
  {
    files: ['server/**/*.ts', 'renderer/**/*.{ts,svelte}'],
    ignores: KNOW_EXPRESS,
    rules: { 'no-restricted-imports': ['error', { paths: [ELECTRON, EXPRESS] }] },
  },
  {
    files: ['main/**/*.ts'],
    rules: { 'no-restricted-imports': ['error', { paths: [EXPRESS] }] },
  },
  {
    files: ['main/**/*.ts'],
    ignores: ['main/security/open-external.ts'],
    rules: {
      'no-restricted-properties': [
        'error',
        { property: 'openExternal', object: 'shell', message: 'Addresses leave by open-external.ts only.' },
      ],
    },
  },
  {
    files: ['server/contract/**/*.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [{ regex: '^(?!\\.\\.?/|zod$)', message: 'Of packages the contract imports zod only.' }],
        },
      ],
    },
  },
  ...svelte.configs.recommended,
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: { parserOptions: { parser: ts.parser, svelteConfig } },
    rules: {
      // Sets and maps that are replaced as a whole, or that nobody renders, need no reactive twin.
      'svelte/prefer-svelte-reactivity': 'off',
      'prefer-const': 'off',
      'svelte/prefer-const': 'error',
    },
  },
  {
    files: ['**/*.svelte'],
    rules: {
      // Between components svelte-check knows the types; here they all look like any.
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
    },
  },
  {
    files: ['renderer/public/*.js'],
    languageOptions: { globals: globals.browser },
  },
  {
    files: ['**/*.js', '**/*.mjs'],
    languageOptions: { globals: globals.node },
    extends: [ts.configs.disableTypeChecked],
  },
  {
    // Their modules are loaded once for all of them: what one replaces would stay so for the others.
    files: ['test/{unit,node,hostile}/**/*.ts'],
    ignores: ['**/*.alone.test.ts'],
    rules: {
      'no-restricted-properties': [
        'error',
        ...['mock', 'doMock', 'resetModules'].map((property) => ({
          object: 'vi',
          property,
          message: 'Only a file named *.alone.test.ts has its modules to itself.',
        })),
      ],
    },
  },
  {
    files: ['test/**/*.ts'],
    rules: { 'no-console': 'off', '@typescript-eslint/no-non-null-assertion': 'off' },
  },
);
