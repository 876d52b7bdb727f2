// Words that mark a phone number, words that mark another number, and numerals.

/** Words that mark a phone number. */
export const PHONE_CUES = `texts preferred, texts only, texts ok, voicemail, ring it, answers, gets me, after six, ask for, phone,
  telephone, tel, call, calls, call me, ring, rings, dial, mobile, mob, cell, text, txt, sms, landline, fax,
  whatsapp, wa, zap, my number, number is, digits are, ph, ring me, green button, contact line, viber, call us,
  calling, type, rings in my, straight through, text me, reaches, reach me on, number, gets you, whatsapp me,
  al habla, móviles, timbrazo, teléfono, tlf, móvil, celular, cel, llama, llámame, llamar, mi número, marca,
  telefone, telemóvel, liga, ligue, ligar, liga pra, téléphoner, appelez, appelle, appelez-moi, portable, numéro,
  sonnez, mon numéro, texto, chiama, chiamami, chiamate, chiamatemi, chiamare, mio numero, durchklingeln, rufnr,
  tel nr, telefon, handy, ruf, rufen, anrufen, anruf, rufnummer, ruf mich, ruf an, erreichbar unter, klingeln,
  meine nummer, vorwahl, telefoon, bel, mijn nummer, app, slå, dzwoń, zadzwoń, kom, numer, mój numer, звонок,
  звякните, набрать, телефон, тел, звоните, номер, мой номер, вотсап, дзвоніть, телефонуйте, ara, beni ara,
  numara, ulaşın, اتصل, اتصلوا, هاتف, واتساب, رقم, تماس, تلفن, تماس بگیرید, فون, बात करें, बात करे, बात कीजिए,
  पर बात, फोन, कॉल, कॉल करें, नंबर, संपर्क, फोन करें, ফোন, নম্বর, ফোন করুন, যোগাযোগ, ఫోన్, அழைக்க, அழைக்கவும்,
  தொலைபேசி, 电话, 手机, 打我, 打电话, 打, 電話, 微信同号, 同号, 打给我, 微信同, 随时, お電話, 携帯, 전화, 연락처, 휴대폰, 번호, 문자, 연락, gọi, số, zalo,
  telepon, hubungi, hp`;

/** Those of them that also have other uses: not enough alone. */
export const PHONE_VAGUE = `ask for, after six, answers, ring it, call, calls, calling, number, ring, rings, number is, type, text, mobile,
  numero, номер, رقم, नंबर, নম্বর, 번호, số, numer, numara, 打, 随时, ara, marca, liga, bel, app, cell, wa, dial, cel,
  mob, sms, phone, telefon, teléfono, телефон, kom, nm, straight through, slå, ring me, 연락, 문자`;

/** Words that enumerate the parts of a number. */
export const PARTS = `a couple of, couple of, pair of, after it, before it, leading zero, continued, opening, then, first, next, last,
  second, third, after, add, plus, start, starts, begin, begins, end, ends, finish, half, pieces, halves,
  area code, area, code, country, prefix, city, vorwahl, dann, danach, puis, ensuite, enfin, luego, trozos, poi,
  prefisso, сначала, потом, код, önce, 前三位, 中间, 后四位, 前, 后, 다음, पहले, بعد, in front, drop, rest, four times,
  ending, missing, riddle, join, digits, rest of it`;

/** Counted nouns. */
export const COUNTED = `users messages minutes rows usd eur gbp dollars euros euro customers downloads records people words times hours
  days per month months year years items units km miles mile kg tokens requests texts subscribers members
  impressions percent pixels px mm cm gb mb tb hz khz samples images parameters entries visits visitors characters
  phones sq readers rpm listeners viewers followers volts watts pages page pieces pcs seats lessons guests mg ml m
  ft feet inch g dpi fps hour min mins minuten stunden tage seiten rub руб pln zł kr chf grams tonnes lb lbs
  students sentences clinics cards pts points games rounds weeks week minutos dias horas páginas jours heures 元 円
  원 分 分钟 米 人 页 字 件 個 枚 年 月 日 時 分間 張 条 位 段 张 台 本 回 歳 ページ gib kb tps qps ms sec secs seconds personen
  clients сек мин лет стр шт чел pesos reais bits bit`;

