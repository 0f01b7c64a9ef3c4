import type { Translated } from '../../catalogue.ts';
import type { computer as english } from '../../en/node/computer.ts';

/** About this computer: its address, its disk, its data folder, Footbridge itself. */
export const computer: Translated<typeof english> = {
  'reach.open': 'Los socios de la red pueden llegar a este ordenador.',
  'reach.only-here':
    'Solo este ordenador puede llegar a Footbridge. Permita en los ajustes que lleguen los socios de la red; sin ello también puede usar invitaciones.',
  'reach.unknown-name': 'El nombre {host} no se conoce en esta red. Corrija la dirección en los ajustes.',
  'reach.known-as': 'El nombre {host} lleva a {address}.',
  'reach.no-own-address':
    '{address} no puede ser una dirección de este ordenador. Corrija la dirección en los ajustes.',
  'reach.answers': '{host} responde.',
  'reach.something-else':
    'En {host} responde otra cosa (estado {status}). Compruebe la dirección y el puerto.',
  'reach.answers-encrypted': '{host} responde, y la conexión va cifrada.',
  'reach.bad-certificate':
    '{host} responde con un certificado que los socios no pueden comprobar. Pregunte a quien se ocupe de su red si allí responde otro programa, o hay uno en medio.',
  'reach.port-open': 'Su rúter deja entrar a los socios en {address}, puerto {port}.',
  'reach.carrier-nat':
    'Su proveedor de internet tiene un rúter propio delante del suyo, así que los socios no pueden llamar a este ordenador. Use un relé o pida que le inviten.',
  'reach.port-refused':
    'Su rúter se niega a abrir un puerto. Permita UPnP o PCP en sus ajustes o use un relé.',
  'reach.no-port':
    'Ningún rúter abre aquí un puerto cuando se le pide. Permita UPnP o PCP en sus ajustes o use un relé.',
  'reach.relay-open': 'Los socios pueden llegar a usted a través de {relay}.',
  'reach.relay-key':
    '{relay} no acepta la clave de la dirección que pegó. Pida la dirección a la persona que gestiona el relé y péguela de nuevo.',
  'reach.relay-copy':
    'Otro ordenador con una copia de esta oficina está conectado a {relay} en su lugar. Cierre Footbridge allí.',
  'reach.relay-other':
    'Otra cosa responde en lugar de {relay}. Si esta red le pide iniciar sesión, hágalo. Si no, pida la dirección a la persona que gestiona el relé.',
  'reach.relay-away':
    'Footbridge no está conectado a {relay} en este momento. Compruebe que está en línea y pregunte a la persona que gestiona el relé.',
  'reach.silent':
    '{host} no responde. Puede que un cortafuegos lo impida; permita en él Footbridge. Algunos rúters no dejan que un ordenador se llame a sí mismo desde fuera; en ese caso, pida a un socio que lo pruebe.',

  'disk.error':
    'El disco ha comunicado un error. Compruebe que esté conectado y en buen estado, y vuelva a intentarlo.',
  'disk.full-here':
    'El disco de este ordenador está lleno: no se puede guardar, recibir ni enviar nada hasta que haya espacio. Libere espacio.',
  'disk.not-writable-here':
    'No se puede escribir en la carpeta de datos de este ordenador: no se puede guardar, recibir ni enviar nada. Compruebe que usted pueda cambiar sus archivos y que ningún otro programa los retenga.',
  'disk.error-here':
    'El disco de este ordenador ha comunicado un error: no se puede guardar, recibir ni enviar nada. Compruebe que esté conectado y en buen estado.',
  'disk.no-room-for-file':
    'No hay espacio suficiente en el disco para este archivo. Libere espacio y vuelva a intentarlo.',
  'disk.full': 'El disco está lleno. Libere espacio; no se pierde nada de lo que estaba guardado.',
  'disk.not-writable':
    'No se puede escribir en la carpeta de datos. Compruebe que usted pueda cambiar sus archivos y que ningún otro programa los retenga.',
  'folder.foreign':
    '{folder} pertenece a otros programas, así que Footbridge no ha cambiado nada en ella. Elija una carpeta vacía o una nueva, por ejemplo {own}.',
  'disk.no-room-for-backup':
    'No hay espacio suficiente en el disco para la copia de seguridad diaria. Libere espacio.',

  'store.not-closed': 'Footbridge no se cerró bien la última vez.',
  'store.parts-made-anew': 'El índice de las partes de sus datos estaba dañado y se ha rehecho.',
  'store.restore-finished':
    'La reposición de una copia de seguridad se había interrumpido y se ha terminado en este inicio. Faltan los cambios hechos después de esa copia. Repase sus listas y vuelva a introducir lo que falte.',
  'store.data-vanished':
    'Los datos habían desaparecido y la copia de seguridad más reciente ha ocupado su lugar. Faltan los cambios hechos después de esa copia. Repase sus listas y vuelva a introducir lo que falte.',
  'store.previous-copy':
    'La copia anterior y el diario de todos los cambios posteriores han sustituido a un archivo dañado. No falta nada.',
  'store.cut-nothing-missing':
    'El ordenador o el programa se detuvo mientras se guardaba un cambio. Ese cambio no estaba completo y se ha descartado; todo lo guardado antes está ahí.',
  'store.backup-changes-missing':
    'La copia de seguridad más reciente ha sustituido a archivos dañados. Faltan los cambios hechos después de esa copia. Repase sus listas y vuelva a introducir lo que falte.',
  'store.cut':
    'El ordenador o el programa se detuvo mientras se guardaba un cambio. Ese cambio no estaba completo y se ha descartado. Repase sus listas, por si falta algo más.',
  'store.backup-nothing-missing':
    'La copia de seguridad más reciente ha sustituido a archivos dañados. Contiene todo lo que se había guardado.',
  'store.backup-missing':
    'La copia de seguridad más reciente ha sustituido a archivos dañados o más antiguos que lo guardado. Faltan los cambios más recientes, {n} en total. Repase sus listas y vuelva a introducir lo que falte.',
  'store.aside-nothing-missing': 'Se ha apartado un archivo dañado. Todo lo que se había guardado está ahí.',
  'store.aside-missing':
    'Había archivos dañados, o una copia más antigua había ocupado su lugar, y se han apartado. Faltan los cambios guardados más recientes, {n} en total. Repase sus listas y vuelva a introducir lo que falte.',
  'store.older-files':
    'Algunos archivos de la carpeta de datos son más antiguos que otros: parece que se ha repuesto una copia. Puede que falten cambios hechos entretanto. Repase sus listas y compruebe qué comparte con cada socio.',
  'store.progress-missing':
    'Falta o está dañado un archivo que dice hasta dónde llegaban sus datos. Los demás archivos se han tomado como están. Repase sus listas, por si alguna es más antigua de lo que debería.',
  'store.aside-cut':
    'Se ha apartado un archivo dañado. Se ha conservado lo que va antes del daño; puede que falten los últimos cambios. Repase sus listas y vuelva a introducir lo que falte.',
  'store.taken-over':
    'Se han tomado los datos de una versión más antigua de Footbridge. Los archivos antiguos se quedan de momento.',
  'list.unreadable':
    'El archivo de esta lista está dañado y sus filas no se pueden cargar. Abra la lista para recuperar lo que aún se puede leer. Las demás listas no están afectadas.',
  'list.salvaged-name': '{list} (recuperada)',
  'list.nothing-salvaged':
    'No se puede recuperar ninguna fila de los archivos de esta lista. Restaure una copia de seguridad.',
  'store.renamed':
    'El archivo más reciente con sus filas no está con su nombre, pero «{found}» está al lado y le pertenece: una unidad en la nube, o alguien, debe de haberle cambiado el nombre. No se puede leer nada de él hasta que recupere su nombre; todo lo demás sigue. Cierre Footbridge, abra la carpeta «store» de la carpeta de datos y cambie el nombre de «{found}» a «{name}»; si algo lleva ya ese nombre, muévalo antes a otro lugar. Para seguir sin él, mueva «{found}» a otro lugar. Después ábralo de nuevo.',
  'store.unreadable':
    'Su archivo está dañado o falta, y en esta carpeta de datos no hay ninguna copia de seguridad de él. Todas las demás listas funcionan. Si tiene una copia buena, cierre Footbridge, ponga la copia en su sitio o restaure una copia de seguridad, y vuelva a abrirlo. Si no, recupere las filas que aún se pueden leer.',
  'store.unreadable-of':
    'Su archivo, con {n} cambios guardados, está dañado o falta, y en esta carpeta de datos no hay ninguna copia de seguridad de él. Todas las demás listas funcionan. Si tiene una copia buena, cierre Footbridge, ponga la copia en su sitio o restaure una copia de seguridad, y vuelva a abrirlo. Si no, recupere las filas que aún se pueden leer.',
  'secrets.lost':
    'Lo necesario para hablar con este socio ya no se puede abrir: la clave de esta carpeta de datos falta, está dañada o es otra. Vuelva a conectarse: cree una invitación nueva para este socio o pídale una.',
  'secrets.lost-partner':
    'Ya no se puede llegar a {partner}: la clave necesaria falta, está dañada o es otra. Vuelva a conectarse; listas, columnas y filas quedan como están.',
  'store.stray':
    'La carpeta «{folder}» está entre los datos de esta oficina, aunque Footbridge no la creó; puede ser una copia que alguien hizo. No se ha tocado. Ponga esa carpeta en otro lugar.',
  'store.missing':
    'Faltan los datos de esta oficina: la carpeta «store» en {folder} no está o está vacía, aunque Footbridge se usó allí, y no hay ninguna copia de seguridad buena. Ponga esa carpeta en su sitio, o una copia de seguridad de otro lugar. Para empezar con una oficina vacía, elija otra carpeta de datos.',
  'store.list-recovered': {
    one: 'Se perdió cómo estaba hecha esta lista, pero su fila estaba ahí. Se ha creado de nuevo con ella. Repase sus columnas y cambie su nombre; no se comparte con nadie.',
    other:
      'Se perdió cómo estaba hecha esta lista, pero sus {n} filas estaban ahí. Se ha creado de nuevo con ellas. Repase sus columnas y cambie su nombre; no se comparte con nadie.',
  },
  'store.newer-version':
    'La carpeta de datos se escribió con una versión más reciente de Footbridge. Instale esa versión o una posterior.',
  'store.database-away':
    'Ahora mismo no se puede llegar a lo que esta oficina ha guardado. No se ha perdido nada; se vuelve a intentar hasta que se pueda. Si sigue así, pregunte a quien se ocupa de los equipos de esta oficina.',
  'store.left':
    'Esta oficina se ha trasladado a {to} y se usa allí. Ábrala allí; lo que hay aquí está como estaba cuando se fue.',
  'store.leaving':
    'Esta oficina está de camino a {to} y aún no está entera allí. Pida a la persona que la traslada que vuelva a llamar a «footbridge move»; hasta entonces nadie puede usarla.',
  'store.arriving':
    'Una oficina está de camino hacia aquí desde {from} y aún no está entera. Pida a la persona que la traslada que vuelva a llamar a «footbridge move»; hasta entonces nadie puede usarla.',

  'backup.too-large': 'Una copia de seguridad puede tener {most} MB como máximo. Elija otro archivo.',
  'backup.gone': 'Esta copia de seguridad ya se descargó o esperó demasiado. Guárdela otra vez.',
  'backup.not-whole': 'El archivo no ha llegado entero. Vuelva a intentarlo.',
  'backup.changed': 'El archivo de la copia de seguridad ha cambiado mientras se leía. Vuelva a intentarlo.',
  'backup.damaged': 'Este archivo de copia de seguridad está dañado o incompleto. Elija otro.',
  'backup.unusable':
    'Footbridge no puede trabajar con lo que hay en este archivo de copia de seguridad. Todo queda como estaba. Elija otro. (Motivo: {reason})',
  'backup.foreign': 'Este archivo no es una copia de seguridad de Footbridge. Elija otro.',

  'memory.full':
    'Las filas de todas las listas ocupan la memoria que Footbridge puede usar en este ordenador. Elimine las listas o filas que no necesite, o ponga en pausa al socio que envía tantas.',

  'node.closing': 'Footbridge se está cerrando. Ábralo de nuevo y vuelva a intentarlo.',
  'node.unexpected':
    'Algo ha fallado en Footbridge. Vuelva a intentarlo; si continúa, guarde un archivo de asistencia en los ajustes y pida ayuda.',

  'window.own-link': 'Abra la ventana con su propio enlace.',

  'request.another-list':
    'Se está leyendo otra lista y sus filas aún no están confirmadas. Vuelva a intentarlo en un minuto.',
  'request.stalled': 'El envío se ha detenido. Compruebe la conexión y envíe el archivo de nuevo.',
  'request.too-large': 'Es más de lo que Footbridge admite. Divídalo o acórtelo.',
};
