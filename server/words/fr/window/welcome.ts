import type { Translated } from '../../catalogue.ts';
import type { welcome as english } from '../../en/window/welcome.ts';

/** The first run. */
export const welcome: Translated<typeof english> = {
  'welcome.title': 'Bienvenue dans Footbridge',
  'welcome.text': 'Partagez des colonnes choisies de vos listes avec un autre bureau. Sans cloud.',
  'welcome.steps': 'Premiers pas',
  'welcome.step': 'Étape {n} sur {all}',
  'welcome.step.office': 'Votre bureau',
  'welcome.step.partner': 'Un partenaire',
  'welcome.office': 'Comment s’appelle votre bureau ?',
  'welcome.office-hint': 'Les partenaires voient ce nom.',
  'welcome.office-placeholder': 'Par exemple : Bureau de la rue du Port',
  'welcome.later': 'Plus tard',
  'welcome.finish': 'Terminer',
  'welcome.close': 'Fermer les premiers pas',

  'tour.offer': 'Vous débutez ? Cinq choses, une demi-minute.',
  'tour.start': 'Montrer',
  'tour.no': 'Non, merci',
  'tour.label': 'Visite guidée',
  'tour.place': '{n} sur {all}',
  'tour.next': 'Suivant',
  'tour.done': 'Terminé',
  'tour.end': 'Terminer la visite',
  'tour.bridge': 'L’image dit où l’on en est',
  'tour.bridge-text':
    'Un pont vers chaque partenaire. Les lignes le traversent pendant leur trajet ; un vide signifie qu’aucune réponse ne vient.',
  'tour.partners': 'Vos partenaires',
  'tour.partners-text': 'Vous y choisissez, liste par liste et colonne par colonne, ce que chacun voit.',
  'tour.lists': 'Vos listes',
  'tour.lists-text':
    'Vos propres tableaux, et ce qui est arrivé. Un petit signe dit qui a apporté une ligne.',
  'tour.standing': 'Tout fonctionne ?',
  'tour.standing-text':
    'C’est écrit ici sur chaque page. Le point d’interrogation à côté d’un mot dit ce que ce mot signifie.',
  'tour.help': 'Aide',
  'tour.help-text': 'Les touches, ce qu’un partenaire peut voir, et cette visite encore une fois.',
};
