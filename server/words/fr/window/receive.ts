import type { Translated } from '../../catalogue.ts';
import type { receive as english } from '../../en/window/receive.ts';

/** What comes from a partner: offers, matches, and what waits for a yes. */
export const receive: Translated<typeof english> = {
  'receive.empty-title': '{partner} ne vous propose encore rien',
  'receive.empty-text': 'Ce qu’il partage apparaît ici de lui-même.',
  'receive.offered': 'Listes proposées',
  'receive.received': 'Listes que nous recevons',
  'receive.dismissed': 'Mises de côté',
  'receive.withdrawn': 'Plus proposées',
  'receive.offers-columns': { one: '{n} colonne proposée', other: '{n} colonnes proposées' },
  'receive.their-columns': 'Colonnes proposées',
  'receive.count-offered': { one: '{n} proposée', other: '{n} proposées' },
  'receive.make': 'Créer la même liste',
  'receive.match': 'Associer à une de mes listes',
  'receive.not-now': 'Pas maintenant',
  'receive.recall': 'Proposer à nouveau',
  'receive.made': '« {list} » est créée. Les lignes sont en route.',
  'receive.into': 'dans {list}',
  'receive.rows': { one: '{n} ligne reçue', other: '{n} lignes reçues' },
  'receive.last': 'dernière vérification : {when}',
  'receive.unmatched': {
    one: '{n} colonne non associée : {columns}',
    other: '{n} colonnes non associées : {columns}',
  },
  'receive.parked': '{origin} → {destination} : {why}',
  'receive.parked-title': 'Certaines colonnes n’arrivent plus. Modifiez les associations pour continuer.',
  'receive.edit': 'Modifier les associations',
  'receive.bin': { one: 'Corbeille : {n} ligne', other: 'Corbeille : {n} lignes' },
  'receive.stop': 'Ne plus recevoir',
  'receive.stop-title': 'Ne plus recevoir « {list} », partagée par {partner} ?',
  'receive.stop-text': {
    one: 'Plus rien de nouveau n’arrive. {n} ligne arrivée reste dans votre liste.',
    other: 'Plus rien de nouveau n’arrive. Les {n} lignes arrivées restent dans votre liste.',
  },
  'receive.keep-rows': 'Garder ces lignes comme les nôtres',
  'receive.rows-to-bin': {
    one: 'Mettre {n} ligne à la corbeille',
    other: 'Mettre {n} lignes à la corbeille',
  },
  'receive.ended': 'Vous ne recevez plus « {list} ». Ses lignes restent dans votre liste.',
  'receive.ended-bin': {
    one: 'Vous ne recevez plus « {list} ». {n} ligne est dans la corbeille.',
    other: 'Vous ne recevez plus « {list} ». {n} lignes sont dans la corbeille.',
  },
  'receive.withdrawn-text': {
    one: 'Le partenaire ne la partage plus. {n} ligne arrivée reste dans votre liste. Les mises à jour reprennent s’il la partage à nouveau.',
    other:
      'Le partenaire ne la partage plus. Les {n} lignes arrivées restent dans votre liste. Les mises à jour reprennent s’il la partage à nouveau.',
  },

  'brake.title': 'Cela changerait beaucoup de choses et attend donc votre accord',
  'brake.removes': {
    one: '{n} ligne reçue sur {of} irait à la corbeille.',
    other: '{n} lignes reçues sur {of} iraient à la corbeille.',
  },
  'brake.gone-before': {
    one: '{n} ligne est déjà allée à la corbeille ces dernières 24 heures, car c’était peu jusque-là.',
    other: '{n} lignes sont déjà allées à la corbeille ces dernières 24 heures, car c’était peu jusque-là.',
  },
  'brake.empties': { one: '{n} ligne perdrait des valeurs.', other: '{n} lignes perdraient des valeurs.' },
  'brake.emptied-before': {
    one: '{n} ligne a déjà perdu des valeurs ces dernières 24 heures, car c’était peu jusque-là. Le détail de la ligne montre ce qui y était.',
    other:
      '{n} lignes ont déjà perdu des valeurs ces dernières 24 heures, car c’était peu jusque-là. Le détail de chaque ligne montre ce qui y était.',
  },
  'brake.rows': 'Lignes en attente',
  'brake.row-goes': 'serait supprimée',
  'brake.row-empties': 'perdrait des valeurs',
  'brake.row-older': 'est plus ancienne là-bas',
  'brake.all': { one: 'L’afficher', other: 'Afficher les {n}' },
  'brake.more': { one: 'Les {shown} premières sur {n}.', other: 'Les {shown} premières sur {n}.' },
  'brake.all-file': 'Tout enregistrer dans un fichier',
  'brake.hint': 'Si cela vous surprend, demandez à {partner} avant de laisser faire.',
  'back.title': 'Leur liste est revenue à un état antérieur : à vous de décider',
  'back.gone': {
    one: '{n} ligne que vous avez n’existe plus là-bas.',
    other: '{n} lignes que vous avez n’existent plus là-bas.',
  },
  'back.older': {
    one: '{n} ligne est là-bas telle qu’elle était avant votre version.',
    other: '{n} lignes sont là-bas telles qu’elles étaient avant vos versions.',
  },
  'back.hint':
    'Chez {partner}, une copie plus ancienne des données a été remise en place, ou leur partie la plus récente a été perdue. Prévenez-les : ils ne le savent peut-être pas. Enregistrez ces lignes dans un fichier, envoyez-le-leur et demandez-leur de l’importer. Une fois leurs lignes arrivées ici, reprenez ce qu’ils ont.',
  'back.save': 'Enregistrer ces lignes dans un fichier',
  'back.go': 'Reprendre ce qu’ils ont',
  'not-there.title': 'Des lignes ne sont plus chez {partner}',
  'not-there.rows': {
    one: '{n} ligne que vous avez n’est plus là-bas.',
    other: '{n} lignes que vous avez ne sont plus là-bas.',
  },
  'not-there.hint':
    '{partner} n’a signalé aucune suppression : cela manque, sans plus. Si cela vous surprend, renseignez-vous là-bas avant de supprimer ici.',
  'not-there.go': { one: 'Supprimer {n} ligne', other: 'Supprimer {n} lignes' },
  'brake.go': {
    one: 'Laisser faire : supprimer {n} ligne',
    other: 'Laisser faire : supprimer {n} lignes',
  },
  'brake.go-both': {
    one: 'Laisser faire : supprimer {n} ligne, vider des valeurs dans {empties}',
    other: 'Laisser faire : supprimer {n} lignes, vider des valeurs dans {empties}',
  },
  'brake.go-values': 'Laisser faire',
  'brake.keep': 'Garder mes lignes',
  'brake.kept': 'Ces lignes restent dans votre liste.',
  'brake.gone': 'C’est fait. Les lignes supprimées sont dans la corbeille et peuvent être restaurées.',

  'failed.title': {
    one: '{n} ligne n’a pas pu être reprise',
    other: '{n} lignes n’ont pas pu être reprises',
  },
  'failed.hint':
    'Modifiez les associations ou votre colonne, ou demandez à {partner} de corriger ces lignes. Elles sont gardées ici, avec un nouvel essai toutes les heures ; les autres ne sont pas retenues.',
  'failed.retry': 'Réessayer maintenant',
  'failed.show': 'Les afficher',
  'failed.first': {
    one: 'Seule la première ligne est affichée.',
    other: 'Seules les {n} premières lignes sont affichées.',
  },
  'failed.hide': 'Les masquer',
  'failed.since': 'première fois {when}',
  'failed.tries': { one: '{n} essai', other: '{n} essais' },

  'match.title': 'Associer « {list} », partagée par {partner}',
  'match.into': 'Dans laquelle de vos listes les lignes doivent-elles aller ?',
  'match.into-placeholder': 'Choisissez une de vos listes',
  'match.no-lists': 'Vous n’avez pas encore de liste. « Créer la même liste » la crée pour vous.',
  'match.beside': {
    one: 'Les lignes reçues de chez {partner} s’ajoutent à la {n} que vous avez. Celles que vous avez tous deux y seront en double.',
    other:
      'Les lignes reçues de chez {partner} s’ajoutent aux {n} que vous avez. Celles que vous avez tous deux y seront en double.',
  },
  'match.both': {
    one: 'Parmi leurs {looked} premières lignes, {n} a les mêmes valeurs que l’une des vôtres dans {columns}.',
    other:
      'Parmi leurs {looked} premières lignes, {n} ont les mêmes valeurs que l’une des vôtres dans {columns}.',
  },
  'match.beside-instead':
    'Vous pourrez fusionner ces lignes ensuite, sans perdre de valeur. Pour les garder séparées, annulez et choisissez « Créer la même liste ».',
  'match.theirs': 'Leur colonne',
  'match.ours': 'Va dans votre colonne',
  'match.samples': 'Ce que deviennent les valeurs',
  'match.proposed': 'D’après les valeurs, ce serait « {column} »',
  'match.proposed-equal': 'D’après les valeurs, ce serait « {column} » : {n} sur {of} sont les mêmes',
  'match.take': 'Retenir',
  'match.take-for': 'Retenir pour « {column} »',
  'match.nowhere': 'Ne pas recevoir',
  'match.column-of': 'Votre colonne pour « {column} »',
  'match.same': 'convient',
  'match.converts': 'est convertie',
  'match.may-refuse': 'certaines valeurs pourraient ne pas convenir',
  'match.impossible': 'ne convient pas',
  'match.twice':
    'Deux de leurs colonnes vont dans « {column} ». Choisissez-en une autre pour l’une des deux.',
  'match.gone':
    'L’enregistrement retire ce qui n’existe plus : {columns}. Pour l’attendre, quittez la page sans enregistrer.',
  'match.nothing': 'Associez au moins une colonne.',
  'match.save': { one: 'Recevoir {n} colonne', other: 'Recevoir {n} colonnes' },
  'match.saved': 'Listes associées.',
  'match.before': 'avant',
  'match.after': 'après',
  'match.empty-value': 'vide',
};