/** Words that mark a number of another kind. */
export const NUMBERED_OTHERWISE = `matrix vector array tuple sudoku usb vid isbn issn sku part model item ref reference serial order invoice patent
  version ean upc gtin asin doi product article catalog catalogue grant award contract topic license licence
  permit registration vat ein duns case docket id nsn cas hs oclc lot batch tracking build release iso rfc
  standard iban routing page pages zip plz postcode section project proposal solicitation budget population
  employees size sizes coordinates lat lon lng latitude longitude error http port ports porte порты порт toner
  ersatzteil teilenummer vergleichsnummer bearing bearings подшипник арт артикул réf teil art code codes price
  prices preis prix precio цена rev chapter kapitel uuid hash commit fibonacci sequence primes pi isbn-13 ral
  pantone arxiv din en lei law gost гост stations postal plate plates prime sums sum sequences numbers series
  splits split stats score scores lens mounts rows rate rates odds 端口 版本 型号 货号 编号 型番 品番 모델 pin otp tan weight
  height grid`;

/** The digits from zero to nine in each language; `=` joins words of one value, `?` marks a word that usually means something else. */
export const DIGIT_WORDS = [
  'zero=oh=o?=nought=zip?=nil?=zeros? one=won?=ones? two=too?=tu?=twos? three=tree=threes? four=fours? five=fives? six=sixes? seven=sevens? eight=eights? nine=nines?', // en
  'null=nul eins=ein? zwei=zwo drei vier funf sechs sieben acht neun', // de
  'nul=nil? een?=één? twee drie vier vijf zes zeven acht negen', // nl
  'noll ett?=en? två tre fyra fem? sex? sju åtta nio', // sv
  'cero uno=una?=un? dos tres cuatro cinco seis siete ocho nueve', // es
  'zero um? dois=duas três=tres quatro cinco seis=meia sete oito nove', // pt
  'zéro un?=une? deux trois quatre cinq six sept=set? huit neuf', // fr
  'zero uno=un? due tre quattro cinque sei? sette otto nove', // it
  'zero jeden dwa=dwie trzy cztery pięć sześć siedem osiem dziewięć', // pl
  'ноль=нуль один=раз? два=две три четыре пять шесть семь восемь=восьмерка девять', // ru
  'нуль=ноль один два три чотири п’ять=пʼять=пять шість сім вісім дев’ять=девʼять=девять', // uk
  'sıfır bir? iki üç=uc? dört beş=bes altı=alti? yedi sekiz dokuz', // tr
  'nol satu dua tiga empat lima enam tujuh delapan sembilan', // id
  'không=khong một?=mot?=mốt? hai? ba? bốn=tư? năm? sáu? bảy?=bay? tám? chín?=chin?', // vi
  'शून्य एक दो तीन चार पांच=पाँच=पाच छह=छ सात आठ=एट? नौ', // hi
  'শূন্য এক দুই তিন চার পাঁচ ছয়=ছয় সাত আট নয়', // bn
  'సున్నా=సున్న ఒకటి రెండు మూడు నాలుగు ఐదు ఆరు ఏడు ఎనిమిది తొమ్మిది', // te
  'பூஜ்யம் ஒன்று இரண்டு மூன்று நான்கு ஐந்து ஆறு ஏழு எட்டு ஒன்பது', // ta
  'صفر ایک دو تین چار پانچ چھ سات آٹھ نو', // ur
  'صفر واحد اثنان=إثنان ثلاثة=ثلاثه أربعة=اربعة=اربعه خمسة=خمسه=خمس ستة=سته=ست سبعة=سبعه ثمانية تسعة', // ar
  'صفر یک=يک دو سه? چهار پنج شش هفت هشت نه?', // fa
  '零=〇 一=幺=壹 二=两 三=叁 四 五 六 七 八=捌 九', // zh
  'ゼロ=零 いち に?=ニ さん? よん=し?=シ? ご?=ゴ ろく なな はち きゅう=く?=ク?', // ja
  '영=공 일=하나 이=둘 삼=셋 사=넷 오=다섯 육 칠 팔 구', // ko
];

