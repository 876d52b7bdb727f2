// Words by which letters are spelled aloud, and words that tell to read from behind or to decode.

/** Names that stand for their first letter. */
export const SPELLING_NAMES: Readonly<Record<string, string>> = {
  nato: 'alpha alfa bravo charlie delta echo foxtrot golf hotel india juliet juliett kilo lima mike november oscar papa quebec romeo sierra tango uniform victor whiskey whisky xray yankee zulu',
  old: 'able baker dog easy fox george how item jig king love nan oboe peter queen roger sugar tare uncle william yoke zebra',
  de: 'anton aerger berta bertha casar caesar dora emil friedrich gustav heinrich ida julius kaufmann konrad ludwig martha martin nordpol otto okonom paula quelle richard samuel siegfried theodor ulrich viktor wilhelm xanthippe xaver ypsilon zacharias zeppelin kurfurst chemnitz aachen berlin cottbus dusseldorf essen frankfurt goslar hamburg ingelheim jena koln leipzig munchen nurnberg offenbach potsdam quickborn rostock salzwedel tubingen unna vollingen wuppertal xanten zwickau',
  fr: 'anatole berthe celestin desire eugene francois gaston henri irma joseph kleber louis marcel nicolas oscar pierre quintal raoul suzanne therese ursule victor xavier yvonne zoe',
  it: 'ancona bologna como domodossola empoli firenze genova imola jolly kursaal livorno milano napoli otranto padova quarto roma savona torino udine venezia washington xilofono york zara',
  es: 'antonio burgos carmen dolores enrique francia gerona historia inés josé kilo lorenzo madrid navarra oviedo parís querido ramón sábado tarragona ulises valencia yegua zaragoza barcelona españa',
  pt: 'amor bandeira cobra dado estrela feira goiaba hotel indio jose kiwi lua maria navio ouvido pipoca quilo rosa saci tatu uva vitoria xadrez zebra',
  ru: 'анна борис василий григорий дмитрий елена женя зинаида иван константин леонид михаил николай ольга павел роман семен татьяна ульяна федор харитон цапля человек шура щука эхо юрий яков',
  nl: 'anna bernard cornelis dirk eduard ferdinand gerard hendrik izaak johan karel lodewijk maria nico otto pieter quotient richard simon teunis utrecht victor willem xantippe zaandam',
  pl: 'adam barbara celina dorota ewa franciszek genowefa henryk irena jadwiga karol leon maria natalia olga paweł roman stanisław tadeusz urszula wacław zygmunt',
  sv: 'adam bertil cesar david erik filip gustav helge ivar johan kalle ludvig martin niklas olof petter quintus rudolf sigurd tore urban viktor xerxes yngve zäta',
};

/** Words that tell to read from behind. */
export const BACKWARDS =
  'backwards, backward, reversed, reverse, in reverse, from the right, right to left, from behind, mirror, mirrored, from the end, last to first, al revés, al reves, de atrás para adelante, invertido, invertida, ao contrário, de trás para frente, à l’envers, a l’envers, de droite à gauche, inversé, al contrario, rovescio, alla rovescia, rückwärts, rueckwaerts, von hinten, von rechts, umgekehrt, gespiegelt, achterstevoren, omgekeerd, baklänges, bakvänt, wspak, od tyłu, od końca, задом наперёд, задом наперед, наоборот, справа налево, с конца, навпаки, з кінця, tersten, ters, sondan, من اليمين, بالمقلوب, معكوس, برعکس, از آخر, الٹا, उल्टा, उलटा, পেছন থেকে, উল্টো, 倒着, 反过来, 倒过来, 倒序, 从右往左, 逆, 逆から, 逆さ, さかさま, 거꾸로, 반대로, ngược, viết ngược, terbalik, dibalik, dari belakang, తిరగేసి, తలక్రిందులుగా, தலைகீழ், backwords, sdrawkcab';
