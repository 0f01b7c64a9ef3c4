import { z } from 'zod';
import * as live from '../wire/live.ts';
import * as shape1 from '../wire/shape1.ts';
import * as shape2 from '../wire/shape2.ts';
import {
  AT,
  column1,
  columnRequest2,
  definition2,
  exposed1,
  exposedLive,
  EXPOSURE,
  LATER,
  LIST,
  mapping1,
  NAMESPACE,
  NODE_B,
  OFFER,
  offer1,
  side2,
} from './examples.ts';
import { answered, type Operation, type Variant } from './operation.ts';
import { nothing } from './pairing.ts';
import { composeModuleID, flag, paging, shape } from './parameters.ts';

const exposeBody1: Variant = {
  shape: 'shape 1',
  schema: shape1.exposeRequest,
  example: {
    composeModuleID: LIST,
    composeNamespaceID: NAMESPACE,
    name: 'Account',
    handle: 'Account',
    fields: [{ ...column1, value: true, map: null }],
  },
};
const exposeBody2: Variant = { shape: 'shape 2', schema: shape2.exposeRequest, example: [columnRequest2] };

const definition2Answer: Variant = {
  shape: 'shape 2',
  schema: answered(shape2.moduleDefinition),
  example: { response: definition2 },
};
const exposed1Answer: Variant = {
  shape: 'shape 1',
  schema: answered(shape1.exposedModule),
  example: { response: exposed1 },
};
const changed1Answer: Variant = {
  ...exposed1Answer,
  example: { response: { ...exposed1, updatedAt: LATER, updatedBy: '2' } },
};

const mapBody1: Variant = {
  shape: 'shape 1',
  schema: shape1.mapRequest,
  example: {
    composeModuleID: LIST,
    composeNamespaceID: NAMESPACE,
    fields: [{ origin: column1, destination: column1 }],
  },
};
const mapBody2: Variant = {
  shape: 'shape 2',
  schema: shape2.mapRequest,
  example: [{ origin: side2, destination: side2 }],
};
const mappingAnswers: readonly Variant[] = [
  { shape: 'shape 1', schema: answered(shape1.moduleMapping), example: { response: mapping1 } },
  {
    shape: 'shape 2',
    schema: answered(shape2.moduleMapping),
    example: {
      response: {
        moduleID: OFFER,
        handle: 'Account',
        name: 'Account',
        createdAt: AT,
        updatedAt: LATER,
        mapping: [{ origin: side2, destination: side2 }],
      },
    },
  },
];

