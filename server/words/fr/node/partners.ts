import type { Translated } from '../../catalogue.ts';
import type { partners as english } from '../../en/node/partners.ts';

/** About partners: pairing, invites, the connection, what is shared and matched, and what partners answer. */
export const partners: Translated<typeof english> = {
  'partner.ambiguous':
    'Deux partenaires ont le numéro {number}. Utilisez votre propre numéro pour l’un d’eux.',
  'partner.unknown': 'Il n’y a pas de partenaire numéro {number}. Cherchez-le sous Partenaires.',
  'partner.bad-address':
    '« {text} » n’est pas l’adresse d’un partenaire. Écrivez-la comme https://office.example/federation.',
  'partner.too-many': 'Il y a déjà {most} partenaires. Supprimez-en d’abord un.',
  'partner.not-removed': 'Ce partenaire n’a pas été supprimé. Supprimez-le d’abord.',

  'connection.ended-remove':
    'La connexion a pris fin. L’autre bureau vous demande de supprimer les lignes venues de lui.',
  'connection.ended-by-them':
    'L’autre bureau a mis fin à cette connexion. Reconnectez-vous avec une nouvelle invitation pour continuer.',
  'connection.another-key': 'Cette clé vient d’un autre Footbridge. Vérifiez l’adresse.',
  'connection.token-not-valid': 'Cette clé n’est pas valable ici, ou ne l’est plus.',
  'connection.superseded':
    'Une nouvelle connexion avec {partner} a remplacé cette ancienne clé. Supprimez notre ancienne entrée dans Corteza.',
  'connection.no-key': 'Il n’y a pas de clé pour ce partenaire. Reconnectez-vous.',
  'connection.time-up':
    'La connexion a pris fin : son délai est écoulé. Reconnectez-vous avec une nouvelle invitation.',
  'connection.they-ended':
    'Le partenaire a mis fin à la connexion. Reconnectez-vous avec une nouvelle invitation pour continuer.',
  'connection.words-differ':
    'L’autre bureau a mis fin à cette connexion, car les mots de vérification n’étaient pas les mêmes. Appelez-le, et reconnectez-vous avec une nouvelle invitation.',
  'connection.words-differed':
    'Les mots de vérification n’étaient pas les mêmes des deux côtés ; cette connexion a donc pris fin immédiatement : quelqu’un se trouvait peut-être entre les deux. Demandez au partenaire une invitation par un autre moyen, ou créez-en une nouvelle, et comparez à nouveau les mots.',
  'connection.words-differed-there':
    'Le partenaire a signalé que les mots de vérification n’étaient pas les mêmes des deux côtés et a mis fin à la connexion : quelqu’un se trouvait peut-être entre les deux. Appelez-le, reconnectez-vous avec une nouvelle invitation et comparez à nouveau les mots.',
  'connection.renewed-too-often':
    'La connexion a été renouvelée trop souvent. Elle continue telle quelle ; demandez à nouveau dans une heure.',
  'connection.they-paused':
    'L’autre bureau a mis en pause le partage avec vous. Attendez sa reprise ; la connexion demeure.',
  'connection.closed-here':
    'Ce côté de la connexion est fermé, car le vôtre ne l’acceptait plus. Reconnectez-vous, ou faites réessayer ici.',

  'pairing.ended': 'La connexion a pris fin. Reconnectez-vous avec une nouvelle invitation.',
  'pairing.same-installation':
    'Les deux ordinateurs ont le dossier de données d’un seul bureau : l’un a été copié depuis l’autre. Démarrez Footbridge avec un dossier de données vide sur l’un des deux, et connectez celui-là.',
  'pairing.not-shown':
    'L’autre ordinateur se donne pour un bureau dont il n’a pas la clé ; la connexion n’a donc pas été établie. Demandez là-bas par téléphone de quel ordinateur il s’agit, puis connectez-vous avec une nouvelle invitation.',
  'pairing.renewed-meanwhile':
    'Footbridge a été renouvelé pendant la connexion. Connectez-vous à nouveau avec une nouvelle invitation.',
  'pairing.address-changed':
    'Une invitation a été acceptée pour ce partenaire sans jamais être utilisée, et elle a changé son adresse. Par sécurité, la connexion a pris fin : reconnectez-vous avec une nouvelle invitation.',
  'pairing.state-pending': 'pas encore sollicité',
  'pairing.state-requested': 'en attente d’une réponse',
  'pairing.state-paired': 'déjà connecté',
  'pairing.state-none': 'non connecté',
  'pairing.out-of-order':
    'Cette étape ne convient pas maintenant : le partenaire est {state}. Regardez sur la page du partenaire ce qui vient ensuite.',
  'pairing.busy': 'Une demande au partenaire est en cours. Attendez la réponse.',
  'pairing.no-address':
    'Le programme du partenaire n’a pas donné son adresse. Saisissez-la comme « Adresse du partenaire » dans l’onglet « Connexion », puis acceptez.',
  'pairing.no-invite': 'Il n’y a pas d’invitation à utiliser. Collez d’abord celle du partenaire.',
  'pairing.waits-for-them':
    'Accepté. L’ordinateur du partenaire ne peut pas être appelé d’ici ; il viendra chercher la réponse automatiquement.',
  'pairing.other-words':
    'Ce ne sont plus les mots de cette connexion. Comparez ceux qui sont affichés maintenant.',
  'pairing.not-complete': 'La connexion n’est pas encore établie. Attendez l’accord des deux côtés.',
  'pairing.not-waiting':
    'Le partenaire n’attend plus cette connexion : il ne l’a pas acceptée, ou il l’a acceptée et les données d’ici sont revenues à un état antérieur. Demandez-lui une nouvelle invitation.',
  'pairing.not-approved':
    'Le partenaire n’a pas accepté la demande. Si cela vous surprend, demandez-lui pourquoi.',

  'invite.own':
    'Cette invitation est l’une des vôtres. Envoyez-la à votre partenaire ; elle se colle dans l’autre bureau.',
  'invite.too-long': 'elle est trop longue',
  'invite.no-address': 'ce n’est pas une adresse',
  'invite.wrong-scheme': 'elle doit commencer par https://, http:// ou corteza://',
  'invite.no-number': 'son début manque',
  'invite.bad-secret': 'sa partie secrète doit compter 32 lettres et chiffres',
  'invite.no-end': 'sa fin manque',
  'invite.not-whole':
    'Cette invitation n’est pas entière : {reason}. Copiez-la à nouveau, du premier au dernier caractère.',
  'invite.none':
    'Il n’y a pas d’invitation là-dedans. Une invitation est ce que le Footbridge de votre partenaire montre à copier : demandez-la-lui.',
  'invite.other-link':
    'C’est un lien vers {host}, et non une invitation. Une invitation est ce que le Footbridge de votre partenaire montre à copier : demandez-la-lui.',

  'address.none': '{text} n’est pas une adresse. Vérifiez comment elle s’écrit.',
  'address.information-service':
    '{address} est le service d’information d’une machine, pas un partenaire. Demandez-lui sa bonne adresse.',
  'address.private':
    '{address} est sur un réseau privé. Si ce partenaire est sur votre propre réseau, cochez-le dans son onglet Connexion.',
  'address.this-computer':
    '{address} est cet ordinateur lui-même, pas un partenaire. Demandez-lui sa bonne adresse.',
  'address.not-a-partners':
    '{address} n’est pas une adresse qu’un partenaire peut avoir. Demandez-lui sa bonne adresse.',
  'address.no-web-address': '{text} n’est pas une adresse web. Vérifiez comment elle s’écrit.',
  'address.wrong-scheme':
    'L’adresse d’un partenaire ne commence pas par {scheme}. Écrivez-la avec https:// ou http:// devant.',
  'address.credentials':
    'L’adresse d’un partenaire ne contient ni nom d’utilisateur ni mot de passe. Retirez-les.',
  'address.fragment':
    '{text} contient après # une partie qui ne peut pas être utilisée. Retirez cette partie.',

  'peer.not-reached':
    'Le partenaire n’a pas pu être joint. Réessayez plus tard, ou demandez-lui si son ordinateur est allumé.',
  'peer.too-slow':
    'Le partenaire a mis trop de temps à répondre. Demandez-lui si son ordinateur est occupé ou en veille.',
  'peer.bad-status':
    'Le partenaire n’est pas joignable en ce moment : son adresse ne répond que par l’état {status}. Demandez-lui si son programme fonctionne.',
  'peer.something-else':
    'Autre chose répond à la place du partenaire : la page d’accès d’un réseau, un filtre en chemin ou un autre appareil à son adresse. Ouvrez n’importe quelle page web pour voir si votre réseau demande une identification, et demandez au partenaire sa bonne adresse.',
  'peer.records-broken':
    'D’après le programme du partenaire, cette liste n’existe pas. S’il le dit pour chaque liste, autorisez l’autre voie dans l’onglet « Connexion ». Sinon, demandez-lui de la partager de nouveau.',
  'peer.no-federation':
    'Le programme du partenaire répond, mais la fédération n’est pas à cette adresse : elle est désactivée ou a été déplacée. Demandez au partenaire ce qu’il en est, et la nouvelle adresse.',
  'peer.list-deleted': 'Cette liste a été supprimée là-bas. Demandez au partenaire si c’était voulu.',
  'peer.another-program':
    'Un autre programme répond à l’adresse du partenaire. Demandez au partenaire si le sien y fonctionne, et si l’adresse est toujours bonne.',
  'peer.another-footbridge':
    'Un autre Footbridge répond à l’adresse du partenaire : un autre ordinateur a maintenant cette adresse, ou le partenaire a tout réinstallé. Demandez sa bonne adresse, ou reconnectez-vous avec une nouvelle invitation.',
  'peer.invite-unknown':
    'L’ordinateur du partenaire ne connaît pas cette invitation. Demandez-en une nouvelle.',
  'peer.invite-used': 'Cette invitation a déjà été utilisée. Demandez-en une nouvelle au partenaire.',
  'peer.link-replaced':
    'Ce lien n’est plus valable : chaque fois que votre entrée est ouverte dans Corteza, elle reçoit un nouveau lien. Demandez le lien actuel à l’administrateur là-bas, et de ne plus ouvrir l’entrée.',
  'peer.entry-gone':
    'Leur Corteza n’a plus d’entrée pour votre bureau. Demandez à l’administrateur là-bas d’en ajouter une et d’envoyer son lien.',
  'peer.invite-expired':
    'Cette invitation a expiré : elle valait 24 heures. Demandez-en une nouvelle au partenaire.',
  'peer.invite-withdrawn':
    'Cette invitation ne compte plus : le partenaire en a créé une plus récente ou l’a retirée. Demandez-en une nouvelle.',
  'peer.not-accepted':
    'Le partenaire ne nous accepte pas en ce moment. Un nouvel essai aura lieu automatiquement ; si cela continue, reconnectez-vous avec une nouvelle invitation.',
  'peer.closed-its-side':
    'Le partenaire a fermé son côté, car le nôtre ne l’acceptait plus. Demandez-lui de choisir « Réessayer » chez lui, ou reconnectez-vous avec une nouvelle invitation.',
  'peer.paused':
    'Le partenaire a mis en pause : rien ne peut venir de lui en ce moment. Tout reprendra automatiquement avec lui.',
  'peer.no-longer-accepted':
    'La connexion a pris fin : le partenaire ne nous accepte plus. Reconnectez-vous avec une nouvelle invitation.',
  'peer.disk-full':
    'Le disque de l’ordinateur du partenaire est plein : rien ne peut venir de lui tant qu’il n’y a pas de place. Demandez-lui de libérer de la place.',
  'peer.not-shown':
    'L’autre bureau n’a pas pu établir quel bureau est votre ordinateur : l’invitation a été modifiée en route ou à la main, quelqu’un se trouve entre vous, ou la clé de son numéro manque dans votre dossier de données. Réessayez avec une nouvelle invitation, telle qu’elle arrive.',
  'peer.cannot-write':
    'L’ordinateur du partenaire ne peut pas écrire dans son dossier de données ; rien ne peut donc venir de lui. Demandez-lui de regarder ce que dit Footbridge chez lui.',
  'peer.disk-error':
    'Le disque de l’ordinateur du partenaire a signalé une erreur ; rien ne peut donc venir de lui. Demandez-lui de regarder ce que dit Footbridge chez lui.',
  'peer.refused': 'Leur ordinateur ne l’a pas accepté. Demandez-leur ce que cela veut dire : {answer}',
  'peer.cannot-be-right':
    'Le partenaire a envoyé quelque chose qui ne peut pas être juste. Prévenez la personne qui s’occupe de son programme : {reason}',
  'peer.starting': 'Le programme du partenaire est encore en train de démarrer. Attendez un instant.',
  'peer.asks-to-wait': 'Le partenaire nous demande de patienter. Attendez un instant.',
  'peer.other-certificate':
    'L’ordinateur qui répond n’est pas celui qu’indiquait l’invitation. Quelqu’un se trouve peut-être entre les deux, ou le partenaire a tout réinstallé ; demandez-lui par téléphone, puis reconnectez-vous.',
  'peer.promised-encryption':
    'L’invitation de ce partenaire promettait une connexion chiffrée. Écrivez son adresse avec https:// devant.',
  'peer.own-address':
    'Cette adresse est celle de cet ordinateur, pas celle d’un partenaire. Demandez-lui sa bonne adresse.',
  'peer.no-such-host':
    'L’adresse du partenaire n’existe pas, ou cet ordinateur n’est pas connecté à Internet. Vérifiez votre connexion, puis demandez-lui son adresse.',
  'peer.no-lookup':
    'L’adresse du partenaire est introuvable. Vérifiez que cet ordinateur est connecté à Internet.',
  'peer.nothing-listens':
    'L’ordinateur du partenaire est là, mais son programme ne répond pas. Demandez-lui de le démarrer.',
  'peer.cut': 'La connexion avec le partenaire a été coupée. Vérifiez que vous êtes tous deux en ligne.',
  'peer.silent': 'L’ordinateur du partenaire ne répond pas. Demandez-lui s’il est allumé.',
  'peer.no-way':
    'Aucun chemin ne mène d’ici à l’ordinateur du partenaire. Vérifiez que vous êtes tous deux en ligne.',
  'peer.not-connected':
    'Le partenaire n’est pas connecté à cet ordinateur, et vous ne pouvez pas l’appeler. Vérifiez que vous êtes en ligne, puis demandez-lui si Footbridge est lancé.',
  'peer.not-at-relay':
    'Le partenaire n’est pas en ligne en ce moment. Demandez-lui si Footbridge est lancé et en ligne.',
  'peer.relay-silent':
    'L’ordinateur qui vous relie au partenaire ne répond pas. Vérifiez que vous êtes en ligne, puis contactez la personne qui s’en occupe.',
  'peer.relay-refuses':
    'L’ordinateur qui vous relie au partenaire refuse la connexion. Contactez la personne qui s’en occupe.',
  'peer.offline': 'Cet ordinateur n’est pas en ligne. Vérifiez sa connexion au réseau.',
  'peer.not-encrypted': 'L’adresse du partenaire n’est pas chiffrée ; essayez http:// au lieu de https://.',
  'peer.certificate-expired': 'La preuve d’identité du partenaire a expiré. Demandez-lui de la renouveler.',
  'peer.certificate-self-signed':
    'Personne ne garantit la preuve d’identité du partenaire. Demandez une nouvelle invitation, qui permet de la vérifier.',
  'peer.certificate-unknown':
    'La preuve d’identité du partenaire vient d’une source inconnue. Demandez une nouvelle invitation, qui permet de la vérifier.',
  'peer.certificate-other-address':
    'La preuve d’identité du partenaire vaut pour une autre adresse. Demandez-lui sa bonne adresse.',
  'peer.unreachable': 'Le partenaire est injoignable. Demandez-lui si son ordinateur est allumé.',

  'share.too-many-columns': 'Le nombre de colonnes partagées est limité à {most}. Choisissez-en moins.',
  'share.column-twice': 'La colonne « {column} » est indiquée deux fois. Retirez l’une des deux.',
  'share.no-such-column':
    'Il n’y a pas de colonne « {column} » dans la liste. Choisissez parmi celles qu’elle contient.',
  'share.bad-title':
    '« {column} » ne peut pas être représentée par cette colonne : l’autre liste ne l’a plus, ou elle ne nomme rien. Choisissez-en une autre.',
  'share.name-taken': 'Ce partenaire voit déjà une liste nommée « {list} ». Donnez un autre nom à celle-ci.',
  'share.no-column': 'Choisissez au moins une colonne. Pour ne plus partager, retirez la liste.',
  'share.withdrawn': 'Cette liste n’est plus partagée. Demandez-la si vous en avez besoin.',
  'share.twice': 'Ce partenaire voit déjà « {list} », comme liste partagée {number}. Modifiez celle-là.',
  'share.stays': 'Une liste partagée reste liée à sa liste. Partagez l’autre comme une nouvelle.',
  'condition.no-such-test': '« {column} » ne peut pas être comparé ainsi. Choisissez une autre comparaison.',
  'condition.no-value':
    'Il manque une valeur pour « {column} » dans la condition. Écrivez-en une, ou choisissez « est vide ».',
  'share.unknown':
    'Aucune liste numéro {number} n’est partagée avec ce partenaire. Regardez ce que vous partagez.',

  'ledger.full':
    'Il y a eu tant de demandes aujourd’hui qu’elles ne peuvent plus être notées. Demandez moins, ou à nouveau demain.',

  'offer.unknown': 'Ce partenaire ne propose pas de liste numéro {number}. Regardez ce qu’il propose.',
  'offer.gone': 'La proposition n’existe plus. Demandez de partager à nouveau la liste.',

  'match.which-list':
    'Indiquez laquelle de vos listes la reçoit (composeModuleID), ou créez-en une avec le même nom court.',
  'match.mixed':
    'Votre liste contient aussi des lignes d’une autre liste de ce partenaire. Gardez les lignes, puis supprimez dans votre liste celles dont vous n’avez pas besoin.',
  'match.none': 'Cette liste proposée n’est pas associée à cette liste-là. Associez-la d’abord.',
  'match.no-column': 'Associez au moins une colonne. Pour ne plus recevoir, retirez l’association.',
  'match.filled-twice':
    'La colonne « {column} » serait remplie deux fois. Choisissez-en une autre pour l’une des deux.',
  'match.column-gone': 'Votre liste n’a plus la colonne « {column} ».',
  'match.not-offered': 'Le partenaire ne propose plus la colonne {column}.',
  'match.kind-changed':
    'Le partenaire a changé le type de la colonne {column} : {before} est devenu {after}.',
  'match.another-column':
    'Le partenaire a maintenant une autre colonne sous le nom {column}. Associez-la à nouveau si ses valeurs peuvent venir ici.',
  'match.number-of-values-changed':
    'Le partenaire a changé le nombre de valeurs que prend la colonne {column}.',

  'compare.only-footbridges':
    'Seuls deux Footbridge peuvent comparer leurs lignes. Comparez en regardant les listes.',
  'brake.changed': {
    one: 'Ce qui attend a changé : c’est maintenant {n} ligne. Rien n’a encore été supprimé. Regardez-la ici et dites encore une fois ce que vous voulez.',
    other:
      'Ce qui attend a changé : ce sont maintenant {n} lignes. Rien n’a encore été supprimé. Regardez-les ici et dites encore une fois ce que vous voulez.',
  },
  'brake.columns':
    'Les colonnes de cette liste, ou leur association, ont changé après l’arrivée de ces lignes. Rien n’a été modifié. Le partenaire les enverra à nouveau ; décidez à ce moment-là.',
  'compare.not-matched': 'Cette liste n’est pas associée. Associez-la d’abord.',

  'pull.interrupted': 'La récupération des lignes a été interrompue. Réessayez.',
  'pull.not-connected': '{partner} n’est pas connecté. Connectez-vous d’abord.',
  'pull.no-longer-accepted':
    'La connexion a pris fin : le partenaire ne nous accepte plus. Réessayez, ou reconnectez-vous avec une nouvelle invitation.',
  'pull.list-changed':
    'La liste a été supprimée ou associée autrement pendant l’arrivée de ses lignes. Regardez ce que vous recevez.',

  'received.wrong-part': 'Sa partie « {part} » n’est pas ce qu’elle devrait être.',
  'received.other-list': 'Elle indique qu’elle appartient à une autre liste.',
  'received.too-many-values': 'Elle a trop de valeurs.',
  'received.long-name': 'Le nom d’une colonne est trop long.',
  'received.long-value': 'La valeur de « {column} » dépasse 1 Mo.',
  'received.too-large': 'Toutes ses valeurs ensemble dépassent 4 Mo.',

  'listen.taken':
    'Le port {port} est utilisé par un autre programme. Rien n’a changé : les partenaires sont servis comme avant. Choisissez un autre port dans les réglages.',
  'listen.forbidden':
    'Seul le système peut ouvrir le port {port}. Rien n’a changé : les partenaires sont servis comme avant. Choisissez dans les réglages un port supérieur à 1023.',
  'listen.failed':
    'Cet ordinateur n’a pas pu ouvrir le port {port}. Rien n’a changé : les partenaires sont servis comme avant. Réessayez dans les réglages, ou choisissez un autre port.',
  'listen.nowhere':
    'Le port {port} n’a pas pu être ouvert, et un autre programme a pris le précédent. Les partenaires ne peuvent pas joindre ce bureau : choisissez un autre port dans les réglages, ou redémarrez Footbridge dès qu’il est libre.',
  'certificate.replaced':
    'Le certificat par lequel les partenaires reconnaissent cet ordinateur était endommagé, et un nouveau a été créé. D’ici là, les partenaires refusent la connexion : reconnectez-vous à chacun d’eux, avec une nouvelle invitation.',
};
