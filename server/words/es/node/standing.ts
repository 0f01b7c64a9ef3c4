import type { Translated } from '../../catalogue.ts';
import type { standing as english } from '../../en/node/standing.ts';

/** How things stand and what happened: states, the inbox, the history. */
export const standing: Translated<typeof english> = {
  'state.partner-went-back': {
    one: 'Los datos de {partner} han vuelto a un estado anterior: {n} fila que usted tiene falta allí o es más antigua. Mire y decida.',
    other:
      'Los datos de {partner} han vuelto a un estado anterior: {n} filas que usted tiene faltan allí o son más antiguas. Mire y decida.',
  },
  'state.we-went-back': {
    one: 'Sus datos han vuelto a un estado anterior: {partner} tiene todavía {n} fila que aquí falta o es más antigua. Pida que la guarden allí en un archivo antes de decidir, e impórtelo aquí.',
    other:
      'Sus datos han vuelto a un estado anterior: {partner} tiene todavía {n} filas que aquí faltan o son más antiguas. Pida que las guarden allí en un archivo antes de decidir, e impórtelo aquí.',
  },
  'state.held': {
    one: '{partner} ha retirado o vaciado {n} fila. Mire y decida.',
    other: '{partner} ha retirado o vaciado {n} filas. Mire y decida.',
  },
  'state.not-there': {
    one: '{n} fila que usted tiene ya no está en {partner}. Elimínela o consérvela.',
    other: '{n} filas que usted tiene ya no están en {partner}. Elimínelas o consérvelas.',
  },
  'state.could-not-apply': {
    one: '{n} fila de {partner} no se ha podido admitir. Mire cuál y por qué.',
    other: '{n} filas de {partner} no se han podido admitir. Mire cuáles y por qué.',
  },
  'state.kept': {
    one: 'Usted ha conservado {n} fila que {partner} retiró o vació, así que hay una diferencia entre los dos. Compare para tomar lo de allí después de todo, o diga en Inicio que se queda así.',
    other:
      'Usted ha conservado {n} filas que {partner} retiró o vació, así que hay una diferencia entre los dos. Compare para tomar lo de allí después de todo, o diga en Inicio que se queda así.',
  },
  'state.kept-apart': {
    one: 'Usted ha conservado {n} fila que {partner} retiró o vació, así que hay una diferencia entre los dos. Para volver a ser iguales, elimínela aquí o pida que la guarden allí de nuevo; o diga en Inicio que se queda así.',
    other:
      'Usted ha conservado {n} filas que {partner} retiró o vació, así que hay una diferencia entre los dos. Para volver a ser iguales, elimínelas aquí o pida que las guarden allí de nuevo; o diga en Inicio que se queda así.',
  },
  'state.kept-so': {
    one: 'Usted conserva {n} fila que {partner} eliminó o vació.',
    other: 'Usted conserva {n} filas que {partner} eliminó o vació.',
  },
  'state.differ': {
    one: '{n} fila es distinta de lo que tiene {partner}. Compare para recibirla de nuevo.',
    other: '{n} filas son distintas de lo que tiene {partner}. Compare para recibirlas de nuevo.',
  },
  'state.parked': {
    one: '{n} columna asignada ha cambiado. Asígnela de nuevo.',
    other: '{n} columnas asignadas han cambiado. Asígnelas de nuevo.',
  },
  'state.offers': {
    one: '{partner} ofrece {n} lista. Elija dónde ponerla.',
    other: '{partner} ofrece {n} listas. Elija dónde ponerlas.',
  },
  'state.do-not-arrive': {
    one: '{n} cambio no llega a {partner}, aunque allí se pide. Pregunte qué dice su Footbridge.',
    other: '{n} cambios no llegan a {partner}, aunque allí se piden. Pregunte qué dice su Footbridge.',
  },
  'state.not-taken-in': {
    one: '{n} cambio no llega a {partner}, aunque allí se pide. Pida que miren si su programa sigue admitiendo esta lista.',
    other:
      '{n} cambios no llegan a {partner}, aunque allí se piden. Pida que miren si su programa sigue admitiendo estas listas.',
  },
  'state.on-their-way': {
    one: '{n} cambio está en camino a {partner}.',
    other: '{n} cambios están en camino a {partner}.',
  },
  'state.wait-for-their-yes': {
    one: '{n} fila que usted ha retirado o vaciado espera el visto bueno de {partner}.',
    other: '{n} filas que usted ha retirado o vaciado esperan el visto bueno de {partner}.',
  },
  'state.stand-differently': {
    one: '{n} fila difiere en {partner}: allí conservaron su versión o no se pudo importar.',
    other: '{n} filas difieren en {partner}: allí conservaron su versión o no se pudieron importar.',
  },
  'state.parked-there': {
    one: '{n} columna que usted comparte ha cambiado y no llega a {partner}. Pida que la asignen allí de nuevo.',
    other:
      '{n} columnas que usted comparte han cambiado y no llegan a {partner}. Pida que las asignen allí de nuevo.',
  },
  'state.nothing-yet':
    '{partner} aún no ha compartido nada por la nueva conexión. Pida que vuelvan a exponer allí las listas.',
  'state.stopped-there':
    '{partner} ya no importa la lista «{list}». Pida que la asignen allí. Si ya está asignada, vuelva a compartirla.',
  'state.unsent': {
    one: '{partner} no recibe {n} columna que usted comparte. Vuelva a compartir la lista y pida después que la asignen allí.',
    other:
      '{partner} no recibe {n} columnas que usted comparte. Vuelva a compartir las listas y pida después que las asignen allí.',
  },
  'state.undecided': {
    one: '{partner} aún no ha elegido dónde poner {n} lista.',
    other: '{partner} aún no ha elegido dónde poner {n} listas.',
  },
  'state.not-imported': {
    one: '{partner} no importa {n} lista. Pida que la asignen allí. Si ya está asignada, vuelva a compartirla.',
    other:
      '{partner} no importa {n} listas. Pida que las asignen allí. Si ya están asignadas, vuelva a compartirlas.',
  },
  'state.changes-wait': {
    one: 'Última consulta de {partner}: {since}. {n} cambio espera a que lo recojan.',
    other: 'Última consulta de {partner}: {since}. {n} cambios esperan a que los recojan.',
  },
  'state.ends-in-minutes': {
    one: 'La conexión con {partner} termina en {n} minuto. Vuelva a conectarse para continuar después.',
    other: 'La conexión con {partner} termina en {n} minutos. Vuelva a conectarse para continuar después.',
  },
  'state.changed-here': {
    one: '{n} fila de {partner} conserva sus cambios.',
    other: '{n} filas de {partner} conservan sus cambios.',
  },
  'state.changed-there': {
    one: '{partner} mantiene su propia versión de {n} fila.',
    other: '{partner} mantiene su propia versión de {n} filas.',
  },
  'state.pairing-failed': 'La conexión no ha funcionado. Vuelva a intentarlo o cree una invitación nueva.',
  'state.not-connected-because': 'Sin conexión con {partner}: {problem}',
  'state.asks-then-words':
    '{partner} pide conectarse. Acepte si lo esperaba y compare después las palabras por teléfono.',
  'state.asks': '{partner} pide conectarse. Compruebe que lo esperaba y acepte después.',
  'state.ended':
    'La conexión con {partner} ha terminado. Vuelva a conectarse con una invitación nueva para continuar.',
  'state.folder-twice-here':
    'La carpeta de datos de esta oficina se usa en dos ordenadores, y cada uno recibe solo una parte de lo que envía {partner}. Cierre Footbridge en uno de ellos. Si hacen falta los dos, conecte ese de nuevo, con una carpeta de datos vacía.',
  'state.folder-twice-there':
    'Parece que {partner} usa una misma carpeta de datos en dos ordenadores, y cada uno recibe una parte de lo nuevo. Pida que cierren Footbridge en uno de los dos.',
  'state.withdrawn-one': '{partner} ya no comparte «{list}». Decida qué pasa con las filas que usted tiene.',
  'state.withdrawn':
    '{partner} ya no comparte {lists} de sus listas. Decida qué pasa con las filas que usted tiene.',
  'state.they-paused':
    '{partner} está en pausa, así que no se puede recibir nada de allí. Se reanudará automáticamente.',
  'state.not-answered-yet': '{partner} aún no ha respondido. Se volverá a intentar automáticamente.',
  'state.not-heard-since': 'Sin noticias de {partner} desde: {since}. Se volverá a intentar automáticamente.',
  'state.last-answered': 'Última respuesta de {partner}: {since}.',
  'state.stands-still':
    'No ha llegado nada de {partner} desde hace {seconds} segundos. Tras una espera, se volverá a intentar automáticamente.',
  'state.not-read-since':
    '{partner} pide filas pero no las lee desde: {since}. Pregunte allí si el ordenador está en reposo u ocupado.',
  'state.send-only':
    'Puede enviar a {partner}, pero no recibir: nadie puede llamar allí. Pida que mantengan abierta una conexión con usted, en Ajustes › Red.',
  'state.receive-only':
    'Puede recibir de {partner}, pero no enviar: desde allí no se puede llamar a este ordenador. Abra Ajustes › Red y active «Mantener una conexión abierta».',
  'state.syncing': 'Recibiendo cambios de {partner}.',
  'state.looking': 'Buscando a {partner}.',
  'state.waiting-to-be-asked': '{partner} aún no ha preguntado por lo nuevo.',
  'state.unsure':
    '{partner} no lee nada, porque han vuelto datos más antiguos: mire lo que comparte y deje luego que lea de nuevo.',
  'state.may-not-read': '{partner} no puede leer lo que usted comparte. {pause}',
  'state.yet-to-be-heard': 'Comprobando cuánto tiene {partner} de lo que usted comparte.',
  'state.waiting-to-confirm': 'A la espera de que {partner} acepte.',
  'state.not-connected-yet': 'Aún sin conexión con {partner}.',
  'state.waiting-for-use': '{partner} aún no ha usado la invitación.',
  'state.not-fetched': 'No se recibe nada de {partner}; lo que usted comparte se puede leer allí. {pause}',
  'state.paused': 'Usted lo ha puesto en pausa.',
  'state.paused-until': 'Usted lo ha puesto en pausa; se reanuda: {until}.',
  'state.never-asked': '{partner} no ha pedido nada desde que Footbridge se inició aquí.',
  'state.last-asked': 'Última consulta de {partner}: {since}.',
  'state.last-asked-has-all': 'Última consulta de {partner}: {since}. Tiene todo lo anterior.',
  'state.ends-in-hours':
    'La conexión con {partner} termina en {hours} horas. Vuelva a conectarse para continuar después.',
  'state.ends-in-days':
    'La conexión con {partner} termina en {days} días. Vuelva a conectarse para continuar después.',
  'state.all-both-ways': 'Todo ha llegado, y {partner} tiene todo lo que usted le comparte.',
  'state.all-arrived': 'Todo ha llegado.',
  'state.has-all': '{partner} tiene todo lo que usted le comparte.',
  'state.connected': 'Hay conexión con {partner}. Todavía no se comparte nada en ningún sentido.',
  'state.data-missing':
    'Quizá falten algunos de sus datos. Mire en el inicio lo que está pendiente de usted.',
  'state.no-partner': 'Todavía no hay socios.',
  'state.all-idle': 'Hay conexión. Todavía no se comparte nada en ningún sentido.',
  'state.all-up-to-date': 'Todos los socios están al día.',
  'state.of-partner': '{partner}: {reason}',

  'inbox.remove-rows': {
    one: '{partner} ha terminado la conexión y le pide que elimine la {n} fila que vino de allí.',
    other: '{partner} ha terminado la conexión y le pide que elimine las {n} filas que vinieron de allí.',
  },
  'inbox.doubles': {
    one: '{n} fila que envía {partner} ya estaba en «{list}», con los mismos valores en las columnas asignadas. Únalas: no se pierde ningún valor.',
    other:
      '{n} filas que envía {partner} ya estaban en «{list}», con los mismos valores en las columnas asignadas. Únalas: no se pierde ningún valor.',
  },
  'inbox.kept': {
    one: '{partner} retiró o vació {n} fila de «{list}», y usted la ha conservado. Tome lo de allí, o déjela así: entonces ya no se pregunta.',
    other:
      '{partner} retiró o vació {n} filas de «{list}», y usted las ha conservado. Tome lo de allí, o déjelas así: entonces ya no se pregunta.',
  },
  'inbox.did-not-fit': {
    one: '{n} fila de {partner} no encajaba en la lista «{list}». Se guarda con su motivo y se volverá a intentar automáticamente.',
    other:
      '{n} filas de {partner} no encajaban en la lista «{list}». Cada una se guarda con su motivo y se volverá a intentar automáticamente.',
  },
  'inbox.not-there': {
    one: '{n} fila de «{list}» ya no está en {partner}, sin que se haya comunicado que se eliminó. Aquí está como estaba. Elimínela o consérvela.',
    other:
      '{n} filas de «{list}» ya no están en {partner}, sin que se haya comunicado que se eliminaron. Aquí están como estaban. Elimínelas o consérvelas.',
  },
  'inbox.partner-went-back': {
    one: 'Los datos de {partner} han vuelto a un estado anterior: {n} fila que usted tiene en «{list}» falta allí o es más antigua. Aquí está como estaba. Consérvela, o acepte lo que tiene {partner}.',
    other:
      'Los datos de {partner} han vuelto a un estado anterior: {n} filas que usted tiene en «{list}» faltan allí o son más antiguas. Aquí están como estaban. Consérvelas, o acepte lo que tiene {partner}.',
  },
  'inbox.offer-columns': 'Sus columnas: {columns}.',
  'inbox.list-withdrawn':
    'Para esta lista ya no llega nada nuevo de {partner}. Conserve las filas como propias, o elija «Ver» para moverlas a la papelera.',
  'inbox.list-withdrawn-waiting': {
    one: 'Para esta lista ya no llega nada nuevo de {partner}. {n} fila que allí se retiró o vació antes espera todavía su decisión: mírela, o conserve todas las filas como propias.',
    other:
      'Para esta lista ya no llega nada nuevo de {partner}. {n} filas que allí se retiraron o vaciaron antes esperan todavía su decisión: mírelas, o conserve todas las filas como propias.',
  },
  'inbox.columns-parked':
    'Han cambiado columnas de «{list}», así que estas esperan que se las asigne de nuevo: {columns}. Las demás continúan.',
  'inbox.condition-broken':
    'Ya no se comparte ninguna fila de «{list}» con {partner}: las filas que se comparten dependen de columnas que ya no existen o que contienen otra cosa desde entonces: {columns}. Las que están allí se retiran; si son muchas, allí se pregunta primero. Elija de nuevo qué filas ve {partner}.',
  'inbox.columns-retyped':
    'Con el tipo de estas columnas ha cambiado lo que contienen: {columns}. Mire qué vería ahora {partner} de ellas y elíjalas de nuevo.',
  'inbox.would-empty':
    'Lo que envía {partner} vaciaría valores en {n} de {of} filas de «{list}». Estas filas están como estaban y esperan su visto bueno.',
  'inbox.would-empty-more':
    'Lo que envía {partner} vaciaría valores en {n} más de {of} filas de «{list}», después de {emptied} en las últimas 24 horas. Estas filas están como estaban y esperan su visto bueno.',
  'inbox.would-remove-more':
    'Lo que envía {partner} eliminaría {n} más de {of} filas de «{list}», después de {gone} que fueron a la papelera en las últimas 24 horas. Estas siguen ahí y esperan su visto bueno.',
  'inbox.would-remove':
    'Lo que envía {partner} eliminaría {n} de {of} filas de «{list}». Siguen ahí y esperan su visto bueno.',
  'inbox.would-empty-too': {
    one: '{n} fila más perdería valores y también espera su visto bueno.',
    other: '{n} filas más perderían valores y también esperan su visto bueno.',
  },
  'inbox.would-empty-too-more': {
    one: '{n} fila más perdería valores, después de {emptied} en las últimas 24 horas, y también espera su visto bueno.',
    other:
      '{n} filas más perderían valores, después de {emptied} en las últimas 24 horas, y también esperan su visto bueno.',
  },
  'inbox.ended-by-time':
    'La conexión con {partner} ha terminado: se acabó su plazo. Vuelva a conectarse con una invitación nueva.',
  'inbox.ends-in':
    'La conexión con {partner} termina en {span} y no puede renovarse sola. Pida una invitación nueva.',
  'inbox.used-invite': '{partner} ha usado su invitación.',
  'inbox.used-invite-nearby':
    '{partner} ha usado su invitación. Llama desde {address}, en la propia red de usted.',
  'inbox.used-invite-from': '{partner} ha usado su invitación. Llama desde {address}.',
  'inbox.same-office':
    '{partner} y {other} dicen ser el Footbridge de la misma oficina. Puede que uno se haga pasar por el otro, o que una oficina se haya conectado dos veces. Mientras los dos estén conectados, ninguno tiene la última palabra sobre las filas que también envía el otro. Llame a los dos a números que usted conozca y desconecte el que esté mal.',
  'inbox.not-encrypted': 'Sin cifrar: aceptable dentro de su propia oficina, no por Internet.',
  'inbox.file-empties': {
    one: 'En «{file}» {n} fila ha perdido valores. Mire, y diga si debe perderlos también aquí.',
    other: 'En «{file}» {n} filas han perdido valores. Mire, y diga si deben perderlos también aquí.',
  },
  'inbox.file-waits': {
    one: 'En «{file}» ya no está {n} fila. Mire, y diga si debe irse también aquí.',
    other: 'En «{file}» ya no están {n} filas. Mire, y diga si deben irse también aquí.',
  },
  'inbox.about-list': '«{list}»: {what}',
  'inbox.about-settings': 'Ajustes, socios y lo compartido: {what} Compruebe con cada socio qué comparte.',
  'inbox.import-cut':
    'Solo una parte de un archivo entró en «{list}», hasta la línea {line}: la importación se interrumpió. {next}',
  'inbox.import-cut-of':
    'Solo una parte del archivo {file} entró en «{list}», hasta la línea {line}: la importación se interrumpió. {next}',
  'inbox.import-cut-keyed': 'Impórtelo otra vez: ninguna fila viene dos veces.',
  'inbox.import-cut-unkeyed':
    'Lo que ya está vendría dos veces si lo importara todo de nuevo: quite antes esas líneas del archivo, salvo los nombres de las columnas.',
  'inbox.ledger-lost':
    'Falta una parte de la relación de lo que ha salido de este ordenador: sus archivos estaban dañados, o una copia más antigua había ocupado su lugar. Si tiene los archivos más recientes, cierre Footbridge y vuelva a ponerlos. Si no, no hay nada que hacer: sus listas y lo que comparte están como estaban.',
  'inbox.about-ledger': 'La relación de lo que ha salido de este ordenador: {what}',

  'history.connected-again': 'Conexión restablecida con {partner}.',
  'history.keeps-open':
    'Se mantiene abierta una conexión con {partner} para que reciba lo que usted comparte. Lo permitió un administrador de su oficina: {since}.',
  'history.uses-relay':
    'Usted llega a {partner} por el relé {relay}. Lo permitió un administrador de su oficina: {since}.',
  'history.port-open':
    '{partner} puede llamar a este ordenador por el puerto {port} de su rúter. Lo permitió un administrador de su oficina: {since}.',
  'history.held': 'Hay filas que se eliminarían o vaciarían y esperan su visto bueno. Decida en «Recibimos».',
  'history.kept': {
    one: 'Decidido aquí: {n} fila se queda como usted la tiene.',
    other: 'Decidido aquí: {n} filas se quedan como usted las tiene.',
  },
  'history.let-happen': {
    one: 'Decidido aquí: {n} fila pasa a ser lo que es allí.',
    other: 'Decidido aquí: {n} filas pasan a ser lo que son allí.',
  },
  'history.settled': {
    one: 'Decidido aquí: {n} fila conservada sigue siendo distinta de la de allí.',
    other: 'Decidido aquí: {n} filas conservadas siguen siendo distintas de las de allí.',
  },
  'history.new': 'nuevas: {count}',
  'history.changed': 'cambiadas: {count}',
  'history.removed': 'eliminadas: {count}',
  'history.failed': 'no admitidas: {count}',
  'history.cut': '{counts}; después se interrumpió',
  'history.offered': 'Ofrece la lista «{list}».',
  'history.offered-again': 'Vuelve a ofrecer la lista «{list}».',
  'history.list-changed': 'Ha cambiado la lista «{list}».',
  'history.withdrawn': 'Ya no comparte la lista «{list}».',

  'access.turned-away': {
    one: '{who} {tried}. No ha obtenido nada. Si no sabe quién es, pregunte a sus socios si han sido ellos.',
    other:
      '{who} {tried}, {n} veces. No ha obtenido nada. Si no sabe quién es, pregunte a sus socios si han sido ellos.',
  },
  'access.wrong-token': 'ha enviado una clave que no es válida aquí, o ya no lo es',
  'access.wrong-invite': 'ha probado una invitación que no existe',
  'access.old-invite': 'ha probado una invitación usada, retirada o caducada',
  'access.management': 'ha intentado cambiar a distancia los ajustes de este ordenador',
  'access.plain': 'ha intentado comunicarse sin cifrado',
  'access.flood': 'ha enviado más peticiones de las que se admiten',
  'access.token-over':
    'La clave de {partner} ha caducado según el reloj de este ordenador; por eso se ha rechazado a {partner}. Las claves se renuevan mucho antes, salvo que un ordenador pase meses apagado: si no, el reloj de aquí o el de allí va mal, o iba mal. Compruebe la fecha y la hora en los dos ordenadores; todo sigue solo en cuanto estén bien. Si ya lo están, vuelva a conectarse.',
  'access.from-many': 'Alguien, desde muchas direcciones,',
  'access.from-here': 'Un programa de este ordenador',
  'access.from': 'Un ordenador en la dirección {address}',
  'access.unlisted':
    'Esta carpeta de datos no sabe nada de este acceso, así que no se podría retirar: es de una versión más antigua, o la carpeta es una copia más antigua. Cree uno nuevo en la línea de órdenes.',

  'served.compared': {
    one: '{n} fila comparada por su huella',
    other: '{n} filas comparadas por sus huellas',
  },
  'served.sent': { one: '{n} fila enviada', other: '{n} filas enviadas' },

  'clocks.invite-not-counted':
    'El reloj del socio y el de este ordenador se diferencian en {span}, así que la invitación no vale allí. Ponga en hora el que esté mal y vuelva a intentarlo.',
  'clocks.answer-not-taken':
    'El reloj del socio y el de este ordenador se diferencian en {span}, así que allí no se acepta nuestra respuesta. Ponga en hora el que esté mal y vuelva a intentarlo.',
  'clocks.not-accepted':
    'El reloj del socio y el de este ordenador se diferencian en {span}, así que no nos acepta. Ponga en hora el que esté mal; se reanudará automáticamente.',
  'clocks.ours-differs':
    'El reloj de este ordenador se diferencia en {span} de los de todos sus socios: aquí marca {ours}; allí, {theirs}. Compruebe su fecha y su hora.',
  'clocks.differ':
    'Los dos relojes se diferencian en {span}: este ordenador marca {ours}; {partner}, {theirs}. Compruebe cuál está mal.',

  'span.minutes': { one: '{n} minuto', other: '{n} minutos' },
  'span.hours': '{n} horas',
  'span.days': '{n} días',

  'older-data.unshared':
    'Han vuelto datos antiguos en los que «{list}» aún se compartía con {partner}. Aquí no se compartía, y sigue sin compartirse. Compártala de nuevo si quiere.',
  'older-data.columns-hidden':
    'Han vuelto datos antiguos en los que {partner} veía más de «{list}». Lo que usted había quitado desde entonces sigue oculto. Repase lo que se comparte.',
  'older-data.disconnected':
    'Han vuelto datos antiguos en los que {partner} aún estaba conectado. La conexión sigue terminada. Vuelva a conectarse con una invitación nueva si quiere.',
  'older-data.removed':
    'Han vuelto datos antiguos con el socio {partner}, que se había eliminado. Sigue eliminado y no ve nada. Vuelva a conectarse con una invitación nueva si quiere recuperarlo.',
  'older-data.paused':
    'Han vuelto datos antiguos, de antes de que se pusiera en pausa a {partner}. Sigue en pausa. Elija «Reanudar» en este socio para continuar.',
  'older-data.signed-out':
    'Han vuelto datos antiguos. Las ventanas que aquí no tenían la sesión iniciada siguen sin ella. Lo que aquí estaba cerrado en los ajustes sigue cerrado. La dirección para los socios y el tiempo durante el que se guarda lo que salió son los que se habían puesto aquí. Repase sus ajustes.',
  'older-data.unsure':
    'Han vuelto datos más antiguos, y la lista de lo que usted había retirado no es tan reciente como era. Por eso {partner} puede ver más de lo que usted quiere, o puede que usted hubiera terminado esta conexión. No lee nada hasta que usted lo haya mirado: mire lo que comparte con {partner} y elija luego «Dejar que lea de nuevo».',
  'older-data.file':
    'Han vuelto datos antiguos en los que «{list}» seguía a un archivo o se copiaba en uno. Aquí no era así, o era de otra manera, por lo que queda en suspenso: no se lee ni se escribe nada. Elija de nuevo el archivo junto a la lista si quiere.',
  'older-data.scripts':
    'La lista de los accesos creados en la línea de órdenes es más antigua de lo que era, o falta. Los que se retiraron siguen retirados. Los que se crearon después no abren nada: vuelva a crearlos allí.',
  'older-data.lists':
    'Volvieron datos más antiguos, y con ellos sus listas: falta en ellas lo que se introdujo o cambió desde entonces. Revise sus listas. Si tiene la carpeta «store» más reciente de los datos de este ordenador, cierre Footbridge, póngala entera en su sitio y ábralo de nuevo. Lo que los socios recibieron de usted desde entonces, aún lo tienen: pídales lo que le falte.',
  'older-data.list-anew':
    'La lista de lo que usted había retirado, anulado o puesto en pausa faltaba, estaba dañada o era más antigua de lo que debía. Se ha empezado de nuevo. Si restaura una copia de seguridad anterior a este momento, mire después lo que comparte.',
  'older-data.connection-ended':
    'Usted terminó esta conexión, o lo hizo el socio; los datos antiguos que han vuelto no la abren de nuevo. Vuelva a conectarse con una invitación nueva para continuar.',
  'older-data.half-paired':
    'Han vuelto datos antiguos, de antes de que esta conexión estuviera completa. Vuelva a conectarse con una invitación nueva.',

  'problem.tried-again': '{problem} Se volverá a intentar automáticamente.',
  'problem.unexpected':
    'Algo ha fallado en el propio Footbridge. Se volverá a intentar automáticamente; si continúa, guarde un archivo de asistencia en los ajustes y pida ayuda.',

  'sentence.ended': '{text}.',
  'sentence.joined': '{before}{between}{after}',
};
