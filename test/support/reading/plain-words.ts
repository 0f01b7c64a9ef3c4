import type { Language } from '../../../server/base/vocabulary.ts';

/** What an office worker can be told to do; a clause that starts with one of these is a next step. */
const VERBS =
  'add|allow|approve|ask|change|check|choose|close|compare|confirm|connect|copy|export|correct|decide|decline|delete|dismiss|fill|free|give|go|import|install|invite|join|keep|' +
  'look|make|match|open|pair|paste|put|remove|rename|restore|review|save|see|send|share|shorten|split|start|stop|' +
  'take|tell|tick|try|use|wait|write';

/** The same in Spanish, said to somebody who is addressed as usted; without acute accents, which come and go. */
const ORDENES =
  'abra|acepte|acorte|añada|asigne|avise|busque|cambie|cierre|compare|compruebe|comparta|conecte|conserve|copie|corrija|' +
  'cree|de|decida|deje|diga|divida|elija|elimine|envie|escriba|espere|exporte|guarde|haga|importe|instale|libere|llame|' +
  'marque|mire|permita|pida|pegue|ponga|pregunte|pruebe|quite|rellene|rechace|repase|restaure|salga|siga|una|use|vuelva';

const STEP: Readonly<Partial<Record<Language, RegExp>>> = {
  en: new RegExp(
    `(?:^|[.;:,}] (?:or |and |then |please |to [\\p{L} ]+, )?)(?:${VERBS})\\b|by itself|automatically|(?:tried|try|tries|trying) again|when they resume`,
    'iu',
  ),
  de: /(?:^|[.;:,“}?–] (?:(?:oder|und|dann|zuerst) )?)\p{L}+n Sie\b|von selbst|erneut versucht/u,
  fr: /(?:^|[.;:,»}?–]\s|(?:ou|et|puis) )(?!chez|assez|avez)(?:\p{L}+ez(?:-\p{L}+)*|faites)(?!\p{L})|automatiquement/iu,
  es: new RegExp(
    `(?:^|[.;:,»}?–] |\\b(?:o|y|e) )(?:despues )?(?:${ORDENES})(?:se|me)?(?:l[aeo]s?)?(?!\\p{L})|automaticamente`,
    'iu',
  ),
};

/**
 * Returns whether a sentence says what to do next, or that nothing needs to be done since it goes on by itself; true for
 * a language without rules here.
 */
export const saysWhatToDo = (text: string, language: Language): boolean =>
  STEP[language]?.test(text.normalize('NFD').replaceAll('\u0301', '').normalize('NFC')) ?? true;

/** Words of programmers. On the screen stand others (docs/glossary.md: Words of the protocol). */
const JARGON: Readonly<Partial<Record<Language, RegExp>>> = {
  en: new RegExp(
    '\\b(?:tokens?|nodes?|handles?|modules?|namespaces?|endpoints?|payloads?|JWT|records?|exposures?|exposed?|' +
      'ids?|JSON|HTTP(?!S?://)|APIs?|UR[IL]s?|mappings?|checkpoints?|tombstones?|pull(?:s|ed)?|dialects?|' +
      'schemas?|(?<!sharing )logs?(?! in\\b)|servers?|[KM]iB|encodings?|delimiters?|quer(?:y|ies)|null|undefined|' +
      'exceptions?|journals?|feeds?|digests?|prox(?:y|ies)|headers?|caches?)\\b',
    'iu',
  ),
  de: new RegExp(
    '(?<!\\p{L})(?:Tokens?|Nodes?|Knoten|Handles?|Moduln?e?|Namensr[aä]um\\p{L}*|Endpunkte?n?|Nutzlast|JWT|' +
      'Datens[aä]tz\\p{L}*|JSON|HTTP|APIs?|UR[IL]s?|IDs?|Server\\p{L}*|Protokoll\\p{L}*|[KM]iB|Abfragen?|' +
      'Kennung(?:en)?|Feeds?|Proxy|Caches?|Journals?|Logs?)(?!\\p{L})',
    'u',
  ),
  fr: new RegExp(
    '(?<!\\p{L})(?:tokens?|jetons?|n[oœ]e?uds?|handles?|modules?|espaces? de noms|points? de terminaison|charge utile|JWT|' +
      'JSON|HTTP|APIs?|UR[IL]s?|ids?|identifiants?|serveurs?|protocoles?|requ[êe]tes?|[KM]io|encodages?|curseurs?|null|' +
      'flux|proxy|caches?|journa(?:l(?! de partage)|ux)|logs?|sch[ée]mas?|exceptions?)(?!\\p{L})',
    'iu',
  ),
  es: new RegExp(
    '(?<!\\p{L})(?:tokens?|nodos?|handles?|m[óo]dulos?|espacios? de nombres|puntos? finales|carga útil|JWT|JSON|HTTP|' +
      'APIs?|UR[IL]s?|ids?|identificador(?:es)?|servidor(?:es)?|protocolos?|registros?(?! de envíos)|[KM]iB|codificaci[óo]n|consultas? SQL|' +
      'null|feeds?|proxy|cach[ée]s?|logs?|esquemas?|excepci(?:ón|ones))(?!\\p{L})',
    'iu',
  ),
};

/** The first word in it that nobody in an office knows; undefined if there is none. Fillings do not count. */
export const jargonIn = (text: string, language: Language): string | undefined =>
  JARGON[language]?.exec(text.replace(/\{\w+\}/g, '').replace(/https?:\/\//g, ''))?.[0];
