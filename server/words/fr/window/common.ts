import type { Translated } from '../../catalogue.ts';
import type { common as english } from '../../en/window/common.ts';

/** Texts that several places use. */
export const common: Translated<typeof english> = {
  'action.add': 'Ajouter',
  'action.back': 'Retour',
  'action.cancel': 'Annuler',
  'action.close': 'Fermer',
  'action.continue': 'Continuer',
  'action.more': 'Autres actions',
  'action.open': 'Ouvrir',
  'action.save': 'Enregistrer',
  'action.try-again': 'Réessayer',
  'action.undo': 'Annuler',
  'action.redo': 'Rétablir',

  'state.up-to-date': 'À jour',
  'state.syncing': 'Synchronisation',
  'state.paused': 'En pause',
  'state.offline': 'Hors ligne',
  'state.awaited': 'Attend le partenaire',
  'state.connected': 'Connecté',
  'state.unconnected': 'Pas encore connecté',
  'state.needs-you': 'À traiter',
  'state.error': 'Problème',

  'standing.as-of': 'Vérifié : {when}',
  'standing.unknown': 'Aucune nouvelle depuis : {when}.',
  'standing.unknown-ever': 'Aucune nouvelle pour l’instant.',

  'nav.label': 'Rubriques',
  'nav.home': 'Accueil',
  'nav.partners': 'Partenaires',
  'nav.lists': 'Listes',
  'nav.settings': 'Paramètres',
  'nav.waiting': { one: '{n} point à traiter', other: '{n} points à traiter' },

  'page.skip': 'Aller au contenu',
  'page.trail': 'Vous êtes ici',
  'page.loading': 'Chargement',

  'unknown.title': 'Introuvable',
  'unknown.nothing': 'Il n’y a rien ici',
  'unknown.text': 'Cette adresse ne mène à rien dans Footbridge, ou son contenu a été supprimé depuis.',
  'unknown.action': 'Aller à l’accueil',

  'banner.away': 'Footbridge ne répond pas.',
  'banner.away-hint':
    'Ce que vous voyez n’est peut-être plus à jour. Cette fenêtre se reconnecte d’elle-même dès que possible.',
  'banner.reopening': 'Application des réglages du réseau…',
  'banner.reopening-hint': 'Cela prend quelques secondes. Vous n’avez rien à faire.',
  'banner.signed-out': 'La session de cette fenêtre est fermée.',
  'banner.signed-out-hint':
    'Fermez cette page et relancez Footbridge, ou exécutez « footbridge window » : l’un comme l’autre en ouvre une nouvelle.',

  'error.no-answer':
    'Footbridge ne répond pas. Votre dernier changement n’est peut-être pas enregistré ; réessayez dans un instant.',
  'error.signed-out': 'La session de cette fenêtre est fermée. Fermez la fenêtre et rouvrez-la.',
  'error.not-taken':
    'Footbridge n’a pas pu accepter cela. Vérifiez ce que vous avez saisi ou choisi, puis réessayez.',
  'error.unknown':
    'Un incident inattendu s’est produit. Réessayez ; si cela continue, enregistrez un fichier d’assistance dans les paramètres et demandez de l’aide.',

  'notices.label': 'Messages',

  'copy.action': 'Copier',
  'copy.done': 'Copié !',
  'copy.failed': 'La copie n’a pas fonctionné. Le texte est sélectionné : copiez-le vous-même.',

  'call.call': 'Appeler',

  'sync.now': 'Synchroniser',
  'sync.running': 'Vérification…',

  'pause.label': 'Pause',
  'pause.resume': 'Reprendre',
  'pause.half-hour': 'Pendant 30 minutes',
  'pause.hour': 'Pendant 1 heure',
  'pause.tomorrow': 'Jusqu’à demain matin',
  'pause.open-end': 'Jusqu’à ma reprise',
  'pause.fetching': 'Seulement ne plus rien recevoir du partenaire',
  'pause.reading': 'Seulement ne plus rien lui laisser lire',

  'progress.label': 'Arrivée de lignes dans {list}',
  'progress.rows': { one: '{n} ligne', other: '{n} lignes' },
  'progress.rows-of': { one: '{done} sur {n} ligne', other: '{done} sur {n} lignes' },
  'progress.rate': { one: '{n} ligne par seconde', other: '{n} lignes par seconde' },
  'progress.minutes-left': {
    one: 'encore {n} minute environ',
    other: 'encore {n} minutes environ',
  },
  'progress.seconds-left': 'encore moins d’une minute',

  'count.rows': { one: '{n} ligne', other: '{n} lignes' },
  'count.columns': { one: '{n} colonne', other: '{n} colonnes' },
  'count.lists': { one: '{n} liste', other: '{n} listes' },
  'count.partners': { one: '{n} partenaire', other: '{n} partenaires' },
  'count.created': 'nouvelles : {n}',
  'count.updated': 'modifiées : {n}',
  'count.deleted': 'supprimées : {n}',
  'count.failed': 'non reprises : {n}',
  'count.nothing': 'rien de nouveau',

  'kind.String': 'Texte',
  'kind.Number': 'Nombre',
  'kind.DateTime': 'Date et heure',
  'kind.Bool': 'Oui ou non',
  'kind.Select': 'Choix',
  'kind.Email': 'Adresse e-mail',
  'kind.Url': 'Adresse web',
  'kind.User': 'Personne',
  'kind.Record': 'Ligne d’une autre liste',
  'kind.File': 'Fichier',
  'kind.Geometry': 'Lieu sur la carte',
  'kind.several': '{kind}, plusieurs valeurs',
};