/** Larger numerals by value. A ten takes the unit after it, a hundred any numeral below a hundred. */
export const LARGER = [
  '10=ten 11=eleven 12=twelve 13=thirteen 14=fourteen 15=fifteen 16=sixteen 17=seventeen 18=eighteen 19=nineteen 20=twenty 30=thirty 40=forty 50=fifty 60=sixty 70=seventy 80=eighty 90=ninety 100=hundred', // en
  '10=zehn 11=elf 12=zwölf 13=dreizehn 14=vierzehn 15=fünfzehn 16=sechzehn 17=siebzehn 18=achtzehn 19=neunzehn 20=zwanzig 30=dreißig 40=vierzig 50=fünfzig 60=sechzig 70=siebzig 80=achtzig 90=neunzig 100=hundert', // de
  '10=tien 11=elf 12=twaalf 13=dertien 14=veertien 15=vijftien 16=zestien 17=zeventien 18=achttien 19=negentien 20=twintig 30=dertig 40=veertig 50=vijftig 60=zestig 70=zeventig 80=tachtig 90=negentig 100=honderd', // nl
  '10=diez 11=once? 12=doce 13=trece 14=catorce 15=quince 16=dieciséis 17=diecisiete 18=dieciocho 19=diecinueve 20=veinte 21=veintiuno 22=veintidós 23=veintitrés 24=veinticuatro 25=veinticinco 26=veintiséis 27=veintisiete 28=veintiocho 29=veintinueve 30=treinta 40=cuarenta 50=cincuenta 60=sesenta 70=setenta 80=ochenta 90=noventa 100=cien 200=doscientos 300=trescientos 400=cuatrocientos 500=quinientos 600=seiscientos 700=setecientos 800=ochocientos 900=novecientos', // es
  '10=dez 11=onze 12=doze 13=treze 14=catorze 15=quinze 16=dezesseis 17=dezessete 18=dezoito 19=dezenove 20=vinte 30=trinta 40=quarenta 50=cinquenta 60=sessenta 70=setenta 80=oitenta 90=noventa 100=cem=cento 200=duzentos 300=trezentos 400=quatrocentos 500=quinhentos 600=seiscentos 700=setecentos 800=oitocentos 900=novecentos', // pt
  '10=dix 11=onze 12=douze 13=treize 14=quatorze 15=quinze 16=seize 20=vingt 30=trente 40=quarante 50=cinquante 60=soixante 70=septante 80=huitante 90=nonante 100=cent', // fr
  '10=dieci 11=undici 12=dodici 13=tredici 14=quattordici 15=quindici 16=sedici 17=diciassette 18=diciotto 19=diciannove 20=venti 30=trenta 40=quaranta 50=cinquanta 60=sessanta 70=settanta 80=ottanta 90=novanta 100=cento', // it
  '10=dziesięć 11=jedenaście 12=dwanaście 13=trzynaście 14=czternaście 15=piętnaście 16=szesnaście 17=siedemnaście 18=osiemnaście 19=dziewiętnaście 20=dwadzieścia 30=trzydzieści 40=czterdzieści 50=pięćdziesiąt 60=sześćdziesiąt 70=siedemdziesiąt 80=osiemdziesiąt 90=dziewięćdziesiąt 100=sto? 200=dwieście 300=trzysta 400=czterysta 500=pięćset 600=sześćset 700=siedemset 800=osiemset 900=dziewięćset', // pl
  '10=десять 11=одиннадцать 12=двенадцать 13=тринадцать 14=четырнадцать 15=пятнадцать 16=шестнадцать 17=семнадцать 18=восемнадцать 19=девятнадцать 20=двадцать 30=тридцать 40=сорок 50=пятьдесят 60=шестьдесят 70=семьдесят 80=восемьдесят 90=девяносто 100=сто 200=двести 300=триста 400=четыреста 500=пятьсот 600=шестьсот 700=семьсот 800=восемьсот 900=девятьсот', // ru
  '10=десять 11=одинадцять 12=дванадцять 13=тринадцять 14=чотирнадцять 15=п’ятнадцять 16=шістнадцять 17=сімнадцять 18=вісімнадцять 19=дев’ятнадцять 20=двадцять 30=тридцять 40=сорок 50=п’ятдесят=пʼятдесят 60=шістдесят 70=сімдесят 80=вісімдесят 90=дев’яносто=девʼяносто 100=сто 200=двісті 300=триста 400=чотириста 500=п’ятсот=пʼятсот 600=шістсот 700=сімсот 800=вісімсот 900=дев’ятсот', // uk
  '10=on? 20=yirmi 30=otuz 40=kırk 50=elli 60=altmış 70=yetmiş 80=seksen 90=doksan 100=yüz?', // tr
];

/** "Double five" and "triple five". */
export const TIMES = '2=double=dbl=twice=doble=doppel=doppia=डबल 3=triple=treble=tripel=tripla=ट्रिपल';
/** Words within numerals: "two hundred and five". */
export const AND_WORDS = 'und en y e et and och и та';
