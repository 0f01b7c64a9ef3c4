import type { Translated } from '../../catalogue.ts';
import type { conversions as english } from '../../en/node/conversions.ts';

/** What becomes of values between columns of different kinds. */
export const conversions: Translated<typeof english> = {
  'conversion.as-text': 'Se toma como texto.',
  'conversion.as-text-but-ids':
    'Se toma como texto; un simple número de 15 a 20 cifras se omite, porque representaría una de sus filas.',
  'conversion.impossible': 'Estos tipos no tienen nada en común. Elija otra columna.',
  'conversion.numbers':
    'Solo se toman textos que sean simples números, como 1234.50; las demás filas esperan.',
  'conversion.dates': 'Solo se toman textos como 2031-05-09 o 2031-05-09T14:30:00Z; las demás filas esperan.',
  'conversion.bools': 'Solo se toman yes, no, true, false, 1 y 0; las demás filas esperan.',
  'conversion.digits': 'Solo se toman 1 y 0; las demás filas esperan.',
  'conversion.emails': 'Solo se toman direcciones de correo; las demás filas esperan.',
  'conversion.urls': 'Solo se toman direcciones web; las demás filas esperan.',
  'conversion.places': 'Solo se toman textos como 46.05, 14.5; las demás filas esperan.',
  'conversion.choices':
    'Solo se toman valores que su columna tenga entre las opciones; las demás filas esperan.',
  'conversion.day-only': 'Se toma el día, y la hora que lo acompañe se deja; las filas sin día esperan.',
  'conversion.time-only': 'Solo se toman horas como 14:30; las demás filas esperan.',
  'conversion.bool-to-number': 'Sí se convierte en 1, no queda vacío.',
  'conversion.email-to-link': 'La dirección se convierte en un enlace que escribe un correo.',
  'conversion.link-to-email':
    'Solo se toman enlaces que escriban un correo, como dirección; las demás filas esperan.',
  'conversion.names-followed':
    'Los nombres se toman como texto; un simple número interno pasa a ser el nombre que esa fila tiene aquí, en cuanto haya llegado también, y hasta entonces se deja.',
  'conversion.names':
    'Los nombres se toman como texto; un simple número interno del programa del socio se deja.',
  'conversion.joined': 'Varios valores se reúnen en un solo texto, separados por comas.',
  'conversion.one-only': 'Las filas con más de un valor esperan, porque su columna solo admite uno.',
  'conversion.cannot-hold': 'no admite lo que viene de una columna del tipo {kind}',
  'conversion.too-many': 'admite un solo valor; valores recibidos: {values}',
  'conversion.problem': '«{column}» {problem}.',
  'row.names-unreadable':
    'Nombra una fila de una lista cuyo archivo está dañado. Mire en Inicio qué se puede hacer; la fila cambiará en cuanto esa lista se pueda leer de nuevo.',
  'conversion.required': '«{column}» es obligatoria y ha llegado vacía.',

  'kind.text': 'texto',
  'kind.number': 'número',
  'kind.date-time': 'fecha y hora',
  'kind.bool': 'sí o no',
  'kind.choice': 'opción',
  'kind.email': 'dirección de correo',
  'kind.url': 'dirección web',
  'kind.person': 'persona',
  'kind.row': 'fila de otra lista',
  'kind.file': 'archivo',
  'kind.place': 'lugar en el mapa',
};
