import type { Translated } from '../../catalogue.ts';
import type { conversions as english } from '../../en/node/conversions.ts';

/** What becomes of values between columns of different kinds. */
export const conversions: Translated<typeof english> = {
  'conversion.as-text': 'Repris comme texte.',
  'conversion.as-text-but-ids':
    'Repris comme texte ; un simple nombre de 15 à 20 chiffres est laissé de côté, car il désignerait l’une de vos lignes.',
  'conversion.impossible': 'Ces types n’ont rien en commun. Choisissez une autre colonne.',
  'conversion.numbers':
    'Seuls les textes qui sont de simples nombres, comme 1234.50, sont repris ; les autres lignes attendent.',
  'conversion.dates':
    'Seuls les textes comme 2031-05-09 ou 2031-05-09T14:30:00Z sont repris ; les autres lignes attendent.',
  'conversion.bools': 'Seuls yes, no, true, false, 1 et 0 sont repris ; les autres lignes attendent.',
  'conversion.digits': 'Seuls 1 et 0 sont repris ; les autres lignes attendent.',
  'conversion.emails': 'Seules les adresses e-mail sont reprises ; les autres lignes attendent.',
  'conversion.urls': 'Seules les adresses web sont reprises ; les autres lignes attendent.',
  'conversion.places': 'Seuls les textes comme 46.05, 14.5 sont repris ; les autres lignes attendent.',
  'conversion.choices':
    'Seules les valeurs que votre colonne propose au choix sont reprises ; les autres lignes attendent.',
  'conversion.day-only':
    'Le jour est repris, et l’heure qui l’accompagne est laissée de côté ; les lignes sans jour attendent.',
  'conversion.time-only': 'Seules les heures comme 14:30 sont reprises ; les autres lignes attendent.',
  'conversion.bool-to-number': 'Oui devient 1, non reste vide.',
  'conversion.email-to-link': 'L’adresse devient un lien qui écrit un e-mail.',
  'conversion.link-to-email':
    'Seuls les liens qui écrivent un e-mail sont repris, comme adresse ; les autres lignes attendent.',
  'conversion.names-followed':
    'Les noms sont repris comme texte ; un simple numéro interne devient le nom que la ligne porte ici, une fois qu’elle est arrivée elle aussi, et est laissé de côté jusque-là.',
  'conversion.names':
    'Les noms sont repris comme texte ; un simple numéro interne du programme du partenaire est laissé de côté.',
  'conversion.joined': 'Plusieurs valeurs sont réunies dans un seul texte, séparées par des virgules.',
  'conversion.one-only': 'Les lignes de plus d’une valeur attendent, car votre colonne n’en prend qu’une.',
  'conversion.cannot-hold': 'ne peut rien prendre d’une colonne du type {kind}',
  'conversion.too-many': 'prend une seule valeur ; valeurs reçues : {values}',
  'conversion.problem': '« {column} » {problem}.',
  'row.names-unreadable':
    'Elle nomme une ligne d’une liste dont le fichier est endommagé. Regardez sur la page d’accueil ce qui peut être fait ; la ligne changera dès que cette liste pourra être lue de nouveau.',
  'conversion.required': '« {column} » doit être remplie et est arrivée vide.',

  'kind.text': 'texte',
  'kind.number': 'nombre',
  'kind.date-time': 'date et heure',
  'kind.bool': 'oui ou non',
  'kind.choice': 'choix',
  'kind.email': 'adresse e-mail',
  'kind.url': 'adresse web',
  'kind.person': 'personne',
  'kind.row': 'ligne d’une autre liste',
  'kind.file': 'fichier',
  'kind.place': 'lieu sur la carte',
};
