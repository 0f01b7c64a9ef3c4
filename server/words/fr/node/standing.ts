import type { Translated } from '../../catalogue.ts';
import type { standing as english } from '../../en/node/standing.ts';

/** How things stand and what happened: states, the inbox, the history. */
export const standing: Translated<typeof english> = {
  'state.partner-went-back': {
    one: 'Les données de chez {partner} sont revenues à un état antérieur : {n} ligne que vous avez y manque ou y est plus ancienne. Regardez et décidez.',
    other:
      'Les données de chez {partner} sont revenues à un état antérieur : {n} lignes que vous avez y manquent ou y sont plus anciennes. Regardez et décidez.',
  },
  'state.we-went-back': {
    one: 'Vos données sont revenues à un état antérieur : {partner} a encore {n} ligne qui manque ici ou y est plus ancienne. Demandez de l’enregistrer là-bas dans un fichier avant de décider, et importez ce fichier ici.',
    other:
      'Vos données sont revenues à un état antérieur : {partner} a encore {n} lignes qui manquent ici ou y sont plus anciennes. Demandez de les enregistrer là-bas dans un fichier avant de décider, et importez ce fichier ici.',
  },
  'state.held': {
    one: '{partner} a retiré ou vidé {n} ligne. Regardez et décidez.',
    other: '{partner} a retiré ou vidé {n} lignes. Regardez et décidez.',
  },
  'state.not-there': {
    one: '{n} ligne que vous avez n’est plus chez {partner}. Supprimez-la ou gardez-la.',
    other: '{n} lignes que vous avez ne sont plus chez {partner}. Supprimez-les ou gardez-les.',
  },
  'state.could-not-apply': {
    one: '{n} ligne envoyée par {partner} n’a pas pu être reprise. Regardez laquelle et pourquoi.',
    other: '{n} lignes envoyées par {partner} n’ont pas pu être reprises. Regardez lesquelles et pourquoi.',
  },
  'state.kept': {
    one: 'Vous avez gardé {n} ligne retirée ou vidée par {partner} ; il y a donc une différence entre vous. Comparez pour reprendre tout de même leur version, ou dites sous Accueil que cela reste ainsi.',
    other:
      'Vous avez gardé {n} lignes retirées ou vidées par {partner} ; il y a donc une différence entre vous. Comparez pour reprendre tout de même leur version, ou dites sous Accueil que cela reste ainsi.',
  },
  'state.kept-apart': {
    one: 'Vous avez gardé {n} ligne retirée ou vidée par {partner} ; il y a donc une différence entre vous. Pour être à nouveau identiques, supprimez-la ici ou demandez de l’enregistrer à nouveau là-bas ; ou dites sous Accueil que cela reste ainsi.',
    other:
      'Vous avez gardé {n} lignes retirées ou vidées par {partner} ; il y a donc une différence entre vous. Pour être à nouveau identiques, supprimez-les ici ou demandez de les enregistrer à nouveau là-bas ; ou dites sous Accueil que cela reste ainsi.',
  },
  'state.kept-so': {
    one: 'Vous gardez {n} ligne supprimée ou vidée par {partner}.',
    other: 'Vous gardez {n} lignes supprimées ou vidées par {partner}.',
  },
  'state.differ': {
    one: '{n} ligne n’est pas comme chez {partner}. Comparez pour la récupérer à nouveau.',
    other: '{n} lignes ne sont pas comme chez {partner}. Comparez pour les récupérer à nouveau.',
  },
  'state.parked': {
    one: '{n} colonne associée a changé. Associez-la à nouveau.',
    other: '{n} colonnes associées ont changé. Associez-les à nouveau.',
  },
  'state.offers': {
    one: '{partner} propose {n} liste. Choisissez où la placer.',
    other: '{partner} propose {n} listes. Choisissez où les placer.',
  },
  'state.do-not-arrive': {
    one: '{n} modification n’arrive pas chez {partner}, bien qu’elle soit demandée. Demandez ce que dit Footbridge là-bas.',
    other:
      '{n} modifications n’arrivent pas chez {partner}, bien qu’elles soient demandées. Demandez ce que dit Footbridge là-bas.',
  },
  'state.not-taken-in': {
    one: '{n} modification n’arrive pas chez {partner}, bien qu’elle soit demandée. Demandez de vérifier que le programme de là-bas prend encore cette liste.',
    other:
      '{n} modifications n’arrivent pas chez {partner}, bien qu’elles soient demandées. Demandez de vérifier que le programme de là-bas prend encore ces listes.',
  },
  'state.on-their-way': {
    one: '{n} modification est en route vers {partner}.',
    other: '{n} modifications sont en route vers {partner}.',
  },
  'state.wait-for-their-yes': {
    one: '{n} ligne que vous avez retirée ou vidée attend un accord chez {partner}.',
    other: '{n} lignes que vous avez retirées ou vidées attendent un accord chez {partner}.',
  },
  'state.stand-differently': {
    one: '{n} ligne diffère chez {partner} : sa version y a été gardée, ou elle n’a pas pu être reprise.',
    other:
      '{n} lignes diffèrent chez {partner} : leur version y a été gardée, ou elles n’ont pas pu être reprises.',
  },
  'state.parked-there': {
    one: '{n} colonne que vous partagez a changé et n’arrive plus chez {partner}. Demandez de l’associer à nouveau là-bas.',
    other:
      '{n} colonnes que vous partagez ont changé et n’arrivent plus chez {partner}. Demandez de les associer à nouveau là-bas.',
  },
  'state.nothing-yet':
    '{partner} n’a encore rien partagé par la nouvelle connexion. Demandez que les listes y soient exposées une nouvelle fois.',
  'state.stopped-there':
    '{partner} n’importe plus la liste « {list} ». Demandez qu’elle soit associée là-bas. Si elle l’est déjà, partagez-la de nouveau.',
  'state.unsent': {
    one: '{partner} ne reçoit pas {n} colonne que vous partagez. Partagez sa liste de nouveau, puis demandez qu’elle soit associée là-bas.',
    other:
      '{partner} ne reçoit pas {n} colonnes que vous partagez. Partagez leurs listes de nouveau, puis demandez qu’elles soient associées là-bas.',
  },
  'state.undecided': {
    one: '{partner} n’a pas encore choisi où placer {n} liste.',
    other: '{partner} n’a pas encore choisi où placer {n} listes.',
  },
  'state.not-imported': {
    one: '{partner} n’importe pas {n} liste. Demandez qu’elle soit associée là-bas. Si elle l’est déjà, partagez-la de nouveau.',
    other:
      '{partner} n’importe pas {n} listes. Demandez qu’elles soient associées là-bas. Si elles le sont déjà, partagez-les de nouveau.',
  },
  'state.changes-wait': {
    one: 'Dernière demande venue de chez {partner} : {since}. {n} modification y attend d’être récupérée.',
    other:
      'Dernière demande venue de chez {partner} : {since}. {n} modifications attendent d’être récupérées.',
  },
  'state.ends-in-minutes': {
    one: 'La connexion avec {partner} prend fin dans {n} minute. Reconnectez-vous pour continuer ensuite.',
    other: 'La connexion avec {partner} prend fin dans {n} minutes. Reconnectez-vous pour continuer ensuite.',
  },
  'state.changed-here': {
    one: '{n} ligne venue de chez {partner} garde vos modifications.',
    other: '{n} lignes venues de chez {partner} gardent vos modifications.',
  },
  'state.changed-there': {
    one: '{partner} garde sa propre version de {n} ligne.',
    other: '{partner} garde sa propre version de {n} lignes.',
  },
  'state.pairing-failed': 'La mise en connexion a échoué. Réessayez ou créez une nouvelle invitation.',
  'state.not-connected-because': 'Pas de connexion avec {partner} : {problem}',
  'state.asks-then-words':
    '{partner} demande à se connecter. Acceptez si vous attendiez cette demande, puis comparez les mots par téléphone.',
  'state.asks': '{partner} demande à se connecter. Vérifiez que vous attendiez cette demande, puis acceptez.',
  'state.ended':
    'La connexion avec {partner} a pris fin. Reconnectez-vous avec une nouvelle invitation pour continuer.',
  'state.folder-twice-here':
    'Le dossier de données de ce bureau est utilisé sur deux ordinateurs, et chacun ne reçoit qu’une partie de ce qui vient de chez {partner}. Fermez Footbridge sur l’un d’eux. Si les deux sont nécessaires, reconnectez celui-ci, avec un dossier de données vide.',
  'state.folder-twice-there':
    '{partner} semble utiliser un même dossier de données sur deux ordinateurs, et chacun reçoit une partie de ce qui est nouveau. Demandez de fermer Footbridge sur l’un des deux.',
  'state.withdrawn-one':
    '{partner} ne partage plus « {list} ». Décidez de ce que deviennent les lignes que vous avez.',
  'state.withdrawn':
    '{partner} ne partage plus {lists} de vos listes. Décidez de ce que deviennent les lignes que vous avez.',
  'state.they-paused':
    '{partner} a mis en pause ; rien ne peut donc venir de là-bas. Tout reprendra automatiquement.',
  'state.not-answered-yet': '{partner} n’a pas encore répondu. Un nouvel essai aura lieu automatiquement.',
  'state.not-heard-since':
    'Aucune nouvelle de chez {partner} depuis : {since}. Un nouvel essai aura lieu automatiquement.',
  'state.last-answered': 'Dernière réponse de chez {partner} : {since}.',
  'state.stands-still':
    'Rien n’est venu de chez {partner} depuis {seconds} secondes. Après une attente, un nouvel essai aura lieu automatiquement.',
  'state.not-read-since':
    '{partner} demande des lignes mais ne les lit plus depuis : {since}. Demandez là-bas si l’ordinateur est en veille ou occupé.',
  'state.send-only':
    'Vous pouvez envoyer au partenaire {partner}, mais rien recevoir : personne ne peut l’appeler. Demandez-lui de garder une connexion ouverte vers vous, dans Paramètres › Réseau.',
  'state.receive-only':
    'Vous pouvez recevoir du partenaire {partner}, mais pas envoyer : il ne peut pas appeler cet ordinateur. Activez « Garder une connexion ouverte » dans Paramètres › Réseau.',
  'state.syncing': 'Récupération des modifications de chez {partner}.',
  'state.looking': 'Recherche du partenaire {partner}.',
  'state.waiting-to-be-asked': '{partner} n’a pas encore demandé ce qui est nouveau.',
  'state.unsure':
    '{partner} ne lit rien, car des données plus anciennes sont revenues : regardez ce que vous partagez, puis laissez lire à nouveau.',
  'state.may-not-read': '{partner} ne peut pas lire ce que vous partagez. {pause}',
  'state.yet-to-be-heard': 'Vérification de ce qui est arrivé chez {partner}.',
  'state.waiting-to-confirm': 'En attente de l’accord du partenaire {partner}.',
  'state.not-connected-yet': 'Pas encore de connexion avec {partner}.',
  'state.waiting-for-use': '{partner} n’a pas encore utilisé l’invitation.',
  'state.not-fetched': 'Rien n’est récupéré de chez {partner} ; ce que vous partagez peut y être lu. {pause}',
  'state.paused': 'Vous avez mis en pause.',
  'state.paused-until': 'Vous avez mis en pause ; reprise : {until}.',
  'state.never-asked': '{partner} n’a rien demandé depuis le démarrage de Footbridge ici.',
  'state.last-asked': 'Dernière demande venue de chez {partner} : {since}.',
  'state.last-asked-has-all':
    'Dernière demande venue de chez {partner} : {since}. Tout ce qui précède y est arrivé.',
  'state.ends-in-hours':
    'La connexion avec {partner} prend fin dans {hours} heures. Reconnectez-vous pour continuer ensuite.',
  'state.ends-in-days':
    'La connexion avec {partner} prend fin dans {days} jours. Reconnectez-vous pour continuer ensuite.',
  'state.all-both-ways': 'Tout est arrivé, et {partner} a tout ce que vous partagez de ce côté.',
  'state.all-arrived': 'Tout est arrivé.',
  'state.has-all': '{partner} a tout ce que vous partagez de ce côté.',
  'state.connected':
    'Connexion avec {partner} établie. Rien n’est encore partagé, ni dans un sens ni dans l’autre.',
  'state.data-missing': 'Il manque peut-être des données. Regardez à l’accueil ce qui est à traiter.',
  'state.no-partner': 'Pas encore de partenaire.',
  'state.all-idle': 'Connexion établie. Rien n’est encore partagé, ni dans un sens ni dans l’autre.',
  'state.all-up-to-date': 'Tous les partenaires sont à jour.',
  'state.of-partner': '{partner} : {reason}',

  'inbox.remove-rows': {
    one: '{partner} a mis fin à la connexion et vous demande de supprimer {n} ligne venue de là-bas.',
    other: '{partner} a mis fin à la connexion et vous demande de supprimer les {n} lignes venues de là-bas.',
  },
  'inbox.doubles': {
    one: '{n} ligne envoyée par {partner} était déjà dans « {list} », avec les mêmes valeurs dans les colonnes associées. Fusionnez-les : aucune valeur n’est perdue.',
    other:
      '{n} lignes envoyées par {partner} étaient déjà dans « {list} », avec les mêmes valeurs dans les colonnes associées. Fusionnez-les : aucune valeur n’est perdue.',
  },
  'inbox.kept': {
    one: '{partner} a retiré ou vidé {n} ligne de « {list} », et vous l’avez gardée. Reprenez leur version, ou laissez-la ainsi : la question ne sera plus posée.',
    other:
      '{partner} a retiré ou vidé {n} lignes de « {list} », et vous les avez gardées. Reprenez leur version, ou laissez-les ainsi : la question ne sera plus posée.',
  },
  'inbox.did-not-fit': {
    one: '{n} ligne envoyée par {partner} ne convenait pas à la liste « {list} ». Elle est gardée avec sa raison, et un nouvel essai aura lieu automatiquement.',
    other:
      '{n} lignes envoyées par {partner} ne convenaient pas à la liste « {list} ». Chacune est gardée avec sa raison, et un nouvel essai aura lieu automatiquement.',
  },
  'inbox.not-there': {
    one: '{n} ligne de « {list} » n’est plus chez {partner}, sans que sa suppression ait été signalée. Ici, elle est telle qu’elle était. Supprimez-la ou gardez-la.',
    other:
      '{n} lignes de « {list} » ne sont plus chez {partner}, sans que leur suppression ait été signalée. Ici, elles sont telles qu’elles étaient. Supprimez-les ou gardez-les.',
  },
  'inbox.partner-went-back': {
    one: 'Les données de chez {partner} sont revenues à un état antérieur : {n} ligne que vous avez dans « {list} » y manque ou y est plus ancienne. Ici, elle est telle qu’elle était. Gardez-la, ou reprenez leur version.',
    other:
      'Les données de chez {partner} sont revenues à un état antérieur : {n} lignes que vous avez dans « {list} » y manquent ou y sont plus anciennes. Ici, elles sont telles qu’elles étaient. Gardez-les, ou reprenez leur version.',
  },
  'inbox.offer-columns': 'Ses colonnes : {columns}.',
  'inbox.list-withdrawn':
    'Rien de nouveau ne vient plus de chez {partner} pour cette liste. Gardez les lignes comme les vôtres, ou choisissez « Voir » pour les mettre à la corbeille.',
  'inbox.list-withdrawn-waiting': {
    one: 'Rien de nouveau ne vient plus de chez {partner} pour cette liste. {n} ligne qui y a été retirée ou vidée auparavant attend encore votre décision : regardez-la, ou gardez toutes les lignes comme les vôtres.',
    other:
      'Rien de nouveau ne vient plus de chez {partner} pour cette liste. {n} lignes qui y ont été retirées ou vidées auparavant attendent encore votre décision : regardez-les, ou gardez toutes les lignes comme les vôtres.',
  },
  'inbox.columns-parked':
    'Des colonnes de « {list} » ont changé ; celles-ci attendent d’être associées à nouveau : {columns}. Les autres continuent.',
  'inbox.condition-broken':
    'Plus aucune ligne de « {list} » n’est partagée avec {partner} : le choix des lignes dépend de colonnes qui n’existent plus ou qui contiennent autre chose depuis : {columns}. Celles qui sont là-bas sont retirées ; si elles sont nombreuses, un accord y est d’abord demandé. Choisissez à nouveau les lignes à partager.',
  'inbox.columns-retyped':
    'Avec le type de ces colonnes, leur contenu a changé : {columns}. Regardez ce qui en serait visible maintenant chez {partner}, et choisissez-les à nouveau.',
  'inbox.would-empty':
    'Les modifications venues de chez {partner} videraient des valeurs dans {n} lignes sur {of} de « {list} ». Ces lignes sont telles qu’elles étaient et attendent votre accord.',
  'inbox.would-empty-more':
    'Les modifications venues de chez {partner} videraient des valeurs dans encore {n} lignes sur {of} de « {list} », après {emptied} ces dernières 24 heures. Ces lignes sont telles qu’elles étaient et attendent votre accord.',
  'inbox.would-remove-more':
    'Les modifications venues de chez {partner} supprimeraient encore {n} lignes sur {of} de « {list} », après {gone} allées à la corbeille ces dernières 24 heures. Celles-ci sont encore là et attendent votre accord.',
  'inbox.would-remove':
    'Les modifications venues de chez {partner} supprimeraient {n} lignes sur {of} de « {list} ». Elles sont encore là et attendent votre accord.',
  'inbox.would-empty-too': {
    one: '{n} autre ligne perdrait des valeurs et attend aussi votre accord.',
    other: '{n} autres lignes perdraient des valeurs et attendent aussi votre accord.',
  },
  'inbox.would-empty-too-more': {
    one: '{n} autre ligne perdrait des valeurs, après {emptied} ces dernières 24 heures, et attend aussi votre accord.',
    other:
      '{n} autres lignes perdraient des valeurs, après {emptied} ces dernières 24 heures, et attendent aussi votre accord.',
  },
  'inbox.ended-by-time':
    'La connexion avec {partner} a pris fin : son délai est écoulé. Reconnectez-vous avec une nouvelle invitation.',
  'inbox.ends-in':
    'La connexion avec {partner} prend fin dans {span} et ne peut pas se renouveler seule. Demandez une nouvelle invitation.',
  'inbox.used-invite': '{partner} a utilisé votre invitation.',
  'inbox.used-invite-nearby':
    '{partner} a utilisé votre invitation. L’appel vient de {address}, sur votre propre réseau.',
  'inbox.used-invite-from': '{partner} a utilisé votre invitation. L’appel vient de {address}.',
  'inbox.same-office':
    '{partner} et {other} indiquent tous deux être le Footbridge du même bureau. L’un se fait peut-être passer pour l’autre, ou un bureau a été connecté deux fois. Tant que les deux sont connectés, aucun n’a le dernier mot sur les lignes que l’autre envoie aussi. Appelez les deux à des numéros que vous connaissez, et mettez fin à la mauvaise connexion.',
  'inbox.not-encrypted': 'Non chiffrée : acceptable dans votre propre bureau, pas sur Internet.',
  'inbox.file-empties': {
    one: 'Dans « {file} », {n} ligne a perdu des valeurs. Regardez, et dites si elle doit les perdre ici aussi.',
    other:
      'Dans « {file} », {n} lignes ont perdu des valeurs. Regardez, et dites si elles doivent les perdre ici aussi.',
  },
  'inbox.file-waits': {
    one: 'Dans « {file} », {n} ligne n’y est plus. Regardez, et dites si elle doit disparaître ici aussi.',
    other:
      'Dans « {file} », {n} lignes n’y sont plus. Regardez, et dites si elles doivent disparaître ici aussi.',
  },
  'inbox.about-list': '« {list} » : {what}',
  'inbox.about-settings':
    'Paramètres, partenaires et partages : {what} Vérifiez ce que vous partagez avec chaque partenaire.',
  'inbox.import-cut':
    'Une partie seulement d’un fichier est arrivée dans « {list} », jusqu’à la ligne {line} : l’importation a été interrompue. {next}',
  'inbox.import-cut-of':
    'Une partie seulement du fichier {file} est arrivée dans « {list} », jusqu’à la ligne {line} : l’importation a été interrompue. {next}',
  'inbox.import-cut-keyed': 'Importez-le encore une fois : aucune ligne ne viendra en double.',
  'inbox.import-cut-unkeyed':
    'Ce qui y est déjà viendrait en double si vous importiez tout à nouveau : retirez d’abord ces lignes du fichier, sauf les noms des colonnes.',
  'inbox.ledger-lost':
    'Une partie du relevé de ce qui est sorti de cet ordinateur manque : ses fichiers étaient endommagés, ou une copie plus ancienne avait pris leur place. Si vous avez les fichiers plus récents, fermez Footbridge et remettez-les en place. Sinon il n’y a rien à faire : vos listes et ce que vous partagez sont comme avant.',
  'inbox.about-ledger': 'Le relevé de ce qui est sorti de cet ordinateur : {what}',

  'history.connected-again': 'La connexion avec {partner} est rétablie.',
  'history.keeps-open':
    'Une connexion vers {partner} reste ouverte, pour que ce que vous partagez y arrive. Autorisée par un administrateur de votre bureau : {since}.',
  'history.uses-relay':
    'Vous joignez {partner} par le relais {relay}. Autorisé par un administrateur de votre bureau : {since}.',
  'history.port-open':
    '{partner} peut appeler cet ordinateur par le port {port} de votre routeur. Autorisé par un administrateur de votre bureau : {since}.',
  'history.held':
    'Des lignes qui seraient retirées ou vidées attendent votre accord. Décidez sous « Nous recevons ».',
  'history.kept': {
    one: 'Décidé ici : {n} ligne reste telle que vous l’avez.',
    other: 'Décidé ici : {n} lignes restent telles que vous les avez.',
  },
  'history.let-happen': {
    one: 'Décidé ici : {n} ligne devient ce qu’elle est là-bas.',
    other: 'Décidé ici : {n} lignes deviennent ce qu’elles sont là-bas.',
  },
  'history.settled': {
    one: 'Décidé ici : {n} ligne gardée reste différente de la leur.',
    other: 'Décidé ici : {n} lignes gardées restent différentes des leurs.',
  },
  'history.new': 'nouvelles : {count}',
  'history.changed': 'modifiées : {count}',
  'history.removed': 'supprimées : {count}',
  'history.failed': 'non reprises : {count}',
  'history.cut': '{counts}, puis interrompu',
  'history.offered': 'Propose la liste « {list} ».',
  'history.offered-again': 'Propose à nouveau la liste « {list} ».',
  'history.list-changed': 'A modifié la liste « {list} ».',
  'history.withdrawn': 'Ne partage plus la liste « {list} ».',

  'access.turned-away': {
    one: '{who} {tried}. Rien n’a été donné. Si vous ne savez pas qui c’est, demandez à vos partenaires si c’était l’un d’eux.',
    other:
      '{who} {tried}, {n} fois. Rien n’a été donné. Si vous ne savez pas qui c’est, demandez à vos partenaires si c’était l’un d’eux.',
  },
  'access.wrong-token': 'a envoyé une clé qui n’est pas valable ici, ou ne l’est plus',
  'access.wrong-invite': 'a essayé une invitation qui n’existe pas',
  'access.old-invite': 'a essayé une invitation utilisée, retirée ou expirée',
  'access.management': 'a essayé de modifier à distance les paramètres de cet ordinateur',
  'access.plain': 'a essayé de communiquer sans chiffrement',
  'access.flood': 'a envoyé plus de demandes qu’il n’en est accepté',
  'access.token-over':
    '{partner} : sa clé a expiré selon l’horloge de cet ordinateur, et rien n’a donc pu être lu. Les clés sont renouvelées bien avant, sauf si un ordinateur reste éteint pendant des mois : sinon, l’horloge d’ici ou celle de là-bas est fausse, ou l’a été. Vérifiez la date et l’heure sur les deux ordinateurs ; tout reprend de soi-même dès qu’elles sont justes. Si elles le sont déjà, reconnectez-vous.',
  'access.from-many': 'Quelqu’un, à de nombreuses adresses,',
  'access.from-here': 'Un programme sur cet ordinateur',
  'access.from': 'Un ordinateur à l’adresse {address}',
  'access.unlisted':
    'Ce dossier de données ne sait rien de cet accès, qui ne pourrait donc pas être retiré : il date d’une version plus ancienne, ou le dossier est une copie plus ancienne. Créez-en un nouveau en ligne de commande.',

  'served.compared': {
    one: '{n} ligne comparée par son empreinte',
    other: '{n} lignes comparées par leurs empreintes',
  },
  'served.sent': { one: '{n} ligne envoyée', other: '{n} lignes envoyées' },

  'clocks.invite-not-counted':
    'L’horloge du partenaire et celle de cet ordinateur ont un écart de {span} ; l’invitation n’y est donc pas valable. Réglez celle qui est fausse, puis réessayez.',
  'clocks.answer-not-taken':
    'L’horloge du partenaire et celle de cet ordinateur ont un écart de {span} ; notre réponse n’y est donc pas acceptée. Réglez celle qui est fausse, puis réessayez.',
  'clocks.not-accepted':
    'L’horloge du partenaire et celle de cet ordinateur ont un écart de {span} ; il ne nous accepte donc pas. Réglez celle qui est fausse ; tout reprendra automatiquement.',
  'clocks.ours-differs':
    'L’horloge de cet ordinateur a un écart de {span} avec celles de tous vos partenaires : ici il est {ours}, là-bas {theirs}. Vérifiez sa date et son heure.',
  'clocks.differ':
    'Les deux horloges ont un écart de {span} : sur cet ordinateur il est {ours}, chez {partner} {theirs}. Vérifiez laquelle est fausse.',

  'span.minutes': { one: '{n} minute', other: '{n} minutes' },
  'span.hours': '{n} heures',
  'span.days': '{n} jours',

  'older-data.unshared':
    'D’anciennes données sont revenues, dans lesquelles « {list} » était encore partagée avec {partner}. Ici, elle ne l’était pas, et elle reste non partagée. Partagez-la à nouveau si vous le souhaitez.',
  'older-data.columns-hidden':
    'D’anciennes données sont revenues, dans lesquelles {partner} voyait davantage de « {list} ». Ce que vous aviez retiré depuis reste caché. Regardez ce qui est partagé.',
  'older-data.disconnected':
    'D’anciennes données sont revenues, dans lesquelles {partner} était encore connecté. La connexion reste fermée. Reconnectez-vous avec une nouvelle invitation si vous le souhaitez.',
  'older-data.removed':
    'D’anciennes données sont revenues avec le partenaire {partner}, qui avait été supprimé. Il reste supprimé et ne voit rien. Reconnectez-vous avec une nouvelle invitation si vous souhaitez son retour.',
  'older-data.paused':
    'D’anciennes données sont revenues, d’avant la mise en pause du partenaire {partner}. La pause demeure. Choisissez « Reprendre » chez ce partenaire pour continuer.',
  'older-data.signed-out':
    'D’anciennes données sont revenues. Les fenêtres qui n’étaient pas connectées ici restent déconnectées. Ce qui était fermé ici dans les paramètres reste fermé. L’adresse donnée aux partenaires et la durée pendant laquelle est gardé ce qui est sorti restent celles qui étaient réglées ici. Parcourez vos paramètres.',
  'older-data.unsure':
    'Des données plus anciennes sont revenues, et la liste de ce que vous aviez retiré n’est pas aussi récente qu’elle l’était. {partner} peut donc y voir plus que vous ne voulez, ou vous aviez peut-être mis fin à cette connexion. Rien n’est lu tant que vous n’avez pas regardé : regardez ce que vous partagez avec {partner}, puis choisissez « Laisser lire à nouveau ».',
  'older-data.file':
    'D’anciennes données sont revenues, dans lesquelles « {list} » suivait un fichier ou était copiée dans un fichier. Ici, ce n’était pas le cas, ou autrement : tout cela est suspendu, rien n’est lu ni écrit. Choisissez à nouveau le fichier auprès de la liste si vous le souhaitez.',
  'older-data.scripts':
    'La liste des accès créés en ligne de commande est plus ancienne qu’elle ne l’était, ou a disparu. Ceux qui ont été retirés le restent. Ceux qui ont été créés depuis n’ouvrent rien : recréez-les de la même façon.',
  'older-data.lists':
    'Des données plus anciennes sont revenues, et vos listes avec elles : ce qui a été saisi ou modifié depuis y manque. Parcourez vos listes. Si vous avez le dossier « store » plus récent des données de cet ordinateur, fermez Footbridge, remettez-le en entier, puis redémarrez. Ce que vos partenaires ont reçu de vous depuis, ils l’ont encore : demandez-leur ce qui vous manque.',
  'older-data.list-anew':
    'La liste de ce que vous aviez retiré, révoqué ou mis en pause manquait, était endommagée ou plus ancienne qu’elle ne devrait l’être. Elle a été recommencée. Si vous restaurez une sauvegarde d’avant maintenant, regardez ensuite ce que vous partagez.',
  'older-data.connection-ended':
    'Vous avez mis fin à cette connexion, ou le partenaire l’a fait ; d’anciennes données revenues ne la rouvrent pas. Reconnectez-vous avec une nouvelle invitation pour continuer.',
  'older-data.half-paired':
    'D’anciennes données sont revenues, d’avant l’établissement de cette connexion. Reconnectez-vous avec une nouvelle invitation.',

  'problem.tried-again': '{problem} Un nouvel essai aura lieu automatiquement.',
  'problem.unexpected':
    'Un incident s’est produit dans Footbridge lui-même. Un nouvel essai aura lieu automatiquement ; si cela continue, enregistrez un fichier d’assistance dans les paramètres et demandez de l’aide.',

  'sentence.ended': '{text}.',
  'sentence.joined': '{before}{between}{after}',
};
