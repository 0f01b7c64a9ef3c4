import type { Translated } from '../../catalogue.ts';
import type { computer as english } from '../../en/node/computer.ts';

/** About this computer: its address, its disk, its data folder, Footbridge itself. */
export const computer: Translated<typeof english> = {
  'reach.open': 'Les partenaires du réseau peuvent joindre cet ordinateur.',
  'reach.only-here':
    'Seul cet ordinateur peut joindre Footbridge. Autorisez les partenaires du réseau dans les paramètres ; sans cela, vous pouvez tout de même utiliser des invitations.',
  'reach.unknown-name':
    'Le nom {host} n’est pas connu sur ce réseau. Corrigez l’adresse dans les paramètres.',
  'reach.known-as': 'Le nom {host} mène à {address}.',
  'reach.no-own-address':
    '{address} ne peut pas être une adresse de cet ordinateur. Corrigez l’adresse dans les paramètres.',
  'reach.answers': '{host} répond.',
  'reach.something-else': 'Autre chose répond à {host} (état {status}). Vérifiez l’adresse et le port.',
  'reach.answers-encrypted': '{host} répond, et la connexion est chiffrée.',
  'reach.bad-certificate':
    '{host} répond avec un certificat que les partenaires ne peuvent pas vérifier. Demandez à la personne qui s’occupe de votre réseau si un autre programme y répond, ou s’il s’en trouve un entre les deux.',
  'reach.port-open': 'Votre routeur laisse entrer vos partenaires à l’adresse {address}, port {port}.',
  'reach.carrier-nat':
    'Votre fournisseur d’accès a son propre routeur devant le vôtre : vos partenaires ne peuvent pas appeler cet ordinateur. Utilisez un relais, ou faites-vous inviter.',
  'reach.port-refused':
    'Votre routeur refuse d’ouvrir un port. Autorisez UPnP ou PCP dans ses réglages, ou utilisez un relais.',
  'reach.no-port':
    'Aucun routeur n’ouvre ici de port à la demande. Autorisez UPnP ou PCP dans ses réglages, ou utilisez un relais.',
  'reach.relay-open': 'Vos partenaires peuvent vous joindre par {relay}.',
  'reach.relay-key':
    '{relay} refuse la clé de l’adresse que vous avez collée. Demandez l’adresse à la personne qui gère le relais, puis collez-la de nouveau.',
  'reach.relay-copy':
    'Un autre ordinateur, avec une copie de ce bureau, est connecté à {relay} à votre place. Fermez-y Footbridge.',
  'reach.relay-other':
    'Autre chose répond à la place de {relay}. Si ce réseau vous demande de vous connecter, faites-le. Sinon, demandez l’adresse à la personne qui gère le relais.',
  'reach.relay-away':
    'Footbridge n’est pas connecté à {relay} pour le moment. Vérifiez que vous êtes en ligne, puis contactez la personne qui gère le relais.',
  'reach.silent':
    '{host} ne répond pas. Un pare-feu fait peut-être obstacle ; autorisez-y Footbridge. Certains routeurs empêchent un ordinateur de s’appeler lui-même de l’extérieur ; demandez alors à un partenaire d’essayer.',

  'disk.error': 'Le disque a signalé une erreur. Vérifiez qu’il est branché et en bon état, puis réessayez.',
  'disk.full-here':
    'Le disque de cet ordinateur est plein : rien ne peut être enregistré, reçu ni envoyé tant qu’il n’y a pas de place. Libérez de la place.',
  'disk.not-writable-here':
    'Impossible d’écrire dans le dossier de données de cet ordinateur : rien ne peut être enregistré, reçu ni envoyé. Vérifiez que vous pouvez modifier ses fichiers et qu’aucun autre programme ne les retient.',
  'disk.error-here':
    'Le disque de cet ordinateur a signalé une erreur : rien ne peut être enregistré, reçu ni envoyé. Vérifiez qu’il est branché et en bon état.',
  'disk.no-room-for-file':
    'Il n’y a pas assez de place sur le disque pour ce fichier. Libérez de la place, puis réessayez.',
  'disk.full': 'Le disque est plein. Libérez de la place ; rien de ce qui était enregistré n’est perdu.',
  'disk.not-writable':
    'Impossible d’écrire dans le dossier de données. Vérifiez que vous pouvez modifier ses fichiers et qu’aucun autre programme ne les retient.',
  'folder.foreign':
    '{folder} appartient à d’autres programmes, Footbridge n’y a donc rien modifié. Choisissez un dossier vide ou un nouveau dossier, par exemple {own}.',
  'disk.no-room-for-backup':
    'Il n’y a pas assez de place sur le disque pour la sauvegarde quotidienne. Libérez de la place.',

  'store.not-closed': 'Footbridge n’a pas été fermé correctement la dernière fois.',
  'store.parts-made-anew': 'L’index des parties de vos données était endommagé et a été refait.',
  'store.restore-finished':
    'La mise en place d’une sauvegarde avait été interrompue ; elle a été terminée à ce démarrage. Les modifications faites après cette sauvegarde manquent. Parcourez vos listes et saisissez à nouveau ce qui manque.',
  'store.data-vanished':
    'Les données avaient disparu ; la sauvegarde la plus récente a pris leur place. Les modifications faites après cette sauvegarde manquent. Parcourez vos listes et saisissez à nouveau ce qui manque.',
  'store.previous-copy':
    'La copie précédente et le relevé de toutes les modifications faites depuis ont remplacé un fichier endommagé. Rien ne manque.',
  'store.cut-nothing-missing':
    'L’ordinateur ou le programme s’est arrêté pendant l’enregistrement d’une modification. Celle-ci n’était pas complète et a été écartée ; tout ce qui avait été enregistré avant est là.',
  'store.backup-changes-missing':
    'La sauvegarde la plus récente a remplacé des fichiers endommagés. Les modifications faites après cette sauvegarde manquent. Parcourez vos listes et saisissez à nouveau ce qui manque.',
  'store.cut':
    'L’ordinateur ou le programme s’est arrêté pendant l’enregistrement d’une modification. Celle-ci n’était pas complète et a été écartée. Parcourez vos listes, au cas où il manquerait autre chose.',
  'store.backup-nothing-missing':
    'La sauvegarde la plus récente a remplacé des fichiers endommagés. Elle contient tout ce qui avait été enregistré.',
  'store.backup-missing':
    'La sauvegarde la plus récente a remplacé des fichiers endommagés ou plus anciens que ce qui avait été enregistré. Les modifications les plus récentes manquent, {n} en tout. Parcourez vos listes et saisissez à nouveau ce qui manque.',
  'store.aside-nothing-missing':
    'Un fichier endommagé a été mis de côté. Tout ce qui avait été enregistré est là.',
  'store.aside-missing':
    'Des fichiers étaient endommagés, ou une copie plus ancienne avait pris leur place ; ils ont été mis de côté. Les modifications enregistrées les plus récentes manquent, {n} en tout. Parcourez vos listes et saisissez à nouveau ce qui manque.',
  'store.older-files':
    'Certains fichiers du dossier de données sont plus anciens que d’autres : une copie a sans doute été remise en place. Des modifications faites entre-temps manquent peut-être. Parcourez vos listes et vérifiez ce que vous partagez avec chaque partenaire.',
  'store.progress-missing':
    'Un fichier qui indique jusqu’où allaient vos données manque ou est endommagé. Tous les autres fichiers ont été pris tels quels. Parcourez vos listes, au cas où certaines seraient plus anciennes qu’elles ne devraient.',
  'store.aside-cut':
    'Un fichier endommagé a été mis de côté. Ce qui précède la partie endommagée a été gardé ; les dernières modifications manquent peut-être. Parcourez vos listes et saisissez à nouveau ce qui manque.',
  'store.taken-over':
    'Les données d’une version plus ancienne de Footbridge ont été reprises. Les anciens fichiers restent pour le moment.',
  'list.unreadable':
    'Le fichier de cette liste est endommagé : ses lignes ne peuvent pas être chargées. Ouvrez la liste pour récupérer ce qui reste lisible. Les autres listes ne sont pas touchées.',
  'list.salvaged-name': '{list} (récupérée)',
  'list.nothing-salvaged':
    'Aucune ligne ne peut être récupérée dans les fichiers de cette liste. Restaurez plutôt une sauvegarde.',
  'store.renamed':
    'Le fichier le plus récent avec ses lignes n’est pas là sous son nom, mais « {found} » se trouve à côté et en fait partie : un lecteur en ligne, ou quelqu’un, a dû le renommer. Rien n’en peut être lu tant qu’il n’a pas retrouvé son nom ; tout le reste continue. Fermez Footbridge, ouvrez le dossier « store » du dossier de données et renommez « {found} » en « {name} » ; si quelque chose porte déjà ce nom, déplacez-le d’abord ailleurs. Pour continuer sans lui, déplacez « {found} » ailleurs. Puis redémarrez.',
  'store.unreadable':
    'Son fichier est endommagé ou manquant, et ce dossier de données n’en contient aucune sauvegarde. Toutes les autres listes fonctionnent. Si vous avez une bonne copie, fermez Footbridge, remettez la copie en place ou restaurez une sauvegarde, puis redémarrez. Sinon, récupérez les lignes encore lisibles.',
  'store.unreadable-of':
    'Son fichier, avec {n} modifications enregistrées, est endommagé ou manquant, et ce dossier de données n’en contient aucune sauvegarde. Toutes les autres listes fonctionnent. Si vous avez une bonne copie, fermez Footbridge, remettez la copie en place ou restaurez une sauvegarde, puis redémarrez. Sinon, récupérez les lignes encore lisibles.',
  'secrets.lost':
    'Ce qui sert à joindre ce partenaire ne peut plus être ouvert : la clé de ce dossier de données manque, est endommagée ou n’est plus la même. Reconnectez-vous : créez une nouvelle invitation pour ce partenaire ou demandez-lui-en une.',
  'secrets.lost-partner':
    '{partner} ne peut plus être joint : la clé nécessaire manque, est endommagée ou n’est plus la même. Reconnectez-vous ; listes, colonnes et lignes restent telles quelles.',
  'store.stray':
    'Le dossier « {folder} » se trouve parmi les données de ce bureau, bien que Footbridge ne l’ait pas créé ; c’est peut-être une copie que quelqu’un a faite. Il n’a pas été touché. Déplacez-le ailleurs.',
  'store.missing':
    'Les données de ce bureau manquent : le dossier « store » dans {folder} n’est plus là ou est vide, bien que Footbridge y ait servi, et il n’y en a aucune bonne sauvegarde. Remettez ce dossier, ou une sauvegarde d’ailleurs. Pour recommencer avec un bureau vide, choisissez un autre dossier de données.',
  'store.list-recovered': {
    one: 'La façon dont cette liste était faite a été perdue, mais sa ligne était là. Elle a été recréée avec elle. Regardez ses colonnes et donnez-lui son nom ; elle n’est partagée avec personne.',
    other:
      'La façon dont cette liste était faite a été perdue, mais ses {n} lignes étaient là. Elle a été recréée avec elles. Regardez ses colonnes et donnez-lui son nom ; elle n’est partagée avec personne.',
  },
  'store.newer-version':
    'Le dossier de données a été écrit par une version plus récente de Footbridge. Installez cette version ou une version ultérieure.',
  'store.database-away':
    'Ce que ce bureau a enregistré ne peut pas être atteint en ce moment. Rien n’est perdu ; de nouveaux essais ont lieu jusqu’à ce que cela réussisse. Si cela continue, demandez à la personne qui s’occupe des ordinateurs de ce bureau.',
  'store.left':
    'Ce bureau a déménagé vers {to} et y est utilisé. Ouvrez-le là-bas ; ce qui se trouve ici est resté comme au moment du départ.',
  'store.leaving':
    'Ce bureau est en route vers {to} et n’y est pas encore entier. Demandez à la personne qui le déménage de relancer « footbridge move » ; d’ici là, personne ne peut l’utiliser.',
  'store.arriving':
    'Un bureau est en route vers ici depuis {from} et n’est pas encore entier. Demandez à la personne qui le déménage de relancer « footbridge move » ; d’ici là, personne ne peut l’utiliser.',

  'backup.too-large': 'Une sauvegarde ne peut pas dépasser {most} Mo. Choisissez un autre fichier.',
  'backup.gone':
    'Cette sauvegarde a déjà été téléchargée ou a attendu trop longtemps. Enregistrez-la de nouveau.',
  'backup.not-whole': 'Le fichier n’est pas arrivé en entier. Réessayez.',
  'backup.changed': 'Le fichier de sauvegarde a changé pendant la lecture. Réessayez.',
  'backup.damaged': 'Ce fichier de sauvegarde est endommagé ou incomplet. Choisissez-en un autre.',
  'backup.unusable':
    'Footbridge ne peut pas travailler avec le contenu de ce fichier de sauvegarde. Tout reste comme avant. Choisissez-en un autre. (Raison : {reason})',
  'backup.foreign': 'Ce fichier n’est pas une sauvegarde de Footbridge. Choisissez-en un autre.',

  'memory.full':
    'Les lignes de toutes les listes occupent la mémoire que Footbridge peut utiliser sur cet ordinateur. Supprimez les listes ou les lignes dont vous n’avez pas besoin, ou mettez en pause le partenaire qui en envoie tant.',

  'node.closing': 'Footbridge est en train de se fermer. Redémarrez-le, puis réessayez.',
  'node.unexpected':
    'Un incident s’est produit dans Footbridge. Réessayez ; si cela continue, enregistrez un fichier d’assistance dans les paramètres et demandez de l’aide.',

  'window.own-link': 'Ouvrez la fenêtre par son propre lien.',

  'request.another-list':
    'Une autre liste est en cours de lecture et ses lignes ne sont pas encore confirmées. Réessayez dans une minute.',
  'request.stalled': 'L’envoi s’est interrompu. Vérifiez la connexion, puis renvoyez le fichier.',
  'request.too-large': 'C’est plus que Footbridge ne peut prendre. Divisez-le ou raccourcissez-le.',
};
