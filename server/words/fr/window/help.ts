import type { Translated } from '../../catalogue.ts';
import type { help as english } from '../../en/window/help.ts';

/** L’aide : les touches, ce que voit un partenaire, et le sens de nos mots. */
export const help: Translated<typeof english> = {
  'help.open': 'Aide',
  'help.meaning': 'Que veut dire « {word} » ?',
  'keys.title': 'Touches utiles ici',
  'keys.label': 'Touches',
  'keys.anywhere': 'Partout',
  'keys.in-list': 'Dans une liste',
  'keys.in-field':
    'Pendant la saisie dans un champ ou une cellule, « {sign} » reste un point d’interrogation ; F1 ouvre cette aide là aussi.',
  'keys.help': 'F1',
  'key.help': 'Ces touches',
  'keys.places': 'Ctrl 1 … 4',
  'key.places': 'Accueil, Partenaires, Listes, Paramètres (dans la fenêtre de l’application)',
  'keys.settings': 'Ctrl ,',
  'key.settings': 'Paramètres',
  'keys.sync': 'Ctrl R',
  'key.sync': 'Synchroniser maintenant',
  'keys.close': 'Échap',
  'key.close': 'Fermer ce qui est ouvert',
  'keys.move': 'Flèches',
  'key.move': 'De cellule en cellule',
  'keys.ends': 'Ctrl Début | Ctrl Fin',
  'key.ends': 'À la première et à la dernière cellule',
  'keys.details': 'Ctrl Entrée',
  'key.details': 'Détails d’une ligne',
  'keys.tick': 'Espace',
  'key.tick': 'Cocher la ligne ; avec Maj, toutes depuis la dernière cochée',
  'keys.tick-all': 'Ctrl A',
  'key.tick-all': 'Cocher toutes les lignes',
  'keys.edit': 'Entrée | F2',
  'key.edit': 'Modifier la cellule',
  'keys.type': 'A … Z',
  'key.type': 'Réécrire la cellule',
  'keys.clear': 'Suppr',
  'key.clear': 'Vider la cellule, ou supprimer les lignes cochées',
  'keys.range': 'Maj Flèches',
  'key.range': 'Marquer plusieurs cellules',
  'keys.copy': 'Ctrl C | Ctrl V',
  'key.copy': 'Copier les cellules marquées, et coller',
  'keys.fill': 'Ctrl D',
  'key.fill': 'Recopier la première valeur vers le bas',
  'keys.undo': 'Ctrl Z',
  'key.undo': 'Annuler',
  'keys.redo': 'Ctrl Maj Z ou Ctrl Y',
  'key.redo': 'Rétablir',
  'sees.open': 'Ce qu’un partenaire peut voir',
  'sees.title': 'Ce qu’un partenaire peut voir, et ce qu’il ne peut pas voir',
  'sees.seen': 'Chaque partenaire voit',
  'sees.columns':
    'Les colonnes que vous avez cochées pour lui, avec les lignes qui peuvent sortir, telles qu’elles sont maintenant.',
  'sees.references':
    'D’une colonne qui renvoie à une autre liste : seulement la colonne de cette liste par laquelle vous la montrez.',
  'sees.deleted': 'Qu’une ligne qu’il peut voir a été supprimée.',
  'sees.counts':
    'Combien il y a de telles lignes, et quand chacune a été créée et modifiée pour la dernière fois, même si la modification touche une colonne qu’il ne voit pas.',
  'sees.passed-on':
    'D’une ligne qui vous est venue d’autres bureaux : un numéro pour chaque bureau par lequel elle est passée, sans les noms.',
  'sees.office': 'Le nom de votre bureau, l’adresse de cet ordinateur, et s’il répond.',
  'sees.unseen': 'Personne ne voit',
  'sees.other-columns':
    'Les listes que vous ne partagez pas et les colonnes que vous n’avez pas cochées : ni leurs valeurs ni leurs noms.',
  'sees.other-partners': 'Les noms de vos autres partenaires, et ce que vous partagez avec eux.',
  'sees.past':
    'Ce qu’était une valeur avant que le partenaire ait pu la voir, et ce qui est dans la corbeille.',
  'sees.people': 'Qui, dans votre bureau, a modifié quelque chose.',
  'sees.change':
    'Personne ne peut rien modifier ici : ce qu’un partenaire partage n’entre que dans une liste que vous avez choisie pour cela.',
  'sees.afterwards':
    'Ce qui est sorti reste chez le partenaire, même si vous ne partagez plus. Vous pouvez lui demander de le supprimer, mais pas l’y obliger. L’onglet « {activity} » montre ce qui est sorti, et quand.',
  'meaning.up-to-date':
    'Chaque réponse est venue à temps, tout ce qui est partagé avec vous est arrivé, et rien ne vous attend. L’heure à côté dit de quand cela date.',
  'meaning.syncing':
    'Footbridge demande les modifications et prend ce qui vient. Vous pouvez continuer à travailler.',
  'meaning.paused':
    'Quelqu’un ici a mis en pause, pour un temps ou jusqu’à la reprise. Rien n’est perdu : ce qui change entre-temps viendra plus tard.',
  'meaning.offline':
    'Aucune réponse : l’ordinateur du partenaire est peut-être éteint, en veille ou sans réseau. Footbridge réessaie automatiquement, et rien n’est perdu.',
  'meaning.awaited':
    'Tout va bien : c’est au tour du partenaire. Dès qu’il répond, la suite vient automatiquement.',
  'meaning.connected':
    'Vous pouvez vous joindre, et aucune liste ne circule encore. Partagez-en une, ou prenez-en une qui vous est proposée.',
  'meaning.unconnected':
    'Vous n’avez pas encore de partenaire. Envoyez une invitation, ou utilisez celle que vous avez reçue.',
  'meaning.needs-you':
    'Quelque chose attend une décision que vous seul pouvez prendre. C’est dans l’Accueil, avec ce que vous pouvez faire.',
  'meaning.error':
    'Quelque chose ne marche pas, et attendre ne suffira peut-être pas. La phrase à côté dit ce que c’est et ce qu’il faut faire.',
  'help.invite': 'Invitation',
  'meaning.invite':
    'Un texte qui vous relie à un partenaire. Il sert une fois, pendant 24 heures. Qui l’obtient peut demander à sa place : ne l’envoyez qu’à lui. Rien n’est partagé avant que vous ayez accepté et coché des colonnes.',
  'help.words': 'Les cinq mots',
  'meaning.words':
    'Les deux ordinateurs les calculent à partir de la connexion elle-même. S’ils sont les mêmes des deux côtés, personne entre vous ne lit ni ne se fait passer pour l’autre.',
  'meaning.offered':
    'Des listes que votre partenaire vous laisse voir. Aucune ligne n’entre avant que vous ayez créé une liste pour elle, ou que vous l’ayez associée à l’une des vôtres.',
  'help.matching': 'Correspondance',
  'meaning.matching':
    'Dit quelle colonne du partenaire remplit laquelle de vos colonnes. Une colonne sans correspondance n’entre pas.',
  'help.waiting': 'En attente de votre accord',
  'meaning.identical':
    'Compare chaque ligne et chaque valeur que vous recevez avec ce qu’a le partenaire en ce moment.',
  'meaning.waiting':
    'Ce qui supprimerait ou viderait beaucoup de lignes d’un coup est arrêté avant. Votre liste reste telle quelle jusqu’à votre décision. Les lignes supprimées vont dans la corbeille et peuvent être restaurées.',
};
