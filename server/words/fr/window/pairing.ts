import type { Translated } from '../../catalogue.ts';
import type { pairing as english } from '../../en/window/pairing.ts';

/** Until two offices are connected, and the words that they compare. */
export const pairing: Translated<typeof english> = {
  'pairing.asked': '{partner} demande à se connecter',
  'pairing.asked-text':
    'N’acceptez que si vous attendez cette demande. Rien n’est partagé tant que vous n’avez pas choisi de listes et de colonnes.',
  'pairing.approve': 'Accepter',
  'pairing.decline': 'Refuser',
  'pairing.invited': 'Votre invitation n’a pas encore été utilisée par {partner}',
  'pairing.invited-text': 'Elle expire {when}. Dès qu’elle est utilisée, votre accord vous est demandé.',
  'pairing.invite-gone': 'L’invitation pour {partner} a expiré sans être utilisée',
  'pairing.invite-gone-text': 'Créez-en une nouvelle et envoyez-la.',
  'pairing.new-invite': 'Créer une invitation',
  'pairing.waiting': 'En attente de l’accord du partenaire : {partner}',
  'pairing.waiting-text': 'Votre demande s’affiche chez lui dans Footbridge. Cette page avance d’elle-même.',
  'pairing.unasked': 'Pas de connexion avec {partner}',
  'pairing.unasked-text':
    'Aucune réponse n’est venue : votre demande n’est peut-être pas arrivée. Réessayez, utilisez une autre invitation ou supprimez ce partenaire.',
  'pairing.removed': '{partner} a été supprimé.',
  'pairing.remove': 'Supprimer',
  'pairing.failed': 'La connexion avec {partner} a échoué',
  'pairing.failed-text': 'Demandez une nouvelle invitation, ou créez-en une vous-même.',
  'pairing.ended': 'La connexion avec {partner} a pris fin',
  'pairing.ended-text':
    'Ce que vous avez reçu reste. Pour continuer, créez une nouvelle invitation ou utilisez-en une du partenaire.',
  'pairing.remove-request': {
    one: 'Le partenaire vous demande de supprimer {n} ligne venue de lui. « Mettre fin à la connexion », dans l’onglet Connexion, peut le faire.',
    other:
      'Le partenaire vous demande de supprimer les {n} lignes venues de lui. « Mettre fin à la connexion », dans l’onglet Connexion, peut le faire.',
  },
  'pairing.remove-look': 'Voir ce qui peut être supprimé',
  'pairing.use-invite': 'Utiliser son invitation',
  'pairing.invite-dialog': 'Nouvelle invitation pour {partner}',
  'pairing.compare': 'Appelez {partner} et comparez les mots de vérification : cela prend une minute.',

  'words.title': 'Connexion avec {partner}',
  'words.step-find': 'Trouver',
  'words.step-call': 'Appeler',
  'words.step-share': 'Partager une liste',
  'words.step-done': '(fait)',
  'words.call': 'Appeler et comparer',
  'words.call-now': 'Appelez maintenant',
  'words.ring': 'Appelez {partner} à un numéro que vous connaissez déjà.',
  'words.ring-on': 'Appelez {partner} :',
  'words.read-out': 'Lisez-vous les cinq mots l’un à l’autre.',
  'words.nobody-between': 'Si vous voyez tous deux les cinq mêmes mots, la connexion est authentique.',
  'words.who': 'Votre nom (facultatif)',
  'words.spoke-to': 'Nom de la personne appelée (facultatif)',
  'words.same': 'Oui, ce sont les mêmes',
  'words.later': 'Comparer plus tard',
  'words.noted': 'Confirmé de votre côté.',
  'words.effect': 'S’ils diffèrent, la connexion prend fin aussitôt.',
  'words.compared': 'Cinq mots comparés, {date}',
  'words.compared-by': 'Cinq mots comparés par {name}, {date}',
  'words.compared-with': 'Cinq mots comparés avec {spokeTo}, {date}',
  'words.compared-both': 'Cinq mots comparés par {name} avec {spokeTo}, {date}',
};
