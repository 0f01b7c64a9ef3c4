import type { Translated } from '../../catalogue.ts';
import type { settings as english } from '../../en/window/settings.ts';

/** Settings. */
export const settings: Translated<typeof english> = {
  'settings.title': 'Paramètres',
  'settings.index': 'Sur cette page',
  'settings.office': 'Ce bureau',
  'settings.name': 'Nom du bureau',
  'settings.name-hint': 'Les partenaires le voient quand vous les invitez.',
  'settings.first-run': 'Revoir les premiers pas',
  'settings.network': 'Réseau',
  'settings.reachable': 'Les partenaires du réseau peuvent joindre cet ordinateur',
  'settings.reachable-hint':
    'Nécessaire quand un partenaire utilise votre invitation. Les partenaires ne reçoivent que ce que vous partagez avec eux ; tous les autres sont refusés. Sans cela, vos invitations ne servent qu’aux partenaires de ce même ordinateur.',
  'settings.given-open':
    'Les partenaires du réseau peuvent joindre cet ordinateur : Footbridge a été démarré ainsi, avec -\u2060-\u2060host.',
  'settings.given-closed':
    'Seul cet ordinateur peut joindre Footbridge, car il a été démarré avec -\u2060-\u2060host. Démarrez-le sans, et vous pourrez autoriser les partenaires ici.',
  'settings.nearby': 'Montrer ce bureau aux autres sur le réseau',
  'settings.nearby-hint':
    'Par son nom, à tous ceux de votre réseau, et seulement tant que la page « Connecter un bureau » est ouverte.',
  'settings.reverse': 'Garder une connexion ouverte vers les partenaires qui ne peuvent pas vous appeler',
  'settings.reverse-hint':
    'Ils s’en servent pour récupérer ce que vous partagez. Personne d’autre ne le peut.',
  'settings.map-port': 'Demander au routeur de laisser passer les partenaires',
  'settings.map-port-hint':
    'Fonctionne avec beaucoup de routeurs de maison et de petit bureau. Seuls vos partenaires passent, tous les autres sont refusés.',
  'settings.relay': 'Relais',
  'settings.relay-hint':
    'Collez son adresse si des partenaires d’ailleurs ne peuvent pas vous joindre. Un relais voit qui se connecte et quand, jamais ce que vous partagez.',
  'settings.partner-relays': 'Utiliser les relais indiqués par les partenaires',
  'settings.partner-relays-hint':
    'Seulement s’il n’y a pas d’autre chemin. Un relais voit qui se connecte et quand, jamais ce que vous partagez.',
  'settings.carry': 'Relayer les connexions de mes partenaires',
  'settings.carry-hint':
    'Vos partenaires que personne ne peut appeler deviennent joignables par cet ordinateur. Leurs partenaires apprennent son adresse. Il ne peut pas lire ce qu’ils envoient.',
  'settings.addresses': 'Les partenaires joignent cet ordinateur à l’adresse',
  'settings.check': 'Vérifier si cet ordinateur est joignable',
  'settings.checking': 'Vérification…',
  'settings.address-and-port': 'Adresse et port',
  'settings.public-url': 'Adresse indiquée dans les invitations',
  'settings.public-url-hint':
    'Laissez ce champ vide pour utiliser l’adresse sur le réseau du bureau. Remplissez-le si des partenaires vous joignent par Internet.',
  'settings.port': 'Port',
  'settings.port-hint':
    'Ne le changez que si un autre programme l’utilise. Les partenaires l’apprennent par une nouvelle invitation.',
  'settings.plain': 'Accepter les appels non chiffrés du réseau',
  'settings.plain-hint':
    'Seulement pour les partenaires dont le programme ne peut pas vérifier notre certificat. Quiconque écoute en chemin lit tout et peut agir en leur nom. Les partenaires qui utilisent Footbridge n’en ont jamais besoin.',
  'settings.interval': 'Chercher les modifications toutes les',
  'settings.seconds': { one: '{n} seconde', other: '{n} secondes' },
  'settings.minutes': { one: '{n} minute', other: '{n} minutes' },
  'settings.app': 'Cette application',
  'settings.theme': 'Couleurs',
  'settings.theme.system': 'Comme le système',
  'settings.theme.light': 'Claires',
  'settings.theme.dark': 'Sombres',
  'settings.language': 'Langue',
  'settings.language.system': 'Comme le système',
  'settings.language.en': 'English',
  'settings.language.de': 'Deutsch',
  'settings.language.fr': 'Français',
  'settings.language.es': 'Español',
  'settings.start-at-login': 'Démarrer à l’ouverture de ma session',
  'settings.close-to-tray': 'Rester ouvert quand la fenêtre est fermée',
  'settings.close-to-tray-hint':
    'Les lignes continuent d’arriver. Quittez par le menu de l’icône dans la barre des tâches.',
  'settings.updates': 'Rechercher les nouvelles versions',
  'settings.updates-now': 'Rechercher maintenant',
  'settings.updates-install': 'Redémarrer pour mettre à jour',
  'settings.desktop-only': 'Ne s’applique qu’à l’application de bureau ; ceci est un navigateur.',
  'settings.notify': 'Messages',
  'settings.notify.arrived': 'Me prévenir quand des lignes sont arrivées',
  'settings.notify.needsYou': 'Me prévenir quand il y a quelque chose à traiter',
  'settings.notify.problems': 'Me prévenir quand il y a un problème',
  'settings.sessions': 'Fenêtres connectées',
  'settings.sessions-hint':
    'Les navigateurs admis par un lien le restent 30 jours. Déconnectez ceux que vous ne connaissez pas.',
  'settings.session-own': 'cette fenêtre',
  'settings.session-unknown': 'Un navigateur',
  'settings.session-times': 'admis {begun}, utilisé {used}',
  'settings.sign-out': 'Déconnecter',
  'settings.sign-out-others': 'Déconnecter toutes les autres',
  'settings.data': 'Vos données',
  'settings.last-backup': 'Dernière sauvegarde : {when}',
  'settings.no-backup': 'Aucune sauvegarde n’a encore été faite.',
  'settings.backup': 'Enregistrer une sauvegarde',
  'settings.restore': 'Restaurer une sauvegarde',
  'settings.restore-title': 'Tout remplacer par la sauvegarde ?',
  'settings.restore-text':
    'Toutes les listes, tous les partenaires et tous les paramètres redeviennent ce qu’ils étaient dans « {file} ». Ce qui a été ajouté ou modifié depuis est perdu. Footbridge redémarre ensuite.',
  'settings.restored': 'Restauration terminée. Footbridge redémarre maintenant.',
  'settings.ledger': 'Télécharger le journal de partage (CSV)',
  'settings.support': 'Enregistrer un fichier d’assistance',
  'settings.support-hint':
    'Pour la personne qui vous aide : les paramètres et ce qui s’est passé, sans mots de passe, clés ni lignes de vos listes.',
  'settings.days': { one: '{n} jour', other: '{n} jours' },
  'settings.years': { one: '{n} an', other: '{n} ans' },
  'settings.keep-ledger': 'Garder le journal de partage pendant',
  'settings.keep-ledger-hint': {
    one: 'Il y a {n} ligne, {size}. Les plus anciennes partent par mois entiers.',
    other: 'Il y a {n} lignes, {size}. Les plus anciennes partent par mois entiers.',
  },
  'settings.keep-history': 'Garder la trace de ce qui s’est passé pendant',
  'settings.keep-history-hint': {
    one: 'Il y a {n} entrée, {size}. 10 000 au plus sont gardées.',
    other: 'Il y a {n} entrées, {size}. 10 000 au plus sont gardées.',
  },
  'settings.keep-bin': 'Garder les lignes supprimées dans la corbeille pendant',
  'settings.keep-bin-hint': {
    one: 'Il y a {n} ligne dans les corbeilles de vos listes. Passé ce délai, elle ne peut plus être restaurée.',
    other:
      'Il y a {n} lignes dans les corbeilles de vos listes. Passé ce délai, elles ne peuvent plus être restaurées.',
  },
  'settings.stored': 'Ce que cette application conserve',
  'settings.stored-where': 'Où',
  'settings.stored-size': 'Combien',
  'settings.stored-what': 'Quoi',
  'settings.stored-what-text':
    'Vos listes, ce qui a été reçu, vos partenaires, ce qui est sorti, les paramètres et des notes sur ce qui s’est passé. Tout reste dans ce dossier sur cet ordinateur.',
  'settings.secrets': 'Clés des partenaires',
  'settings.secrets.system': 'sont gardées dans le coffre-fort de ce système.',
  'settings.secrets.given': 'sont scellées par le secret donné à Footbridge à chaque démarrage.',
  'settings.secrets.file': 'sont gardées dans un fichier que seul votre compte sur cet ordinateur peut lire.',
  'settings.remove': 'Pour tout supprimer',
  'settings.remove-text':
    'Mettez fin à la connexion avec vos partenaires, quittez Footbridge et supprimez ce dossier.',
  'settings.about': 'À propos',
  'settings.version': 'Footbridge {version}',
  'settings.license': 'Logiciel libre sous licence MIT. Ni cloud, ni compte.',
};
