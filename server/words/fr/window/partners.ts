import type { Translated } from '../../catalogue.ts';
import type { partners as english } from '../../en/window/partners.ts';

/** The partners' list, and adding one. */
export const partners: Translated<typeof english> = {
  'partners.title': 'Partenaires',
  'partners.add': 'Connecter un bureau',
  'partners.empty-title': 'Aucun partenaire',
  'partners.empty-text':
    'Un partenaire est un autre bureau qui partage des listes avec vous, ou vous avec lui. L’ajouter prend environ deux minutes.',
  'partners.table': 'Les partenaires et leur état',
  'partners.column-name': 'Partenaire',
  'partners.column-state': 'État',
  'partners.column-share': 'Nous partageons',
  'partners.column-receive': 'Nous recevons',
  'partners.former': 'Anciens partenaires',
  'partners.former-hint': 'Ils ne voient plus rien. Ce qui est sorti vers eux reste connu.',
  'partners.former-until': 'jusqu’au {date}',
  'partners.former-left': 'Ce qui est sorti, en fichier',
  'partners.none': 'rien',

  'add.title': 'Connecter un bureau',
  'add.which': 'Comment voulez-vous vous connecter ?',
  'add.invite-title': 'J’invite',
  'add.name': 'Comment appelez-vous ce partenaire ?',
  'add.name-placeholder': 'Par exemple : Bureau de Lyon',
  'add.make': 'Créer l’invitation',
  'add.make-closed': 'Inviter seulement sur cet ordinateur',
  'add.invite': 'Invitation pour {partner}',
  'add.invite-ready':
    'Envoyez ceci à {partner}, par e-mail ou par messagerie. L’invitation se colle dans Footbridge, là-bas.',
  'add.invite-closed': 'Personne en dehors de cet ordinateur ne peut encore utiliser cette invitation.',
  'add.open-and-renew': 'Autoriser et créer une nouvelle invitation',
  'add.invite-renewed':
    'Les partenaires du réseau peuvent maintenant joindre cet ordinateur. Voici une nouvelle invitation ; la précédente ne sert plus.',
  'add.invite-reaches':
    'Les partenaires ailleurs peuvent maintenant joindre cet ordinateur. Voici une nouvelle invitation ; la précédente ne sert plus.',
  'add.invite-once':
    'Copiez-la maintenant : elle ne sera plus affichée. Elle sert une fois et expire {when}.',
  'add.qr': 'Code QR de cette invitation',
  'add.qr-text': 'Scannez pour envoyer l’invitation depuis votre téléphone.',
  'add.mail': 'Envoyer par e-mail',
  'add.save-file': 'Enregistrer en fichier',
  'add.waits': 'Dès qu’elle est utilisée par {partner}, votre accord est demandé ici.',
  'add.file-name': 'Invitation – {office}',
  'add.mail-subject': 'Connecter nos bureaux avec Footbridge',
  'add.mail-body':
    'Bonjour,\n\nveuillez ouvrir Footbridge, choisir « Connecter un bureau » et y coller cette invitation. Elle sert une seule fois, pendant 24 heures :\n\n{invite}\n\nCordialement,\n{office}',
  'add.closed-network':
    'Votre partenaire ne peut pas encore joindre cet ordinateur. Ceci l’ouvre sur votre réseau, aux partenaires seulement.',
  'add.open-and-make': 'Autoriser et créer l’invitation',

  'nearby.title': 'Chercher sur votre réseau',
  'nearby.text':
    'Trouver sur le même réseau les bureaux qui cherchent aussi des partenaires. Tout le monde y voit alors le nom de votre bureau tant que cette page est ouverte.',
  'nearby.on': 'Chercher des bureaux',
  'nearby.looking': 'Recherche… Demandez à l’autre bureau de chercher aussi.',
  'nearby.found': 'Ils se nomment ainsi eux-mêmes. Les cinq mots montrent qui ils sont.',
  'nearby.opens': 'Inviter un bureau rend cet ordinateur joignable sur le réseau.',
  'nearby.no-way': 'Cet ordinateur ne peut pas regarder sur son réseau. Faites une invitation et envoyez-la.',
  'nearby.invite': 'Inviter',
  'nearby.invite-name': 'Inviter {name}',
  'nearby.shown': 'On vous y voit sous le nom {office} tant que cette page est ouverte.',
  'nearby.off': 'Ne plus chercher',

  'add.paste-title': 'J’ai une invitation',
  'add.paste': 'Invitation',
  'add.paste-placeholder': 'Collez-la ici',
  'add.check': 'Vérifier l’invitation',
  'add.open-file': 'Ouvrir un fichier…',
  'add.file-wrong':
    'Ce fichier n’est pas une invitation. Demandez-en une à votre partenaire ou collez ce qu’il a envoyé.',
  'add.found': 'Selon cette invitation, elle vient de chez {partner}',
  'add.secure': 'La connexion est chiffrée.',
  'add.insecure': 'Non chiffrée : acceptable dans votre propre bureau, pas sur Internet.',
  'add.own-network': 'Cette adresse ne marche que dans le réseau d’un bureau. Y êtes-vous tous les deux ?',
  'add.only-nearby':
    'Cette invitation ne vaut que sur votre propre réseau. {partner} est ailleurs ? Footbridge peut demander à votre réseau de laisser entrer les partenaires ; tous les autres sont refusés.',
  'add.let-in': 'Oui, les laisser entrer',
  'add.stays-nearby':
    'Cette invitation ne vaut que sur votre propre réseau : il ne laisse entrer personne d’ailleurs. Demandez à {partner} de vous inviter. Si cela échoue aussi, montrez les paramètres réseau à la personne qui s’occupe de vos ordinateurs.',
  'add.only-nearby-settings': 'Ouvrir les paramètres réseau',
  'add.relay':
    'Vous vous connecterez par {relay}. Il voit qui se connecte et quand, jamais ce que vous partagez.',
  'add.keep-open': 'Garder une connexion ouverte, pour que ce que vous partagez arrive',
  'add.reply-invite': 'Ce partenaire est injoignable d’ici. Envoyez-lui plutôt votre invitation.',
  'add.known-name': '{partner} est déjà votre partenaire. Cette invitation met à jour la connexion.',
  'add.invite-them': 'L’inviter plutôt',
  'add.known': 'Vous avez déjà ce partenaire. Utiliser l’invitation renouvelle la connexion.',
  'add.known-open': 'Ouvrir ce partenaire',
  'add.call-them': 'Nom que vous donnez à ce partenaire',
  'add.connect': 'Se connecter',
  'add.connect-own': 'Oui, se connecter',
  'add.elsewhere': 'Non, ailleurs',
  'add.other-invite': 'Utiliser une autre invitation',
  'add.from-link':
    'Cette invitation est arrivée par un lien. Rien ne se passe tant que vous ne l’avez pas vérifiée, puis utilisée.',
};
