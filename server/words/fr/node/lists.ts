import type { Translated } from '../../catalogue.ts';
import type { lists as english } from '../../en/node/lists.ts';

/** About lists, their columns, rows and values, and about files that are imported and exported. */
export const lists: Translated<typeof english> = {
  'list.unknown-number': 'Il n’y a pas de liste numéro {number}. Choisissez une autre liste.',
  'list.other-workspace': 'La liste n’appartient pas à cet espace de travail. Choisissez-en un autre.',
  'list.no-columns': 'Une liste a besoin d’au moins une colonne. Ajoutez-en une.',
  'list.too-many-columns': 'Une liste prend {most} colonnes au plus. Supprimez-en quelques-unes.',
  'list.unknown-column': 'Cette liste n’a plus de colonne numéro {number}. Ouvrez la liste à nouveau.',
  'list.column-twice': 'Deux colonnes portent le nom « {column} ». Renommez l’une d’elles.',
  'list.gone': 'Cette liste n’est plus ici. Cherchez-la sous Listes.',
  'list.not-in-bin':
    'Cette liste n’est plus dans la corbeille. Regardez parmi vos listes : elle a peut-être été restaurée.',
  'list.column-not-in-bin':
    'Cette colonne n’est plus dans la corbeille. Regardez la liste : elle a peut-être été restaurée.',
  'bin.admin':
    'Seul un administrateur peut supprimer définitivement. Adressez-vous à lui ou laissez l’élément dans la corbeille.',
  'undo.none': 'Il n’y a rien à annuler ici. Continuez votre travail.',
  'undo.matching-gone':
    'Aucune des colonnes associées n’existe encore. Restaurez l’une d’elles, ou associez de nouveau la liste.',
  'undo.too-large': {
    one: 'Cette étape a écrit {n} ligne et est trop grande pour être annulée. Restaurez une sauvegarde si vous avez besoin de l’état précédent.',
    other:
      'Cette étape a écrit {n} lignes et est trop grande pour être annulée. Restaurez une sauvegarde si vous avez besoin de l’état précédent.',
  },
  'list.too-many': 'Le nombre de listes est limité à {most}. Supprimez-en d’abord une.',
  'list.name-taken': 'Il y a déjà une liste « {list} » dans cet espace de travail. Choisissez un autre nom.',
  'list.bad-handle':
    '« {name} » ne peut pas être un nom court : utilisez de 2 à {most} lettres, chiffres, _, - ou ., en commençant par une lettre.',
  'list.bad-column-name':
    '« {name} » ne peut pas être le nom d’une colonne : utilisez de 2 à {most} lettres, chiffres, _ ou -, en commençant par une lettre.',
  'list.bad-title': 'Le nom d’une liste a de 1 à {most} caractères. Choisissez un autre nom.',
  'list.bad-column-title': 'Le nom d’une colonne a de 1 à {most} caractères. Choisissez un autre nom.',
  'list.value-in-column': '« {value} » dans {column} {problem}',
  'list.value-in-the-way': 'La colonne ne peut pas être modifiée : {value}. Modifiez d’abord cette valeur.',
  'list.values-in-the-way':
    'La colonne ne peut pas être modifiée : {value}, et {more} de plus ne conviennent pas non plus. Modifiez d’abord ces valeurs.',
  'list.several-values': 'représente plusieurs valeurs',

  'workspace.bad-title': 'Le nom d’un espace de travail a de 1 à {most} caractères. Choisissez un autre nom.',
  'workspace.too-many': 'Le nombre d’espaces de travail est limité à {most}. Supprimez-en d’abord un.',
  'workspace.name-taken': 'Il y a déjà un espace de travail « {name} ». Choisissez un autre nom.',
  'workspace.unknown': 'Cet espace de travail n’existe pas. Choisissez-en un autre.',
  'workspace.not-empty': 'Il reste des listes dans cet espace de travail ({lists}). Supprimez-les d’abord.',

  'row.values-gone':
    'Les valeurs de cette ligne n’existent plus ; elle ne peut pas revenir. Ajoutez-la comme nouvelle ligne.',
  'row.unknown': 'Il n’y a plus de ligne {number} dans cette liste. Ouvrez la liste à nouveau.',
  'row.in-bin': 'Cette ligne est dans la corbeille. Restaurez-la avant de la modifier.',

  'data.stale': 'Cet élément a été modifié entre-temps. Rechargez-le, puis refaites votre modification.',

  'search.too-much-work':
    'Cette recherche parcourt trop de texte. Utilisez moins de mots, ou des mots plus courts.',

  'value.no-such-column': 'il n’y a pas de colonne « {column} » dans cette liste ; ouvrez la liste à nouveau',
  'value.required': '{column} ne doit pas être vide ; remplissez ce champ',
  'value.and-more': '{problems}. Et {more} de plus.',
  'value.of-column': '{column} : « {value} » {problem}',
  'value.only-one': '{column} prend une seule valeur, et non {values} ; supprimez les autres',
  'value.no-email': 'n’est pas une adresse e-mail ; écrivez-la comme nom@example.org',
  'value.no-web-address': 'n’est pas une adresse web ; écrivez-la comme https://example.org',
  'value.bad-scheme':
    'commence par {scheme}, ce qui n’est pas permis dans une adresse web ; écrivez-la comme https://example.org',
  'value.no-bool': 'n’est ni oui ni non ; écrivez oui ou non',
  'value.too-long': 'dépasse 1 Mo ; raccourcissez-le',
  'value.like-an-id':
    'est un simple nombre de 15 à 20 chiffres et désignerait l’une de vos lignes ; supprimez-le d’abord',
  'value.no-choice': 'ne figure pas parmi les choix ; choisissez l’un de ceux-ci : {choices}',
  'value.no-date': 'n’est pas une date ; écrivez-la sous la forme AAAA-MM-JJ',
  'value.no-time': 'n’est pas une heure ; écrivez-la sous la forme HH:MM',
  'value.no-date-time': 'n’est pas une date avec une heure ; écrivez-la sous la forme AAAA-MM-JJ HH:MM',
  'value.no-year': 'n’est pas un moment entre les années 1 et 9999 ; corrigez l’année',
  'value.no-place': 'n’est pas un lieu ; écrivez la latitude et la longitude, par exemple 46.05, 14.5',
  'value.too-many-digits': 'a plus de {most} chiffres ; raccourcissez-le',
  'value.no-number': 'n’est pas un nombre ; écrivez des chiffres avec un point, comme 1234.50',
  'value.percent': 'est un pourcentage ; affichez d’abord la colonne en pour cent, ou écrivez 0.12 pour 12 %',
  'value.other-unit':
    'a une autre unité que la colonne, qui affiche {unit} ; écrivez la valeur dans celle-ci',
  'value.two-numbers':
    'peut se lire comme deux nombres différents, ou se trouve à côté d’autres monnaies ; écrivez des chiffres avec un point, comme 1234.50',
  'value.in-brackets': 'peut être −{number} ou une remarque ; écrivez-le sans parenthèses',
  'value.bare-percent': 'peut être {percent} ou {number} ; écrivez-le avec le signe pour cent',

  'reading.memory':
    'La mémoire n’a pas suffi pour lire ce fichier. Divisez-le en plusieurs fichiers, ou enregistrez la feuille voulue au format CSV.',
  'reading.time':
    'La lecture de ce fichier a pris trop de temps et a été arrêtée. Divisez-le en plusieurs fichiers, ou enregistrez la feuille voulue au format CSV.',
  'reading.crash':
    'La lecture de ce fichier a échoué. Enregistrez-le à nouveau depuis votre tableur, ou au format CSV, puis importez ce fichier.',
  'sheet.broken':
    'Ce fichier ne peut pas être lu comme un classeur. Enregistrez-le de nouveau au format xlsx depuis votre tableur et prenez ce fichier.',
  'sheet.too-large':
    'Ce classeur contient plus que ce qui peut être lu. Enregistrez la feuille qu’il vous faut au format CSV et prenez ce fichier.',
  'sheet.other':
    'Ceci est une archive, mais pas un classeur. Enregistrez la liste au format xlsx, ods ou CSV depuis votre tableur et prenez ce fichier.',
  'sheet.password':
    'Ce classeur est protégé par un mot de passe. Ouvrez-le dans votre tableur, enregistrez-en une copie sans mot de passe, puis importez-la.',
  'sheet.old':
    'Ceci est un classeur d’un ancien format, ou protégé par un mot de passe. Enregistrez-le au format xlsx sans mot de passe et prenez ce fichier.',
  'sheet.no-such': 'Il n’y a pas de feuille « {sheet} » dans ce classeur. Choisissez-en une autre.',
  'sheet.too-long-text':
    'La colonne « {column} » contient un texte plus long qu’une cellule ne peut l’être. Enregistrez la liste au format CSV.',
  'csv.no-text': 'Ce n’est pas une feuille de calcul. Choisissez un fichier .xlsx, .ods ou .csv.',
  'csv.unknown-encoding':
    'Les lettres ne peuvent pas être lues en « {encoding} ». Choisissez une autre façon de les lire.',
  'csv.no-such-column': 'Il n’y a pas de colonne « {column} ». Choisissez-en une autre.',
  'csv.too-large': 'Un fichier ne peut pas dépasser 64 Mo. Divisez-le en plusieurs fichiers.',
  'csv.empty':
    'Ce fichier est vide : il n’a pas de ligne avec les noms des colonnes. Choisissez-en un avec des noms de colonnes et des données.',
  'csv.too-many-columns':
    'Le fichier a {columns} colonnes, et {most} peuvent être examinées. Choisissez un autre séparateur ou un autre fichier.',
  'csv.nameless-column': 'Colonne {number}',
  'csv.bad-separator':
    'Les colonnes sont séparées par un seul caractère, comme une virgule ou un point-virgule. Choisissez-en un.',
  'csv.bad-header':
    'La ligne {line}, avec les noms des colonnes, ne peut pas être lue. Corrigez-la dans le fichier. {reason}',
  'csv.too-many-values': 'La ligne a {values} valeurs pour {columns} colonnes seulement.',
  'csv.too-few-values': 'La ligne n’a que {values} valeurs pour {columns} colonnes.',
  'csv.too-long':
    'La ligne compte plus d’un million de caractères. Il manque peut-être des sauts de ligne dans le fichier : exportez-le de nouveau.',
  'csv.open-quote': 'Un guillemet n’est jamais fermé.',
  'csv.too-many-open-quotes':
    'À partir d’ici, le fichier n’a pas été lu : trop de guillemets ne sont jamais fermés.',
  'csv.after-quote':
    'Du texte suit un guillemet fermant ; les guillemets à l’intérieur d’une valeur doivent être doublés.',

  'import.unreadable':
    'Certaines lettres de ces lignes ne sont pas lisibles en {encoding} et deviennent � : {lines}. Choisissez comment le fichier a été enregistré, ou corrigez-les dans le fichier.',
  'import.mixed':
    'Affiché en partie seulement en pourcentage ou avec une monnaie, ou avec plusieurs : {columns}. Les nombres sont repris, ce qui est à côté ne l’est pas.',
  'import.without-signs': 'Ce qui se trouve à côté des nombres n’est pas repris : {columns}.',
  'import.as-percent':
    'Ces colonnes affichent des pourcentages, et 0,12 dans le fichier devient 12 % : {columns}.',
  'import.which-list': 'Indiquez dans quelle liste : ?list=<name> ou ?moduleID=<id>.',
  'import.empty': 'Ce fichier est vide. Choisissez-en un avec des noms de colonnes et des données.',
  'import.cut-by': '{why} Du fichier, les lignes jusqu’à la {line} sont dans la liste.',
  'import.nothing-went-in':
    'Rien du fichier n’a pu être importé, donc aucune liste n’a été créée. Ligne {line} : {reason} Choisissez un autre type pour cette colonne, ou corrigez le fichier.',
  'import.nothing-fits':
    'Aucune colonne du fichier ne correspond à une colonne de « {list} ». Associez-en au moins une, ou créez une nouvelle liste.',
  'import.key-not-in-both':
    '« {column} » n’est pas une colonne à la fois du fichier et de « {list} ». Choisissez une autre colonne pour reconnaître les lignes.',
  'import.key-remembered':
    'La dernière importation reconnaissait les lignes à « {columns} » ; ce fichier n’a pas toutes ces colonnes. Choisissez les colonnes pour reconnaître les lignes, ou aucune.',
  'import.key-several-values':
    '« {column} » prend plusieurs valeurs et ne permet donc pas de reconnaître une ligne. Choisissez une autre colonne pour reconnaître les lignes.',
  'import.key-empty': '{column} est vide et ne permet donc pas de reconnaître une ligne.',
  'import.key-ambiguous':
    'Plusieurs lignes de la liste ont {column} « {value} ». Supprimez-les de la liste sauf une.',
  'import.key-again': '{column} « {value} » figurait déjà dans une ligne précédente.',
  'cells.column-gone':
    'Une colonne à laquelle cela est destiné n’est plus dans « {list} ». Rouvrez la liste et réessayez.',
  'cells.too-many-values':
    '« {column} » prend au plus {most} valeurs dans une cellule. Répartissez la cellule.',
  'import.refers-nowhere':
    'On ne sait pas à quelle liste renvoie « {column} ». Choisissez-en une sous « Nom et colonnes », ou laissez cette colonne de côté.',
  'import.no-row-called':
    '{column} : aucune ligne de « {list} » ne s’appelle « {value} » ; ajoutez-la là-bas ou corrigez le fichier',
  'import.several-rows-called':
    '{column} : plusieurs lignes de « {list} » s’appellent « {value} » ; donnez-leur là-bas des noms différents ou corrigez le fichier',
  'import.which-refers':
    'Choisissez la liste dont « {column} » nomme les lignes, ou un autre type de colonne.',
  'import.filled-twice':
    'Deux colonnes du fichier vont dans « {column} ». Choisissez un autre endroit pour l’une d’elles.',
  'import.matched-with-none':
    '« {column} » est associée à « {target} », qui n’est pas une colonne. Choisissez-en une autre.',

  'view.unknown': 'Cette vue n’existe plus. Choisissez-en une autre, ou toutes les lignes.',
  'view.no-name': 'Donnez à la vue un nom visible.',
  'view.name-taken': 'Une vue s’appelle déjà « {name} ». Choisissez un autre nom.',
  'view.too-many': 'Une liste a au plus {most} vues. Supprimez-en d’abord une.',
  'view.no-column': 'La liste n’a plus cette colonne. Choisissez-en une autre pour la vue.',

  'watched.path': 'Indiquez le chemin entier du fichier sur cet ordinateur, depuis son début.',
  'watched.too-long': 'Un nom dans ce chemin est trop long. Choisissez-en un plus court.',
  'watched.no-way':
    'Aucun chemin ne mène à « {file} » : un élément du chemin n’est pas un dossier, ou cet ordinateur n’a pas le droit de l’ouvrir. Choisissez un autre endroit.',
  'watched.unseen':
    'Le chemin contient des caractères que personne ne voit et qui font ressembler un nom à un autre. Choisissez un autre nom.',
  'watched.no-answer':
    'Le disque de « {file} » ne répond pas. Branchez-le de nouveau ; le fichier sera alors lu automatiquement.',
  'watched.none-asked':
    'Plusieurs disques ne répondent pas. Branchez-les de nouveau : aucun autre n’est interrogé avant que l’un d’eux réponde, et « {file} » attend cela.',
  'watched.gone':
    '« {file} » n’est pas dans son dossier pour le moment. Il sera relu dès son retour ; s’il a été renommé, choisissez-le à nouveau.',
  'watched.folder-away':
    '« {file} » est hors d’atteinte : le dossier {folder} n’existe pas. Branchez son lecteur, ou choisissez le fichier à nouveau.',
  'watched.empty-folder':
    'Il n’y a pas encore de tableau dans le dossier « {folder} ». Le plus récent sera lu automatiquement dès qu’il y en aura un.',
  'watched.full-folder':
    'Il y a plus de {most} fichiers dans le dossier « {folder} ». Choisissez-en un qui en contient moins, ou le tableau lui-même.',
  'watched.locked':
    '« {file} » ne peut pas être lu : un autre programme le retient, ou cet ordinateur n’a pas le droit de le lire. Fermez-le là-bas ; un nouvel essai suivra.',
  'watched.not-read':
    '« {file} » ne peut pas être lu pour le moment ({code}). Un nouvel essai suivra automatiquement.',
  'watched.no-file': '« {file} » n’est pas un fichier lisible. Choisissez un tableau.',
  'watched.empty': '« {file} » est vide. Il sera lu automatiquement dès qu’il contiendra quelque chose.',
  'watched.being-written':
    '« {file} » est en cours d’écriture. Il sera lu automatiquement dès que ce sera fini.',
  'watched.none-there':
    'Il n’y a pas de fichier « {file} » dans ce dossier. Vérifiez comment son nom s’écrit.',
  'watched.none-in-folder':
    'Il n’y a pas de tableau dans le dossier « {folder} ». Choisissez-en un autre, ou placez-y d’abord un tableau.',
  'watched.locked-now':
    '« {file} » ne peut pas être lu : un autre programme le retient, ou cet ordinateur n’a pas le droit de le lire. Fermez-le là-bas, puis regardez de nouveau.',
  'watched.not-read-now':
    '« {file} » ne peut pas être lu pour le moment ({code}). Regardez de nouveau un peu plus tard.',
  'watched.empty-now': '« {file} » est vide. Choisissez un fichier qui contient un tableau.',
  'watched.written-now': '« {file} » est en cours d’écriture. Regardez de nouveau dès que ce sera fini.',
  'watched.no-answer-now': 'Le disque de « {file} » ne répond pas. Regardez de nouveau dès qu’il répond.',
  'watched.key-gone':
    'Une colonne qui permet de retrouver les lignes n’est plus dans cette liste. Choisissez le fichier à nouveau, avec une autre colonne.',
  'watched.no-key':
    'Choisissez la colonne qui distingue les lignes du fichier, par exemple un numéro, ou plusieurs qui le font ensemble.',
  'watched.too-many':
    'Au plus {most} listes peuvent être tenues comme dans des fichiers. Mettez d’abord fin à l’une d’elles.',
  'watched.others-wait': 'Le fichier a changé entre-temps. Regardez encore une fois ce qui disparaîtrait.',
  'watched.elsewhere': 'Le chemin vers « {file} » mène maintenant ailleurs. Choisissez l’endroit à nouveau.',
  'watched.a-copy':
    'Une copie d’une liste est écrite vers « {file} ». Choisissez un autre fichier ou dossier.',
  'watched.newest-gone':
    'Le tableau de « {folder} » lu en dernier n’est plus là, et les autres sont plus anciens. Remettez-le, ou choisissez le dossier à nouveau pour suivre ce qui s’y trouve.',
  'watched.column-gone':
    'Dans « {file} », il n’y a plus de colonne {columns}. Rendez-lui son nom, ou choisissez le fichier à nouveau.',
  'watched.in-doubt':
    '« {file} » peut maintenant se lire de plusieurs façons ; rien n’en a été repris. Ouvrez les fichiers de la liste et vérifiez les suppositions.',
  'watched.unsure': {
    one: 'Dans « {file} », {n} ligne est illisible ; rien ne va donc à la corbeille. Corrigez-la là-bas.',
    other:
      'Dans « {file} », {n} lignes sont illisibles ; rien ne va donc à la corbeille. Corrigez-les là-bas.',
  },
  'watched.rejected': {
    one: 'Dans « {file} », {n} ligne ne convient pas. Regardez-la, et corrigez-la là-bas.',
    other: 'Dans « {file} », {n} lignes ne conviennent pas. Regardez-les, et corrigez-les là-bas.',
  },
  'copy.a-source':
    'Une liste est tenue comme dans « {file} », ou comme dans son dossier. Choisissez un autre endroit pour la copie.',
  'copy.of-another': '« {file} » est la copie d’une autre liste. Choisissez un autre nom.',
  'copy.kind': 'Une copie pour le tableur finit par .xlsx ou .csv. Choisissez un tel nom.',
  'copy.reserved': 'Windows réserve le nom « {file} » à autre chose qu’un fichier. Choisissez un autre nom.',
  'copy.there-already':
    'Il existe déjà un fichier « {file} ». Choisissez un autre nom, ou permettez de le remplacer.',
  'copy.inside':
    'Une copie ne peut pas se trouver parmi les données de Footbridge. Choisissez un autre dossier.',
  'copy.no-folder':
    'Le dossier {folder} n’existe pas pour le moment. Branchez son lecteur, ou choisissez un autre dossier.',
  'copy.no-answer':
    'Le lecteur de « {file} » ne répond pas. Reconnectez-le ; la copie est alors écrite d’elle-même.',
  'copy.locked':
    '« {file} » ne peut pas être remplacé : un autre programme l’a ouvert, ou cet ordinateur n’a pas le droit de l’écrire. Fermez-le là-bas ; un nouvel essai suivra.',
  'copy.not-written':
    '« {file} » ne peut pas être écrit pour le moment ({code}). Un nouvel essai suivra automatiquement.',
  'copy.full':
    'Il n’y a pas de place pour « {file} ». Faites de la place sur ce lecteur ; un nouvel essai suivra.',
  'copy.locked-now':
    '« {file} » ne peut pas être remplacé : un autre programme l’a ouvert, ou cet ordinateur n’a pas le droit de l’écrire. Fermez-le là-bas, puis essayez de nouveau.',
  'copy.not-written-now':
    '« {file} » ne peut pas être écrit pour le moment ({code}). Essayez de nouveau un peu plus tard, ou choisissez un autre endroit.',
  'copy.full-now':
    'Il n’y a pas de place pour « {file} ». Libérez de la place sur ce lecteur, ou choisissez-en un autre.',
  'copy.too-many': 'Au plus {most} listes peuvent avoir une copie. Mettez d’abord fin à l’une d’elles.',
};
