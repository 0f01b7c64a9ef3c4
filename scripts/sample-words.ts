/** Word parts of the sample lists, by country. */
export interface Place {
  readonly country: string;
  /** Each city with its region. */
  readonly cities: readonly (readonly [city: string, region: string])[];
  readonly streets: readonly string[];
  readonly families: readonly string[];
  readonly firstNames: readonly string[];
  /** Names of shops, `*` being the family's; no two of one family and country are the same. */
  readonly shops: readonly string[];
  /** `#` is a digit, `@` a letter. */
  readonly postalCode: string;
  readonly phone: string;
  /** The number stands in front of the street rather than behind it. */
  readonly numberFirst?: boolean;
}

export const PLACES: readonly Place[] = [
  {
    country: 'Germany',
    cities: [
      ['Lüneburg', 'Niedersachsen'],
      ['Görlitz', 'Sachsen'],
      ['Emden', 'Niedersachsen'],
    ],
    streets: ['Lindenstraße', 'Am Kai', 'Salzgasse'],
    families: ['Brandt', 'Petersen', 'Lorenz', 'Hinrichs', 'Gruber'],
    firstNames: ['Ada', 'Jonas', 'Wiebke', 'Tilman'],
    shops: ['Feinkost *', 'Teekontor *', '* & Söhne, Papierwaren', 'Bäckerei * "Zum Anker"'],
    postalCode: '#####',
    phone: '+49 #### ######',
  },
  {
    country: 'France',
    cities: [
      ['Sète', 'Occitanie'],
      ['Annecy', 'Auvergne-Rhône-Alpes'],
      ['Vannes', 'Bretagne'],
    ],
    streets: ['rue des Écoles', 'quai Neuf', 'place du Marché'],
    families: ['Dufour', 'Fontaine', 'Marchal', 'Perrin'],
    firstNames: ['Chloé', 'Hélène', 'Luc', 'Bastien'],
    shops: ['Épicerie *', 'Fromagerie * et Fils', 'Librairie *'],
    postalCode: '#####',
    phone: '+33 # ## ## ## ##',
    numberFirst: true,
  },
  {
    country: 'Sweden',
    cities: [
      ['Växjö', 'Kronoberg'],
      ['Luleå', 'Norrbotten'],
    ],
    streets: ['Storgatan', 'Hamnvägen', 'Kyrkogatan'],
    families: ['Almén', 'Eklund', 'Sjöberg', 'Norling'],
    firstNames: ['Björn', 'Kajsa', 'Elin', 'Viktor'],
    shops: ['*s Tehandel', 'Bageri *', '* Kontor & Papper AB'],
    postalCode: '### ##',
    phone: '+46 ### ## ## ##',
  },
  {
    country: 'Spain',
    cities: [
      ['Málaga', 'Andalucía'],
      ['Cuenca', 'Castilla-La Mancha'],
    ],
    streets: ['calle del Río', 'plaza Mayor', 'paseo del Puerto'],
    families: ['Ibáñez', 'Salgado', 'Peña', 'Carrasco'],
    firstNames: ['Dario', 'Lucía', 'Nuria', 'Tomás'],
    shops: ['Quesos *', 'Panadería *', 'Aceites * e Hijos'],
    postalCode: '#####',
    phone: '+34 ### ### ###',
  },
  {
    country: 'Poland',
    cities: [
      ['Łódź', 'łódzkie'],
      ['Gdynia', 'pomorskie'],
    ],
    streets: ['ul. Portowa', 'ul. Długa', 'ul. Lipowa'],
    families: ['Nowicki', 'Zieliński', 'Wróbel', 'Jasiński'],
    firstNames: ['Łucja', 'Kaja', 'Marek', 'Piotr'],
    shops: ['Piekarnia *', 'Herbaciarnia *', 'Księgarnia *'],
    postalCode: '##-###',
    phone: '+48 ### ### ###',
  },
  {
    country: 'United Kingdom',
    cities: [
      ['Whitby', 'North Yorkshire'],
      ['Truro', 'Cornwall'],
    ],
    streets: ['Harbour Row', 'Mill Lane', 'Chapel Street'],
    families: ['Hurst', 'Pascoe', 'Thornley', 'Kemp', 'Ashby'],
    firstNames: ['Jon', 'Rosalind', 'Imogen', 'Callum'],
    shops: ['* & Daughters', '* Bakery', '*, Stationers', '* Glassworks Ltd'],
    postalCode: '@@## #@@',
    phone: '+44 #### ######',
    numberFirst: true,
  },
  {
    country: 'Portugal',
    cities: [
      ['Évora', 'Alentejo'],
      ['Faro', 'Algarve'],
    ],
    streets: ['rua da Praia', 'largo do Poço', 'travessa do Forno'],
    families: ['Costa', 'Rebelo', 'Almeida', 'Vidigal'],
    firstNames: ['Inês', 'Gonçalo', 'Marta', 'Rui'],
    shops: ['Mercearia *', 'Conservas *', 'Padaria *'],
    postalCode: '####-###',
    phone: '+351 ### ### ###',
  },
];

export const TITLES = ['Owner', 'Purchasing', 'Accounts', 'Sales', 'Office Manager'];

export const PRODUCTS: readonly (readonly [product: string, price: string])[] = [
  ['Black tea, loose', '14.50'],
  ['Honey 500 g', '6.80'],
  ['Rye crackers', '3.25'],
  ['Olive oil 1 l', '11.90'],
  ['Sea salt', '2.40'],
  ['Quince jam', '4.75'],
  ['Hazelnuts', '8.60'],
];
