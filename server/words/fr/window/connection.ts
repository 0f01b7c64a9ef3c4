import type { Translated } from '../../catalogue.ts';
import type { connection as english } from '../../en/window/connection.ts';

/** How a partner is reached, whether both sides are equal, and the end of it. */
export const connection: Translated<typeof english> = {
  'connection.corteza': 'Pour leur administrateur',
  'connection.corteza-lifetime': 'Durée d’une connexion',
  'connection.corteza-lifetime-text':
    'Deux heures, sauf si l’on règle ceci dans Corteza avant de se reconnecter :',
  'connection.corteza-reach': 'Comment vous vous joignez',
  'connection.corteza-reach-text':
    'Corteza n’utilise pas de relais : il vous faut à tous deux une adresse publique ou un port redirigé par le routeur.',
  'connection.corteza-federation': 'Fédération',
  'connection.corteza-federation-text':
    'Elle doit y être activée. L’adresse du partenaire ci-dessus se termine par /federation.',
  'connection.corteza-kinds': 'Champs de type {types}',
  'connection.corteza-kinds-to':
    'Les personnes, les lignes liées et les fichiers partent sous forme de texte. Il leur faut là-bas des champs de texte : un champ de ces types rejette toute la ligne.',
  'connection.corteza-kinds-from':
    'De là-bas, {empty} arrivent vides. {named} montre le nom de la ligne dès que vous recevez aussi sa liste.',
  'connection.former-token':
    '{partner} demande encore avec son ancienne clé. Son administrateur peut supprimer notre ancienne entrée dans Corteza.',
  'connection.words': 'Mots de vérification',
  'connection.words-text':
    'Lisez-les-vous par téléphone. Si vous voyez tous deux les mêmes mots, vous êtes connectés l’un à l’autre et à personne d’autre.',
  'connection.words-differ': 'Ils sont différents',
  'connection.words-none': 'Ils apparaissent dès que les deux côtés sont connectés.',
  'connection.security': 'Sécurité',
  'connection.transport.pinned': 'Chiffrée ; cet ordinateur connaît le certificat propre au partenaire.',
  'connection.transport.https': 'Chiffrée, avec un certificat délivré par une autorité publique.',
  'connection.transport.http':
    'Non chiffrée. Toute personne sur le même réseau pourrait lire ce qui passe. C’est acceptable dans votre propre bureau, pas sur Internet.',
  'connection.transport.they-call':
    'Seul le partenaire appelle cet ordinateur : la connexion est chiffrée, sauf si vous avez autorisé d’autres appels dans les paramètres.',
  'connection.certificate': 'Empreinte du certificat',
  'connection.addresses': 'Adresses',
  'connection.their-address': 'Adresse du partenaire',
  'connection.our-addresses': 'Nos adresses',
  'connection.address-unknown': 'pas encore connue',
  'connection.reach.both': 'Chaque côté peut appeler l’autre.',
  'connection.reach.we-call-them':
    'Nous pouvons appeler le partenaire ; lui ne peut pas nous appeler. Cela suffit : nous venons chercher ce qui est nouveau, et il l’apprend quand il demande.',
  'connection.reach.they-call-us':
    'Le partenaire peut nous appeler ; nous ne pouvons pas l’appeler. D’ici là, nous ne pouvons rien recevoir de lui.',
  'connection.reach.was':
    'En ce moment, tout ne passe pas ; la raison est en haut de cette page. La dernière fois que cela passait : {known}',
  'connection.reach.ended': 'La connexion a pris fin : plus rien n’est échangé.',
  'connection.reach.unknown': 'Pas encore essayé.',
  'connection.route.none':
    'Pas pour l’instant. Si vous êtes tous deux en ligne, une adresse a peut-être changé : créez une nouvelle invitation pour ce partenaire, ou utilisez un relais.',
  'connection.route.lan': 'Directement sur votre réseau',
  'connection.route.direct': 'Directement',
  'connection.route.mapped': 'Directement, par son routeur',
  'connection.route.reverse': 'Par une connexion qu’il garde ouverte vers vous',
  'connection.route.relay': 'Par {relay}, plus lent',
  'connection.route': 'Connecté',
  'connection.speaks': 'Programme du partenaire',
  'connection.speaks-footbridge': 'Footbridge : les modifications arrivent en une seconde',
  'connection.speaks-corteza': 'Corteza : les deux côtés vérifient les changements de temps à autre',
  'connection.speaks-other': 'Un autre programme : nous cherchons les modifications de temps en temps',
  'connection.lasts': 'Durée',
  'connection.renews': 'Elle est valable jusqu’au {date} et se renouvelle à temps.',
  'connection.ends': 'Elle prend fin le {date} ({when}). Reconnectez-vous avant.',
  'connection.no-end': 'Elle n’a pas de date de fin.',
  'connection.since': 'Ajouté le',
  'connection.identical': 'Vérifier que les deux copies concordent',
  'connection.compare': 'Comparer « {list} »',
  'connection.comparing': 'Comparaison…',
  'connection.same': {
    one: 'Identique : {n} ligne, valeur par valeur.',
    other: 'Identique : {n} lignes, valeur par valeur.',
  },
  'connection.same-held': {
    one: '{n} ligne est arrivée telle que le partenaire l’a. Votre liste montre autre chose :',
    other: '{n} lignes sont arrivées telles que le partenaire les a. Votre liste montre autre chose :',
  },
  'connection.own-changed': {
    one: 'Vous avez modifié {n} de ces lignes ici. Vos valeurs restent, et le partenaire ne les voit pas.',
    other: 'Vous avez modifié {n} de ces lignes ici. Vos valeurs restent, et le partenaire ne les voit pas.',
  },
  'connection.own-removed': {
    one: 'Vous avez supprimé {n} de ces lignes ici. Vous pouvez la restaurer depuis la corbeille.',
    other: 'Vous avez supprimé {n} de ces lignes ici. Vous pouvez les restaurer depuis la corbeille.',
  },
  'connection.compared': 'Comparé {when}.',
  'connection.differ': {
    one: '{n} ligne diffère. Chez le partenaire : {theirs} ; chez vous : {ours}.',
    other: '{n} lignes diffèrent. Chez le partenaire : {theirs} ; chez vous : {ours}.',
  },
  'connection.missing-here': 'manque ici',
  'connection.missing-there': 'plus chez le partenaire',
  'connection.values': 'autres valeurs',
  'connection.more-differ': 'et d’autres',
  'connection.shown': 'montre ici d’autres valeurs, sans que personne l’ait modifiée',
  'connection.vanished': 'disparue ici, sans que personne l’ait supprimée',
  'connection.nameless': 'Une ligne sans nom',
  'connection.fetch-again': 'Récupérer ces lignes',
  'connection.details': 'Nom et contact',
  'connection.name': 'Nom que vous donnez à ce partenaire',
  'connection.colour': 'Couleur',
  'colour.plum': 'Prune',
  'colour.sky': 'Ciel',
  'colour.brick': 'Brique',
  'colour.pine': 'Pin',
  'colour.rose': 'Rose',
  'colour.indigo': 'Indigo',
  'colour.moss': 'Mousse',
  'colour.sun': 'Soleil',
  'connection.phone': 'Numéro de téléphone',
  'connection.phone-hint': 'Pour « Appeler ». Il reste sur cet ordinateur.',
  'connection.contact': 'Adresse e-mail',
  'connection.base-url': 'Adresse de Footbridge chez le partenaire',
  'connection.own-network': 'Ce partenaire est sur le réseau de notre bureau',
  'connection.own-network-hint': 'Autorise les adresses qui n’existent qu’à l’intérieur d’un bureau.',
  'connection.saved': 'Enregistré.',
  'software.title': 'Si le partenaire utilise un autre logiciel',
  'software.kind': 'Ce qui fonctionne à l’autre bout',
  'software.kind.unknown': 'Trouver automatiquement',
  'software.kind.shape1': 'Footbridge, ou un programme du même genre',
  'software.kind.shape2': 'Un autre programme du même genre, seconde forme',
  'software.kind.live': 'Corteza',
  'software.kind-hint': 'Ne modifiez cela que si la personne qui s’occupe de leur programme vous le demande.',
  'software.around': 'Récupérer leurs lignes autrement',
  'software.around-hint':
    'Pour les programmes qui ne donnent pas les lignes de la façon habituelle, comme Corteza depuis 2022.9. C’est plus lent : tout est parcouru à chaque fois.',
  'connection.again': 'Se reconnecter',
  'connection.again-text':
    'Une nouvelle invitation remplace l’ancienne connexion dès qu’elle est utilisée. Les listes, les associations et les lignes restent telles quelles.',
  'connection.again-corteza':
    'Une nouvelle invitation remplace l’ancienne connexion dès qu’elle est utilisée. Les listes, les associations et les lignes restent ici. Dans Corteza, c’est une nouvelle entrée : son administrateur doit y partager et y associer de nouveau chaque liste. D’ici là, aucune ligne n’arrive, ni d’un côté ni de l’autre.',
  'connection.disconnect': 'Mettre fin à la connexion',
  'connection.disconnect-text':
    'Met fin à la connexion immédiatement, de ce côté-ci et, si le partenaire est joignable, du sien.',
  'connection.disconnect-title': 'Mettre fin à la connexion avec {partner} ?',
  'connection.effect-shared': {
    one: 'Le partenaire ne reçoit plus rien de la liste que vous partagez ({n}). Lignes envoyées : {sent} ; celles qui sont arrivées restent chez lui.',
    other:
      'Le partenaire ne reçoit plus rien des {n} listes que vous partagez. Lignes envoyées : {sent} ; celles qui sont arrivées restent chez lui.',
  },
  'connection.effect-none': 'Vous ne partagez rien avec ce partenaire en ce moment.',
  'connection.effect-unreadable':
    'Ces listes ne peuvent pas être lues pour le moment : {lists}. Ce qui y est venu de ce partenaire sera gardé ou supprimé selon votre choix, au premier démarrage où elles pourront être lues.',
  'connection.keep-any': 'Garder ce qui est venu de ce partenaire',
  'connection.remove-any': 'Supprimer ce qui est venu de ce partenaire',
  'connection.keep': {
    one: 'Garder la ligne venue de ce partenaire ({n})',
    other: 'Garder les {n} lignes venues de ce partenaire',
  },
  'connection.remove': {
    one: 'Supprimer la ligne venue de ce partenaire ({n})',
    other: 'Supprimer les {n} lignes venues de ce partenaire',
  },
  'connection.remove-hint':
    'Elles sont supprimées définitivement, sans passer par la corbeille. Seule une sauvegarde antérieure les contient encore.',
  'connection.ask-removal': {
    one: 'Demander au partenaire de supprimer la ligne envoyée par nous au fil du temps ({n})',
    other: 'Demander au partenaire de supprimer les {n} lignes envoyées par nous au fil du temps',
  },
  'connection.ask-removal-hint': 'Le partenaire voit votre demande ; c’est à lui de décider s’il y répond.',
  'connection.disconnected': 'La connexion avec {partner} a pris fin.',
};