export const sharingOperations: readonly Operation[] = [
  {
    id: 'exposeModule',
    method: 'put',
    path: '/federation/nodes/{nodeID}/modules',
    tag: 'We share',
    summary: 'Add a module to federation, shape 1',
    description: 'A list that was removed before comes back under its old id.',
    who: 'editor',
    body: [exposeBody1],
    answers: [exposed1Answer],
    refusals: [409, 422],
  },
  {
    id: 'exposeModule2',
    method: 'put',
    path: '/federation/nodes/{nodeID}/modules/{moduleID}',
    tag: 'We share',
    summary: 'Add a module to federation, shape 2: the local list’s id; an exposure’s id changes it',
    who: 'editor',
    body: [exposeBody2],
    answers: [definition2Answer],
    refusals: [409, 422],
  },
  {
    id: 'changeExposed',
    method: 'put',
    path: '/federation/nodes/{nodeID}/modules/{moduleID}/exposed',
    tag: 'We share',
    summary: 'Change sharing fields',
    who: 'editor',
    body: [exposeBody1, exposeBody2],
    answers: [changed1Answer, definition2Answer],
    refusals: [409, 410, 422],
  },
  {
    id: 'changeExposedLive',
    method: 'post',
    path: '/federation/nodes/{nodeID}/modules/{moduleID}/exposed',
    tag: 'We share',
    summary: 'Change sharing fields, as live servers do',
    who: 'editor',
    body: [{ ...exposeBody1, shape: 'live' }],
    answers: [{ shape: 'live', schema: answered(live.exposedModule), example: { response: exposedLive } }],
    refusals: [409, 410, 422],
  },
  {
    id: 'readExposed',
    method: 'get',
    path: '/federation/nodes/{nodeID}/modules/{moduleID}/exposed',
    tag: 'We share',
    summary: 'Info about exposed module',
    who: 'viewer',
    query: [shape],
    answers: [exposed1Answer, definition2Answer],
    refusals: [410],
  },
  {
    id: 'removeExposedLive',
    method: 'delete',
    path: '/federation/nodes/{nodeID}/modules/{moduleID}/exposed',
    tag: 'We share',
    summary: 'Remove module from federation, as live servers do',
    who: 'editor',
    answers: [{ shape: 'live', schema: answered(z.null()), example: { response: null } }],
    refusals: [410],
  },
  {
    id: 'removeModule',
    method: 'delete',
    path: '/federation/nodes/{nodeID}/modules/{moduleID}',
    tag: 'We share',
    summary: 'Remove module from federation, or remove module mapping',
    description: 'Without a selector, the one that exists.',
    who: 'editor',
    query: [
      flag('exposed', 'the exposure'),
      flag('shared', 'the mapping'),
      flag('mapped', 'the mapping'),
      composeModuleID,
    ],
    answers: [nothing],
    refusals: [409, 410],
  },
  {
    id: 'listShared',
    method: 'get',
    path: '/federation/nodes/{nodeID}/modules',
    tag: 'We receive',
    summary: 'List shared modules; with a selector, the live dialect’s bare list',
    who: 'viewer',
    query: [
      flag('exposed', 'live: what we share'),
      flag('shared', 'live: what is offered to us'),
      flag('mapped', 'live: mappings'),
      { name: 'query', description: 'part of name or handle', schema: { type: 'string' } },
      { name: 'name', description: 'the whole name', schema: { type: 'string' } },
      { name: 'handle', description: 'the whole handle', schema: { type: 'string' } },
      { name: 'sort', description: 'name ASC when absent', schema: { type: 'string' } },
      shape,
      ...paging,
    ],
    answers: [
      {
        shape: 'shape 1',
        schema: answered(shape1.sharedModuleList),
        example: {
          response: {
            filter: { query: '', handle: '', name: '', sort: 'name ASC', count: 1 },
            set: [offer1],
          },
        },
      },
      {
        shape: 'shape 2',
        schema: answered(shape1.sharedModuleList.extend({ set: z.array(shape2.moduleDefinition) })),
        example: {
          response: {
            filter: { query: '', handle: '', name: '', sort: 'name ASC', count: 1 },
            set: [{ ...definition2, moduleID: OFFER }],
          },
        },
      },
      { shape: 'live, exposed', schema: answered(live.exposedModules), example: { response: [exposedLive] } },
      {
        shape: 'live, shared',
        schema: answered(live.sharedModules),
        example: {
          response: [
            {
              moduleID: OFFER,
              nodeID: NODE_B,
              handle: 'Account',
              name: 'Account',
              externalFederationModuleID: EXPOSURE,
              fields: [column1],
              createdAt: AT,
              createdBy: '0',
              canMapModule: true,
            },
          ],
        },
      },
      { shape: 'live, mapped', schema: answered(live.mappings), example: { response: [mapping1] } },
    ],
  },
  {
    id: 'readShared',
    method: 'get',
    path: '/federation/nodes/{nodeID}/modules/{moduleID}/shared',
    tag: 'We receive',
    summary: 'Info about shared module',
    who: 'viewer',
    query: [shape],
    answers: [
      { shape: 'shape 1', schema: answered(shape1.sharedModule), example: { response: offer1 } },
      { ...definition2Answer, example: { response: { ...definition2, moduleID: OFFER } } },
    ],
  },
  {
    id: 'setMapping',
    method: 'put',
    path: '/federation/nodes/{nodeID}/modules/{moduleID}/mapped',
    tag: 'We receive',
    summary: 'Set module mapping',
    description:
      'Shape 2 names no local list: composeModuleID does, else the mapping’s own, else the list with the same handle.',
    who: 'editor',
    query: [composeModuleID],
    body: [mapBody1, mapBody2],
    answers: mappingAnswers,
    refusals: [422],
  },
  {
    id: 'readMapping',
    method: 'get',
    path: '/federation/nodes/{nodeID}/modules/{moduleID}/mapped',
    tag: 'We receive',
    summary: 'Get module mapping',
    who: 'viewer',
    query: [composeModuleID, shape],
    answers: mappingAnswers,
  },
  {
    id: 'removeMapping',
    method: 'delete',
    path: '/federation/nodes/{nodeID}/modules/{moduleID}/mapped',
    tag: 'We receive',
    summary: 'Remove module mapping',
    who: 'editor',
    query: [composeModuleID],
    answers: [nothing],
  },
];
