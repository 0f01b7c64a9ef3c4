import type { Translated } from '../../catalogue.ts';
import type { partners as english } from '../../en/node/partners.ts';

/** About partners: pairing, invites, the connection, what is shared and matched, and what partners answer. */
export const partners: Translated<typeof english> = {
  'partner.ambiguous':
    'Dos socios tienen el número {number}. Use el número propio que usted tiene de uno de ellos.',
  'partner.unknown': 'No hay ningún socio con el número {number}. Búsquelo en Socios.',
  'partner.bad-address':
    '«{text}» no es la dirección de un socio. Escríbala como https://office.example/federation.',
  'partner.too-many': 'Ya hay {most} socios. Elimine primero uno.',
  'partner.not-removed': 'Este socio no se ha eliminado. Elimínelo primero.',

  'connection.ended-remove':
    'La conexión ha terminado. La otra oficina le pide que elimine las filas que vinieron de ella.',
  'connection.ended-by-them':
    'La otra oficina ha terminado esta conexión. Vuelva a conectarse con una invitación nueva para continuar.',
  'connection.another-key': 'Esta clave es de otro Footbridge. Compruebe la dirección.',
  'connection.token-not-valid': 'Esta clave no es válida aquí, o ya no lo es.',
  'connection.superseded':
    '{partner} se ha vuelto a conectar, por lo que esta clave anterior ya no vale. Elimine nuestra entrada antigua en Corteza.',
  'connection.no-key': 'No hay clave para este socio. Vuelva a conectarse.',
  'connection.time-up':
    'La conexión ha terminado: se acabó su plazo. Vuelva a conectarse con una invitación nueva.',
  'connection.they-ended':
    'El socio ha terminado la conexión. Vuelva a conectarse con una invitación nueva para continuar.',
  'connection.words-differ':
    'La otra oficina ha terminado esta conexión, porque las palabras de verificación no eran las mismas. Llame allí y vuelva a conectarse con una invitación nueva.',
  'connection.words-differed':
    'Las palabras de verificación no eran las mismas en los dos lados, así que esta conexión terminó de inmediato: puede que hubiera alguien en medio. Pida al socio una invitación por otro medio, o cree una nueva, y comparen de nuevo las palabras.',
  'connection.words-differed-there':
    'El socio ha comunicado que las palabras de verificación no eran las mismas en los dos lados y ha terminado la conexión: puede que hubiera alguien en medio. Llame allí, vuelva a conectarse con una invitación nueva y comparen de nuevo las palabras.',
  'connection.renewed-too-often':
    'La conexión se ha renovado demasiadas veces. Sigue como está; vuelva a pedirlo dentro de una hora.',
  'connection.they-paused':
    'La otra oficina ha puesto en pausa lo que comparte con usted. Espere a que lo reanude; la conexión se mantiene.',
  'connection.closed-here':
    'Este lado de la conexión está cerrado, porque el suyo ya no lo aceptaba. Vuelva a conectarse, o haga que se intente aquí de nuevo.',

  'pairing.ended': 'La conexión ha terminado. Vuelva a conectarse con una invitación nueva.',
  'pairing.same-installation':
    'Los dos ordenadores tienen la carpeta de datos de una misma oficina: uno se copió del otro. Inicie Footbridge con una carpeta de datos vacía en uno de ellos y conecte ese.',
  'pairing.not-shown':
    'El otro ordenador dice ser una oficina cuya clave no tiene, así que la conexión no se estableció. Pregunte allí por teléfono qué ordenador es y conéctese con una invitación nueva.',
  'pairing.renewed-meanwhile':
    'Footbridge se renovó mientras usted se conectaba. Vuelva a conectarse con una invitación nueva.',
  'pairing.address-changed':
    'Se aceptó para este socio una invitación que nunca se usó y que cambió su dirección. Por seguridad, la conexión ha terminado: vuelva a conectarse con una invitación nueva.',
  'pairing.state-pending': 'aún sin preguntar',
  'pairing.state-requested': 'a la espera del otro lado',
  'pairing.state-paired': 'ya conectado',
  'pairing.state-none': 'sin conectar',
  'pairing.out-of-order':
    'Este paso no procede ahora: el socio está {state}. Mire en la página del socio qué viene a continuación.',
  'pairing.busy': 'Se está preguntando al socio en este momento. Espere la respuesta.',
  'pairing.no-address':
    'El programa del socio no ha dicho su dirección. Escríbala como «Dirección del socio» en la pestaña «Conexión» y después acepte.',
  'pairing.no-invite': 'No hay ninguna invitación que usar. Pegue primero una del socio.',
  'pairing.waits-for-them':
    'Aceptado. Al ordenador del socio no se le puede llamar desde aquí; recogerá la respuesta automáticamente.',
  'pairing.other-words': 'Estas ya no son las palabras de esta conexión. Compare las que se muestran ahora.',
  'pairing.not-complete': 'La conexión aún no está completa. Espere a que los dos lados la acepten.',
  'pairing.not-waiting':
    'El socio ya no espera esta conexión: no la aceptó, o la aceptó y los datos de aquí volvieron a un estado anterior. Pídale una invitación nueva.',
  'pairing.not-approved': 'El socio no ha aceptado la petición. Si le sorprende, pregúntele.',

  'invite.own': 'Esta invitación es una de las suyas. Envíela a su socio; se pega en la otra oficina.',
  'invite.too-long': 'es demasiado larga',
  'invite.no-address': 'no es una dirección',
  'invite.wrong-scheme': 'debe empezar por https://, http:// o corteza://',
  'invite.no-number': 'falta su principio',
  'invite.bad-secret': 'su parte secreta debe tener 32 letras y cifras',
  'invite.no-end': 'falta su fin',
  'invite.not-whole':
    'Esta invitación no está entera: {reason}. Cópiela de nuevo, del primer carácter al último.',
  'invite.none':
    'Aquí no hay ninguna invitación. Una invitación es lo que el Footbridge de su socio muestra para copiar: pídasela.',
  'invite.other-link':
    'Esto es un enlace a {host}, no una invitación. Una invitación es lo que el Footbridge de su socio muestra para copiar: pídasela.',

  'address.none': '{text} no es una dirección. Compruebe cómo está escrita.',
  'address.information-service':
    '{address} es el servicio de información de una máquina, no un socio. Pídale su dirección correcta.',
  'address.private':
    '{address} está en una red privada. Si este socio está en su propia red, márquelo en su pestaña Conexión.',
  'address.this-computer': '{address} es este mismo ordenador, no un socio. Pídale su dirección correcta.',
  'address.not-a-partners':
    '{address} no es una dirección que pueda tener un socio. Pídale su dirección correcta.',
  'address.no-web-address': '{text} no es una dirección web. Compruebe cómo está escrita.',
  'address.wrong-scheme':
    'La dirección de un socio no empieza por {scheme}. Escríbala con https:// o http:// delante.',
  'address.credentials': 'La dirección de un socio no lleva nombre de usuario ni contraseña. Quítelos.',
  'address.fragment': '{text} tiene después de # una parte que no se puede usar. Quite esa parte.',

  'peer.not-reached':
    'No se ha podido llegar al socio. Vuelva a intentarlo más tarde, o pregúntele si su ordenador está encendido.',
  'peer.too-slow':
    'El socio ha tardado demasiado en responder. Pregúntele si su ordenador está ocupado o en reposo.',
  'peer.bad-status':
    'Ahora mismo no se puede llegar al socio: su dirección solo responde con el estado {status}. Pregúntele si su programa está en marcha.',
  'peer.something-else':
    'En el lugar del socio responde otra cosa: la página de acceso de una red, un filtro por el camino u otro aparato en su dirección. Abra cualquier página web para ver si su red pide que se identifique, y pida al socio su dirección correcta.',
  'peer.records-broken':
    'Según el programa del socio, esta lista no existe. Si lo dice de todas las listas, permita la otra forma en la pestaña «Conexión». Si no, pida que se comparta de nuevo.',
  'peer.no-federation':
    'El programa del socio responde, pero la federación no está en esta dirección: está desactivada o se ha trasladado. Pregunte al socio qué ha pasado y cuál es la nueva dirección.',
  'peer.list-deleted': 'Esta lista se eliminó allí. Pregunte al socio si fue a propósito.',
  'peer.another-program':
    'En la dirección del socio responde otro programa. Pregunte al socio si el suyo está en marcha allí y si la dirección sigue siendo correcta.',
  'peer.another-footbridge':
    'En la dirección del socio responde otro Footbridge: otro ordenador tiene ahora esa dirección, o el socio lo ha instalado todo de nuevo. Pida su dirección correcta, o vuelva a conectarse con una invitación nueva.',
  'peer.invite-unknown': 'El ordenador del socio no conoce esta invitación. Pídale una nueva.',
  'peer.invite-used': 'Esta invitación ya se ha usado. Pida al socio una nueva.',
  'peer.link-replaced':
    'Este enlace ya no es válido: cada vez que se abre su entrada en Corteza, recibe un enlace nuevo. Pida al administrador de allí el enlace actual, y que no vuelva a abrir la entrada.',
  'peer.entry-gone':
    'El Corteza de allí ya no tiene una entrada para su oficina. Pida al administrador que añada una y que envíe su enlace.',
  'peer.invite-expired': 'Esta invitación ha caducado: valía 24 horas. Pida al socio una nueva.',
  'peer.invite-withdrawn':
    'Esta invitación ya no cuenta: el socio ha creado una más reciente o la ha retirado. Pídale una nueva.',
  'peer.not-accepted':
    'El socio no nos acepta en este momento. Se volverá a intentar automáticamente; si continúa, vuelva a conectarse con una invitación nueva.',
  'peer.closed-its-side':
    'El socio ha cerrado su lado, porque el nuestro ya no lo aceptaba. Pídale que elija allí «Volver a intentarlo», o vuelva a conectarse con una invitación nueva.',
  'peer.paused':
    'El socio está en pausa: ahora mismo no se puede recibir nada de él. Se reanudará automáticamente cuando él lo haga.',
  'peer.no-longer-accepted':
    'La conexión ha terminado: el socio ya no nos acepta. Vuelva a conectarse con una invitación nueva.',
  'peer.disk-full':
    'El disco del ordenador del socio está lleno: no se puede recibir nada hasta que haya espacio. Pídale que libere espacio.',
  'peer.not-shown':
    'La otra oficina no pudo saber qué oficina es su ordenador: la invitación se cambió por el camino o a mano, hay alguien en medio, o a su carpeta de datos le falta la clave de su número. Vuelva a conectarse con una invitación nueva, tal como llega.',
  'peer.cannot-write':
    'El ordenador del socio no puede escribir en su carpeta de datos, así que no se puede recibir nada. Pídale que mire qué dice su Footbridge.',
  'peer.disk-error':
    'El disco del ordenador del socio ha comunicado un error, así que no se puede recibir nada. Pídale que mire qué dice su Footbridge.',
  'peer.refused': 'Su ordenador no lo ha aceptado. Pregúnteles qué significa: {answer}',
  'peer.cannot-be-right':
    'El socio ha enviado algo que no puede ser correcto. Avise a quien se ocupe de su programa: {reason}',
  'peer.starting': 'El programa del socio todavía está arrancando. Espere un momento.',
  'peer.asks-to-wait': 'El socio nos pide que esperemos. Espere un momento.',
  'peer.other-certificate':
    'El ordenador que responde no es el que indicaba la invitación. Puede que haya alguien en medio, o que el socio lo haya instalado todo de nuevo; pregúntele por teléfono y vuelva a conectarse después.',
  'peer.promised-encryption':
    'La invitación de este socio prometía una conexión cifrada. Escriba su dirección con https:// delante.',
  'peer.own-address':
    'Esta dirección es la de este ordenador, no la de un socio. Pídale su dirección correcta.',
  'peer.no-such-host':
    'La dirección del socio no existe, o este ordenador no está conectado a Internet. Compruebe su conexión y después pídale su dirección.',
  'peer.no-lookup':
    'No se encuentra la dirección del socio. Compruebe que este ordenador esté conectado a Internet.',
  'peer.nothing-listens':
    'El ordenador del socio está ahí, pero su programa no responde. Pídale que lo inicie.',
  'peer.cut': 'Se ha cortado la conexión con el socio. Compruebe que los dos tengan conexión.',
  'peer.silent': 'El ordenador del socio no responde. Pregúntele si está encendido.',
  'peer.no-way': 'No hay camino de aquí al ordenador del socio. Compruebe que los dos tengan conexión.',
  'peer.not-connected':
    'El socio no está conectado a este ordenador y usted no puede llamarlo. Compruebe que está en línea y pregúntele si Footbridge está abierto.',
  'peer.not-at-relay':
    'El socio no está en línea en este momento. Pregúntele si Footbridge está abierto y en línea.',
  'peer.relay-silent':
    'El ordenador que le une con el socio no responde. Compruebe que está en línea y pregunte a la persona que lo cuida.',
  'peer.relay-refuses':
    'El ordenador que le une con el socio rechaza la conexión. Pregunte a la persona que lo cuida.',
  'peer.offline': 'Este ordenador no tiene conexión. Compruebe su conexión a la red.',
  'peer.not-encrypted': 'La dirección del socio no va cifrada; pruebe con http:// en lugar de https://.',
  'peer.certificate-expired': 'La prueba de identidad del socio ha caducado. Pídale que la renueve.',
  'peer.certificate-self-signed':
    'Nadie responde de la prueba de identidad del socio. Pida una invitación nueva, que permite comprobarla.',
  'peer.certificate-unknown':
    'La prueba de identidad del socio viene de una fuente desconocida. Pida una invitación nueva, que permite comprobarla.',
  'peer.certificate-other-address':
    'La prueba de identidad del socio es para otra dirección. Pídale su dirección correcta.',
  'peer.unreachable': 'No se puede llegar al socio. Pregúntele si su ordenador está encendido.',

  'share.too-many-columns': 'Se pueden compartir {most} columnas como máximo. Elija menos.',
  'share.column-twice': 'La columna «{column}» aparece dos veces. Quite una de las dos.',
  'share.no-such-column': 'No hay ninguna columna «{column}» en la lista. Elija entre las que tiene.',
  'share.bad-title':
    '«{column}» no se puede mostrar con esa columna: la otra lista ya no la tiene, o no nombra nada. Elija otra.',
  'share.name-taken': 'Este socio ya ve una lista llamada «{list}». Dé a esta otro nombre.',
  'share.no-column': 'Elija al menos una columna. Para dejar de compartir, quite la lista.',
  'share.withdrawn': 'Esta lista ya no se comparte. Pídala si la necesita.',
  'share.twice': 'Este socio ya ve «{list}», como lista compartida {number}. Cambie esa.',
  'share.stays': 'Una lista compartida se queda con su lista. Comparta la otra como nueva.',
  'condition.no-such-test': '«{column}» no se puede comparar así. Elija otra comparación.',
  'condition.no-value':
    'A la condición le falta un valor para «{column}». Escriba uno, o elija «está vacío».',
  'share.unknown': 'Con este socio no se comparte ninguna lista con el número {number}. Mire qué comparte.',

  'ledger.full': 'Hoy se ha pedido tanto que ya no se puede anotar. Pida menos, o de nuevo mañana.',

  'offer.unknown': 'Este socio no ofrece ninguna lista con el número {number}. Mire qué ofrece.',
  'offer.gone': 'La oferta ya no existe. Pida que vuelva a compartir la lista.',

  'match.which-list':
    'Diga cuál de sus listas la recibe (composeModuleID), o cree una con el mismo nombre corto.',
  'match.mixed':
    'En su lista hay también filas de otra lista de este socio. Conserve las filas y elimine de su lista las que no necesite.',
  'match.none': 'Esta lista ofrecida no está asignada a esa lista. Asígnela primero.',
  'match.no-column': 'Asigne al menos una columna. Para dejar de recibir, quite la asignación.',
  'match.filled-twice': 'La columna «{column}» se rellenaría dos veces. Elija otra para una de las dos.',
  'match.column-gone': 'Su lista ya no tiene la columna «{column}».',
  'match.not-offered': 'El socio ya no ofrece la columna {column}.',
  'match.kind-changed': 'El socio ha cambiado la columna {column} de {before} a {after}.',
  'match.another-column':
    'El socio tiene ahora otra columna con el nombre {column}. Asígnela de nuevo si sus valores pueden venir aquí.',
  'match.number-of-values-changed': 'El socio ha cambiado cuántos valores admite la columna {column}.',

  'compare.only-footbridges': 'Solo dos Footbridge pueden comparar sus filas. Compare mirando las listas.',
  'brake.changed': {
    one: 'Lo que espera ha cambiado: ahora es {n} fila. Todavía no se ha eliminado nada. Mírela aquí y diga otra vez lo que quiere.',
    other:
      'Lo que espera ha cambiado: ahora son {n} filas. Todavía no se ha eliminado nada. Mírelas aquí y diga otra vez lo que quiere.',
  },
  'brake.columns':
    'Las columnas de esta lista, o su asignación, cambiaron después de que llegaran estas filas. No se ha cambiado nada. El socio las enviará otra vez; decida entonces.',
  'compare.not-matched': 'Esta lista no está asignada. Asígnela primero.',

  'pull.interrupted': 'Se ha interrumpido la recepción de filas. Vuelva a intentarlo.',
  'pull.not-connected': '{partner} no está conectado. Conéctese primero.',
  'pull.no-longer-accepted':
    'La conexión ha terminado: el socio ya no nos acepta. Vuelva a intentarlo, o conéctese de nuevo con una invitación nueva.',
  'pull.list-changed':
    'La lista se eliminó o se asignó de otra manera mientras llegaban sus filas. Mire qué recibe.',

  'received.wrong-part': 'Su parte «{part}» no es lo que debería ser.',
  'received.other-list': 'Dice que pertenece a otra lista.',
  'received.too-many-values': 'Tiene demasiados valores.',
  'received.long-name': 'El nombre de una columna es demasiado largo.',
  'received.long-value': 'El valor de «{column}» ocupa más de 1 MB.',
  'received.too-large': 'Todos sus valores juntos ocupan más de 4 MB.',

  'listen.taken':
    'Otro programa usa el puerto {port}. No se ha cambiado nada: se atiende a los socios como antes. Elija otro puerto en los ajustes.',
  'listen.forbidden':
    'Solo el sistema puede abrir el puerto {port}. No se ha cambiado nada: se atiende a los socios como antes. Elija en los ajustes un puerto superior a 1023.',
  'listen.failed':
    'Este equipo no pudo abrir el puerto {port}. No se ha cambiado nada: se atiende a los socios como antes. Inténtelo de nuevo en los ajustes o elija otro puerto.',
  'listen.nowhere':
    'No se pudo abrir el puerto {port}, y otro programa ocupó el anterior. Los socios no pueden conectar con esta oficina: elija otro puerto en los ajustes o reinicie Footbridge cuando esté libre.',
  'certificate.replaced':
    'El certificado por el que los socios conocen este ordenador estaba dañado y se ha creado uno nuevo. Hasta entonces los socios rechazan la conexión: vuelva a conectarse con cada uno de ellos, con una invitación nueva.',
};
