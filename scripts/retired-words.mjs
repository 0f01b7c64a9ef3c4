import { basename } from 'node:path';

/** Words of the project's former private language; docs/glossary.md has the usual ones. */
const RETIRED = new Set([
  'anew',
  'audiences',
  'believed',
  'brake',
  'brakes',
  'convoy',
  'doors',
  'doubled',
  'doubles',
  'endings',
  'inlet',
  'lane',
  'lanes',
  'owed',
  'partings',
  'retitled',
  'retitling',
  'seer',
  'seers',
  'stillness',
  'stretch',
  'stretches',
  'tally',
  'told',
  'travels',
  'turnstile',
  'whoever',
  'withheld',
]);

/** Returns the first retired word of a name in camel case, capitals or kebab case; undefined if there is none. */
const retiredIn = (name) =>
  name
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .split(/[ _.-]/)
    .map((word) => word.toLowerCase())
    .find((word) => RETIRED.has(word));

/** Refuses retired words in names of files and of what they declare. Destructured names belong to others. */
export const retiredWords = {
  meta: {
    type: 'suggestion',
    schema: [],
    messages: { retired: 'The word "{{word}}" is retired: docs/glossary.md has the usual term.' },
  },
  create(context) {
    const check = (node, name) => {
      const word = retiredIn(name);
      if (word !== undefined) context.report({ node, messageId: 'retired', data: { word } });
    };
    const checkName = (node) => {
      if (node?.type === 'Identifier' || node?.type === 'PrivateIdentifier') check(node, node.name);
    };
    const checkId = ({ id }) => checkName(id);
    return {
      Program: (node) => check(node, basename(context.filename)),
      VariableDeclarator: checkId,
      ClassDeclaration: checkId,
      TSInterfaceDeclaration: checkId,
      TSTypeAliasDeclaration: checkId,
      ExportSpecifier: ({ exported }) => checkName(exported),
      'MethodDefinition, PropertyDefinition': ({ key }) => checkName(key),
      ':function'({ id, params }) {
        for (const node of [id, ...params]) checkName(node?.left ?? node);
      },
    };
  },
};
