import type { Translated } from '../../catalogue.ts';
import type { connection as english } from '../../en/window/connection.ts';

/** How a partner is reached, whether both sides are equal, and the end of it. */
export const connection: Translated<typeof english> = {
  'connection.corteza': 'Para su administrador',
  'connection.corteza-lifetime': 'Duración de una conexión',
  'connection.corteza-lifetime-text': 'Dos horas, salvo que se ponga esto en Corteza y se vuelva a conectar:',
  'connection.corteza-reach': 'Cómo se alcanzan',
  'connection.corteza-reach-text':
    'Corteza no usa relés: los dos necesitan una dirección pública o un puerto que su rúter redirija.',
  'connection.corteza-federation': 'Federación',
  'connection.corteza-federation-text':
    'Tiene que estar activada allí. La dirección del socio de arriba termina en /federation.',
  'connection.corteza-kinds': 'Campos de tipo {types}',
  'connection.corteza-kinds-to':
    'Las personas, las filas vinculadas y los archivos salen como texto. Allí necesitan campos de texto: un campo de esos tipos rechaza la fila entera.',
  'connection.corteza-kinds-from':
    'Desde allí, {empty} llegan vacíos. {named} muestra el nombre de la fila en cuanto usted recibe también su lista.',
  'connection.former-token':
    '{partner} sigue preguntando también con su clave anterior. Su administrador puede eliminar nuestra entrada antigua en Corteza.',
  'connection.words': 'Palabras de verificación',
  'connection.words-text':
    'Léanselas por teléfono. Si los dos ven las mismas palabras, están conectados entre ustedes y con nadie más.',
  'connection.words-differ': 'Son distintas',
  'connection.words-none': 'Aparecen en cuanto los dos lados están conectados.',
  'connection.security': 'Seguridad',
  'connection.transport.pinned': 'Cifrada; este ordenador conoce el certificado propio del socio.',
  'connection.transport.https': 'Cifrada, con un certificado de una autoridad pública.',
  'connection.transport.http':
    'Sin cifrar. Cualquiera que esté en la misma red podría leer lo que pasa. Aceptable dentro de su propia oficina; no por Internet.',
  'connection.transport.they-call':
    'Solo el socio llama a este ordenador: la conexión va cifrada, salvo que usted haya permitido otras llamadas en los ajustes.',
  'connection.certificate': 'Huella del certificado',
  'connection.addresses': 'Direcciones',
  'connection.their-address': 'Dirección del socio',
  'connection.our-addresses': 'Nuestras direcciones',
  'connection.address-unknown': 'aún no se conoce',
  'connection.reach.both': 'Cada lado puede llamar al otro.',
  'connection.reach.we-call-them':
    'Nosotros podemos llamar al socio; él no puede llamarnos. Es suficiente: recogemos lo nuevo, y él se entera cuando pregunta.',
  'connection.reach.they-call-us':
    'El socio puede llamarnos; nosotros no podemos llamarle. Mientras sea así, no podemos recibir nada de él.',
  'connection.reach.was':
    'Ahora mismo no pasa todo; el motivo está al principio de esta página. La última vez que funcionó: {known}',
  'connection.reach.ended': 'La conexión ha terminado: ya no se intercambia nada.',
  'connection.reach.unknown': 'Aún no se ha probado.',
  'connection.route.none':
    'Ahora no. Si los dos están en línea, quizá haya cambiado una dirección: cree una nueva invitación para este socio o use un relé.',
  'connection.route.lan': 'Directamente en su red',
  'connection.route.direct': 'Directamente',
  'connection.route.mapped': 'Directamente, por su router',
  'connection.route.reverse': 'Por una conexión que mantienen abierta con usted',
  'connection.route.relay': 'A través de {relay}, más lento',
  'connection.route': 'Conectado',
  'connection.speaks': 'Programa del socio',
  'connection.speaks-footbridge': 'Footbridge: los cambios llegan en un segundo',
  'connection.speaks-corteza': 'Corteza: ambas partes buscan cambios de vez en cuando',
  'connection.speaks-other': 'Otro programa: buscamos cambios de vez en cuando',
  'connection.lasts': 'Duración',
  'connection.renews': 'Es válida hasta el {date} y se renueva a tiempo.',
  'connection.ends': 'Termina el {date} ({when}). Vuelva a conectarse antes.',
  'connection.no-end': 'No tiene fecha de fin.',
  'connection.since': 'Añadido el',
  'connection.identical': 'Comprobar que ambas copias coinciden',
  'connection.compare': 'Comparar «{list}»',
  'connection.comparing': 'Comparando…',
  'connection.same': {
    one: 'Igual: {n} fila, valor por valor.',
    other: 'Igual: {n} filas, valor por valor.',
  },
  'connection.same-held': {
    one: '{n} fila llegó tal como la tiene el socio. Su lista muestra otra cosa:',
    other: '{n} filas llegaron tal como las tiene el socio. Su lista muestra otra cosa:',
  },
  'connection.own-changed': {
    one: 'Usted ha cambiado aquí {n} de estas filas. Sus valores se quedan, y el socio no los ve.',
    other: 'Usted ha cambiado aquí {n} de estas filas. Sus valores se quedan, y el socio no los ve.',
  },
  'connection.own-removed': {
    one: 'Usted ha eliminado aquí {n} de estas filas. Puede restaurarla desde la papelera.',
    other: 'Usted ha eliminado aquí {n} de estas filas. Puede restaurarlas desde la papelera.',
  },
  'connection.compared': 'Comparado {when}.',
  'connection.differ': {
    one: '{n} fila es distinta. El socio tiene {theirs}; usted, {ours}.',
    other: '{n} filas son distintas. El socio tiene {theirs}; usted, {ours}.',
  },
  'connection.missing-here': 'falta aquí',
  'connection.missing-there': 'el socio ya no la tiene',
  'connection.values': 'otros valores',
  'connection.more-differ': 'y otras más',
  'connection.shown': 'muestra aquí otros valores, aunque nadie la ha cambiado',
  'connection.vanished': 'desaparecida aquí, aunque nadie la ha eliminado',
  'connection.nameless': 'Una fila sin nombre',
  'connection.fetch-again': 'Volver a recibir estas filas',
  'connection.details': 'Nombre y contacto',
  'connection.name': 'Cómo llama usted a este socio',
  'connection.colour': 'Color',
  'colour.plum': 'Ciruela',
  'colour.sky': 'Cielo',
  'colour.brick': 'Ladrillo',
  'colour.pine': 'Pino',
  'colour.rose': 'Rosa',
  'colour.indigo': 'Índigo',
  'colour.moss': 'Musgo',
  'colour.sun': 'Sol',
  'connection.phone': 'Número de teléfono',
  'connection.phone-hint': 'Para «Llamar». Se queda en este ordenador.',
  'connection.contact': 'Dirección de correo',
  'connection.base-url': 'Dirección de Footbridge del socio',
  'connection.own-network': 'Este socio está en la red de nuestra oficina',
  'connection.own-network-hint': 'Permite direcciones que solo existen dentro de una oficina.',
  'connection.saved': 'Guardado.',
  'software.title': 'Si el socio usa otro programa',
  'software.kind': 'Qué funciona en el otro lado',
  'software.kind.unknown': 'Averiguarlo automáticamente',
  'software.kind.shape1': 'Footbridge, o un programa de su tipo',
  'software.kind.shape2': 'Otro programa de su tipo, segunda forma',
  'software.kind.live': 'Corteza',
  'software.kind-hint': 'Cámbielo solo si se lo pide quien se ocupa de su programa.',
  'software.around': 'Recibir sus filas de otra manera',
  'software.around-hint':
    'Para programas que no entregan las filas de la forma habitual, como Corteza desde la versión 2022.9. Es más lento: cada vez se revisa todo.',
  'connection.again': 'Volver a conectarse',
  'connection.again-text':
    'Una invitación nueva sustituye a la conexión antigua en cuanto se usa. Las listas, las asignaciones y las filas se quedan como están.',
  'connection.again-corteza':
    'Una invitación nueva sustituye a la conexión antigua en cuanto se usa. Las listas, las asignaciones y las filas se quedan aquí. En Corteza es una entrada nueva: su administrador debe compartir y asignar otra vez cada lista. Hasta entonces no llegan filas a ningún lado.',
  'connection.disconnect': 'Desconectar',
  'connection.disconnect-text':
    'Termina la conexión de inmediato, en este lado y, si se puede llegar al socio, también en el suyo.',
  'connection.disconnect-title': '¿Desconectarse de {partner}?',
  'connection.effect-shared': {
    one: 'El socio ya no recibe nada de la {n} lista que usted comparte. Filas que han salido: {sent}; las que llegaron se quedan con él.',
    other:
      'El socio ya no recibe nada de las {n} listas que usted comparte. Filas que han salido: {sent}; las que llegaron se quedan con él.',
  },
  'connection.effect-none': 'Ahora no comparte nada con este socio.',
  'connection.effect-unreadable':
    'Estas listas no se pueden leer por ahora: {lists}. Lo que vino de este socio a ellas se conserva o se elimina según lo que elija aquí, en el primer inicio en que se puedan leer.',
  'connection.keep-any': 'Conservar lo que vino de este socio',
  'connection.remove-any': 'Eliminar lo que vino de este socio',
  'connection.keep': {
    one: 'Conservar la {n} fila que vino de este socio',
    other: 'Conservar las {n} filas que vinieron de este socio',
  },
  'connection.remove': {
    one: 'Eliminar la {n} fila que vino de este socio',
    other: 'Eliminar las {n} filas que vinieron de este socio',
  },
  'connection.remove-hint':
    'Se eliminan para siempre, sin pasar por la papelera. Solo las contiene una copia de seguridad anterior.',
  'connection.ask-removal': {
    one: 'Pedir al socio que elimine la {n} fila que le hemos enviado con el tiempo',
    other: 'Pedir al socio que elimine las {n} filas que le hemos enviado con el tiempo',
  },
  'connection.ask-removal-hint': 'El socio ve su petición; de él depende atenderla.',
  'connection.disconnected': 'La conexión con {partner} ha terminado.',
};
